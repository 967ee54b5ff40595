package io.reprise.sql.plan;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.plan.PlacementAnalyzer.Occurrence;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Says in which partitions a plan has to run. */
final class ScopeAnalyzer {
    private final Expressions expressions;
    private final PlacementAnalyzer placement;

    ScopeAnalyzer(Expressions expressions, PlacementAnalyzer placement) {
        this.expressions = expressions;
        this.placement = placement;
    }

    StatementScope scope(PlanNode plan) {
        Optional<Table> written = written(plan);
        List<Occurrence> partitioned = placement.partitioned(plan);
        if (written.isPresent() && written.get().replicated()) {
            if (!partitioned.isEmpty()) {
                throw new SqlPlanningException("the replicated table " + written.get().name()
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
            Set<String> equal = new TreeSet<>(occurrence.partitioningClass());
            equal.removeIf(term -> placement.constant(term) == null);
            if (common == null) {
                common = equal;
            } else {
                common.retainAll(equal);
            }
        }
        if (common.isEmpty()) {
            return new StatementScope.All();
        }
        Table table = partitioned.getFirst().table();
        SqlType type = table.columns().get(table.partitionColumn().orElseThrow()).type();
        return new StatementScope.Key(
                expressions.cast(placement.constant(common.iterator().next()), type), type);
    }

    static Optional<Table> written(PlanNode plan) {
        return switch (plan) {
            case PlanNode.Insert insert -> Optional.of(insert.table());
            case PlanNode.Update update -> Optional.of(update.table());
            case PlanNode.Delete delete -> Optional.of(delete.table());
            case PlanNode.Truncate truncate -> Optional.of(truncate.table());
            default -> Optional.empty();
        };
    }
}
