package io.reprise.sql.plan;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.LogicalPlanner;
import io.reprise.sql.bind.ParameterRounding;
import io.reprise.sql.bind.Places;
import io.reprise.sql.bind.PlanningErrors;
import io.reprise.sql.bind.PlanningLimit;
import io.reprise.sql.bind.RepriseTypeFactory;
import io.reprise.sql.bind.SequenceUse;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.bind.StatementParser;
import io.reprise.sql.bind.StatementSize;
import io.reprise.sql.explain.PlanPrinter;
import io.reprise.sql.physical.Expressions;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.RelPlanner;
import io.reprise.sql.physical.RowOrder;
import io.reprise.sql.physical.RowSequence;
import io.reprise.sql.physical.StorageOrder;
import io.reprise.sql.physical.WritePlanner;
import io.reprise.sql.place.Distributor;
import io.reprise.sql.place.GatheredTables;
import io.reprise.sql.place.Ownership;
import io.reprise.sql.place.PlacementAnalyzer;
import io.reprise.sql.place.RoutingParameters;
import io.reprise.sql.place.ScopeAnalyzer;
import io.reprise.sql.place.StatementScope;
import io.reprise.sql.place.WriteDeterminism;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.rel.core.TableModify;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexNode;

/**
 * Plans a statement: parse, validate and convert ({@link LogicalPlanner}), choose accesses and join orders ({@link
 * RelPlanner}), derive the scope ({@link ScopeAnalyzer}), and split what runs in all partitions ({@link Distributor}).
 * Stateless; may be called from any thread.
 */
public final class StatementPlanner {
    /** EXPLAIN's line for rows that are gathered to be joined. */
    private static final String GATHERED =
            "joins rows of different partitions: gathers all of them in one place, which is slow\n";

    private StatementPlanner() {}

    /**
     * Plans one statement. EXPLAIN gives a plan whose rows are the lines of the explanation.
     *
     * @throws SqlPlanningException if it is not a statement that can be executed, saying why and where
     */
    public static StatementPlan plan(Catalog catalog, String sql) {
        return plan(catalog, sql, Use.ANYWHERE);
    }

    /**
     * Plans a statement of a procedure that also writes: the rows of a query come in one sequence, whatever the order in which they are
     * stored, because what is written may depend on it.
     *
     * @throws SqlPlanningException also if which rows it finds depends on that order
     */
    public static StatementPlan planForWriter(Catalog catalog, String sql) {
        return plan(catalog, sql, Use.WRITER);
    }

    /**
     * Plans a statement that is a transaction of its own. A query that joins rows of different partitions is not refused:
     * these are gathered in one place ({@link GatheredTables}).
     *
     * @throws SqlPlanningException as {@link #plan}
     */
    public static StatementPlan planAdHoc(Catalog catalog, String sql) {
        return plan(catalog, sql, Use.AD_HOC);
    }

    private enum Use {
        ANYWHERE,
        WRITER,
        AD_HOC
    }

    private static StatementPlan plan(Catalog catalog, String sql, Use use) {
        StatementSize.depth(sql);
        try {
            return planned(catalog, sql, use);
        } catch (SqlPlanningException refusal) {
            throw Places.located(refusal, sql);
        } catch (RuntimeException | AssertionError e) {
            PlanningLimit.rethrow(e);
            throw Places.located(PlanningErrors.of(e, catalog.tables().keySet()), sql);
        }
    }

    private static StatementPlan planned(Catalog catalog, String sql, Use use) {
        StatementParser.dataDefinition(sql).ifPresent(keyword -> {
            throw new SqlPlanningException(
                    keyword + " defines the schema: it cannot be run as a statement within a" + " transaction", 1, 1);
        });
        try {
            StatementParser.Parsed parsed = StatementParser.parse(sql);
            StatementPlan plan = switch (parsed) {
                case StatementParser.Truncation truncation -> truncation(catalog, sql, truncation);
                case StatementParser.Syntax syntax -> statement(catalog, sql, syntax, use);
            };
            plan = settling(catalog, plan);
            return parsed.explain() ? explanation(plan) : plan;
        } catch (StackOverflowError e) {
            throw PlanningErrors.tooDeep();
        }
    }

    private static StatementPlan settling(Catalog catalog, StatementPlan plan) {
        PlanNode written = plan.fragment() instanceof PlanNode.Sort sort ? sort.input() : plan.fragment();
        if (!(written instanceof PlanNode.Write write)) {
            return plan;
        }
        List<SettledKey> keys = WrittenKeys.of(catalog, write);
        return keys.isEmpty() ? plan : plan.settling(keys, plan.explanation() + SettledKey.explanation(keys));
    }

    private static StatementPlan truncation(Catalog catalog, String sql, StatementParser.Truncation truncation) {
        String name = truncation.table(catalog);
        Table table = catalog.table(name)
                .orElseThrow(() -> new SqlPlanningException(
                        name, PlanningErrors.noTable(name, catalog.tables().keySet())));
        RelPlanner planner = new RelPlanner(new Expressions(new RexBuilder(new RepriseTypeFactory())), true);
        return finished(sql, WritePlanner.truncate(table), planner, List.of(), List.of(), List.of(), Use.ANYWHERE);
    }

