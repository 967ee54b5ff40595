package io.reprise.sql.place;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.physical.Expressions;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.place.PlacementAnalyzer.Occurrence;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.rex.RexNode;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** Says in which partitions a plan has to run. */
public final class ScopeAnalyzer {
    private final Expressions expressions;
    private final PlacementAnalyzer placement;

    public ScopeAnalyzer(Expressions expressions, PlacementAnalyzer placement) {
        this.expressions = expressions;
        this.placement = placement;
    }

    public StatementScope scope(PlanNode plan) {
        Optional<Table> written = written(plan);
        List<Occurrence> partitioned = placement.partitioned(plan);
        if (written.isPresent() && written.get().replicated()) {
            if (!partitioned.isEmpty()) {
                throw new SqlPlanningException(
                        partitioned.getFirst().table().name(),
                        "the replicated table " + written.get().name()
                                + " is written alike in all partitions, so the statement can read replicated tables only: "
                                + partitioned.getFirst().table().name() + " is partitioned");
            }
            return new StatementScope.Everywhere();
        }
        if (partitioned.isEmpty()) {
            return new StatementScope.Any();
        }
        Set<String> common = null;
        for (Occurrence occurrence : partitioned) {
            Set<String> equal = constants(occurrence);
            if (common == null) {
                common = equal;
            } else {
                common.retainAll(equal);
            }
        }
        return common.isEmpty()
                ? new StatementScope.All()
                : new StatementScope.Key(value(common, type(partitioned)), type(partitioned));
    }

    /**
     * The scope of a plan whose partitioned tables are all bound to values, but not to the same one: it can run where the
     * first value lies if the others turn out to lie there too. Empty if a table is not bound to a value.
     */
    public Optional<StatementScope> boundApart(PlanNode plan) {
        List<Occurrence> partitioned = placement.partitioned(plan);
        SqlType type = type(partitioned);
        Set<RexNode> values = new LinkedHashSet<>();
        for (Occurrence occurrence : partitioned) {
            Set<String> equal = constants(occurrence);
            if (equal.isEmpty() || !sameHash(type, type(List.of(occurrence)))) {
                return Optional.empty();
            }
            values.add(value(equal, type));
        }
        List<RexNode> all = List.copyOf(values);
        return Optional.of(new StatementScope.Key(all.getFirst(), type, all.subList(1, all.size())));
    }

    private Set<String> constants(Occurrence occurrence) {
        Set<String> equal = new TreeSet<>(occurrence.partitioningClass());
        equal.removeIf(term -> placement.constant(term) == null);
        return equal;
    }

    private RexNode value(Set<String> terms, SqlType type) {
        RexNode value = placement.constant(terms.iterator().next());
        // A whole number hashes alike in any width.
        return SqlTypeUtil.isIntType(value.getType()) ? value : expressions.cast(value, type);
    }

    /** The widest type of the partitioning columns, so that every value fits. */
    private static SqlType type(List<Occurrence> partitioned) {
        SqlType widest = null;
        for (Occurrence occurrence : partitioned) {
            Table table = occurrence.table();
            SqlType type =
                    table.columns().get(table.partitionColumn().orElseThrow()).type();
            boolean wider = widest != null
                    && widest.kind().isInteger()
                    && type.kind().isInteger()
                    && type.kind().width() > widest.kind().width();
            widest = widest == null || wider ? type : widest;
        }
        return widest;
    }

    private static boolean sameHash(SqlType one, SqlType other) {
        return one.kind().isInteger() && other.kind().isInteger()
                || one.kind() == other.kind() && one.scale() == other.scale();
    }

    public static Optional<Table> written(PlanNode plan) {
        return plan instanceof PlanNode.Write write ? Optional.of(write.table()) : Optional.empty();
    }
}