    private static StatementPlan statement(Catalog catalog, String sql, StatementParser.Syntax syntax, Use use) {
        LogicalPlanner.Logical logical = LogicalPlanner.plan(catalog, syntax.path(), syntax.node());
        RelPlanner planner = new RelPlanner(
                new Expressions(logical.rexBuilder()), use == Use.WRITER || logical.rel() instanceof TableModify);
        PlanNode plan;
        if (logical.rel() instanceof TableModify modify) {
            plan = new WritePlanner(planner)
                    .plan(
                            modify,
                            logical.onConflict(),
                            logical.setColumns(),
                            logical.conflict(),
                            logical.checks(),
                            logical.returning());
        } else {
            plan = planner.plan(logical.rel(), Expressions.Environment.EMPTY);
        }
        return finished(sql, plan, planner, logical, use);
    }

    private static StatementPlan finished(
            String sql, PlanNode plan, RelPlanner planner, LogicalPlanner.Logical logical, Use use) {
        StatementPlan finished =
                finished(sql, plan, planner, logical.parameters(), logical.roundings(), logical.sequences(), use);
        if (logical.outputNames().isEmpty()) {
            return finished;
        }
        List<PlanField> named = new ArrayList<>();
        for (int i = 0; i < finished.output().size(); i++) {
            PlanField field = finished.output().get(i);
            named.add(new PlanField(name(logical.outputNames().get(i), i), field.type(), field.nullable()));
        }
        return new StatementPlan(
                sql,
                finished.scope(),
                finished.parameters(),
                finished.roundings(),
                List.copyOf(named),
                finished.fragment(),
                finished.merge(),
                finished.writes(),
                finished.returnsRows(),
                finished.orderDetermined(),
                finished.errorDetermined(),
                finished.sequences(),
                finished.foreignKeys(),
                finished.explanation());
    }

    /** A result column without a name is called by its position. */
    private static String name(String name, int column) {
        return name.startsWith("EXPR$") ? "COLUMN_" + (column + 1) : name;
    }

    private static StatementPlan finished(
            String sql,
            PlanNode found,
            RelPlanner planner,
            List<SqlType> parameters,
            List<ParameterRounding> roundings,
            List<SequenceUse> sequences,
            Use use) {
        boolean forWriter = use == Use.WRITER;
        PlanNode plan = found;
        PlacementAnalyzer placement = new PlacementAnalyzer(plan);
        ScopeAnalyzer scopes = new ScopeAnalyzer(planner.expressions(), placement);
        StatementScope scope = scopes.scope(plan);
        boolean writes = ScopeAnalyzer.written(plan).isPresent();
        RowOrder order = new RowOrder(planner.orders());
        if (writes || forWriter) {
            WriteDeterminism.check(plan, order, scope);
        }
        if (forWriter && !writes) {
            plan = new RowSequence(planner.orders(), scope instanceof StatementScope.All).determined(plan);
            placement = new PlacementAnalyzer(plan);
            scopes = new ScopeAnalyzer(planner.expressions(), placement);
        }
        PlanNode fragment = plan;
        Optional<PlanNode> merge = Optional.empty();
        String note = "";
        if (scope instanceof StatementScope.All) {
            try {
                PlanNode divided = new Ownership(placement, planner.orders()).divided(plan);
                Distributor distributor = new Distributor(planner, new PlacementAnalyzer(divided));
                Distributor.Split split = writes ? distributor.write(divided) : distributor.query(divided);
                fragment = split.fragment();
                merge = Optional.of(split.merge());
            } catch (SqlPlanningException e) {
                Optional<? extends StatementScope> apart = scopes.boundApart(plan);
                if (apart.isEmpty() && use == Use.AD_HOC && !writes) {
                    Distributor.Split split = new GatheredTables(planner.expressions(), planner.orders()).split(plan);
                    fragment = split.fragment();
                    merge = Optional.of(split.merge());
                    note = GATHERED;
                } else {
                    scope = apart.orElseThrow(() -> e);
                }
            }
        }
        List<ParameterRounding> rounded =
                scope instanceof StatementScope.Key key ? RoutingParameters.rounded(roundings, key) : roundings;
        boolean errorDetermined = true;
        if (writes || forWriter) {
            fragment = StorageOrder.without(fragment);
            merge = merge.map(StorageOrder::without);
            errorDetermined = !StorageOrder.decidesWhichError(fragment, merge);
        }
        boolean returns =
                fragment instanceof PlanNode.Write write && !write.returning().isEmpty();
        if (returns && merge.isEmpty()) {
            fragment = RowSequence.returned(fragment);
        }
        return new StatementPlan(
                sql,
                scope,
                List.copyOf(parameters),
                rounded,
                plan.fields(),
                fragment,
                merge,
                writes,
                !writes || returns,
                order.isDetermined(plan),
                errorDetermined,
                sequences,
                List.of(),
                note + PlanPrinter.print(scope, fragment, merge));
    }

    private static StatementPlan explanation(StatementPlan plan) {
        return told(plan.sql(), plan.explanation());
    }

    /** The plan of a statement whose result is a text, a row for each line. */
    public static StatementPlan told(String sql, String text) {
        RepriseTypeFactory types = new RepriseTypeFactory();
        RexBuilder rex = new RexBuilder(types);
        List<List<RexNode>> rows = new ArrayList<>();
        int longest = 1;
        for (String line : text.split("\n")) {
            longest = Math.max(longest, line.length());
            rows.add(List.of(rex.makeLiteral(line)));
        }
        List<PlanField> fields = List.of(new PlanField("PLAN", SqlType.varchar(longest), false));
        return new StatementPlan(
                sql,
                new StatementScope.Any(),
                List.of(),
                List.of(),
                fields,
                new PlanNode.Values(List.copyOf(rows), fields),
                Optional.empty(),
                false,
                true,
                true,
                true,
                List.of(),
                List.of(),
                text);
    }
}
