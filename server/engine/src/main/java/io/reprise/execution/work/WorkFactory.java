package io.reprise.execution.work;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.ProcedureDefinition;
import io.reprise.catalog.ProcedureDefinition.Logging;
import io.reprise.catalog.SqlType;
import io.reprise.execution.Scope;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.DeployedProcedure;
import io.reprise.execution.deploy.ParameterType;
import io.reprise.execution.deploy.ProcedureSignature;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.bind.PlanningLimit;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.place.Reach;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.sql.plan.StatementTraits;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Makes works from a catalog: plans and compiles their statements and finds out their partitions. Used by
 * administration threads; works are bound to partitions later.
 */
public final class WorkFactory {
    private WorkFactory() {}

    /**
     * Makes a procedure's work.
     *
     * @param classes loads the class with the second name for the procedure with the first
     * @param statements finds out what the class declares
     * @throws ProcedureException saying what is wrong with it
     */
    public static Work procedure(
            Catalog catalog,
            ProcedureDefinition definition,
            BiFunction<String, String, DeployedProcedure> classes,
            StatementCollector statements) {
        Work work = switch (definition.source()) {
            case ProcedureDefinition.FromClass source ->
                fromClass(catalog, definition, classes.apply(definition.name(), source.className()), statements);
            case ProcedureDefinition.FromStatement source ->
                fromStatement(catalog, definition, source.sql(), statements);
        };
        work.logAs(definition.logging() == Logging.AS_CONFIGURED ? pinnedByTables(work) : definition.logging());
        if (work.statements().stream().allMatch(StatementFactory::tellsReads)) {
            work.telling();
        }
        markCrossings(work);
        return work;
    }

    /** The form that the written tables ask for. A data record is right for every row, so that it wins over a command. */
    private static Logging pinnedByTables(Work work) {
        Logging pinned = Logging.AS_CONFIGURED;
        for (StatementFactory factory : work.statements()) {
            Logging of = factory.traits().logging();
            pinned = pinned == Logging.DATA || of == Logging.AS_CONFIGURED ? pinned : of;
        }
        return pinned;
    }

    private static <T extends Work> T markCrossings(T work) {
        if (work.statements().stream().anyMatch(factory -> factory.traits().crossesBuckets())) {
            work.crossing();
        }
        if (!work.statements().isEmpty()
                && work.statements().stream()
                        .map(factory -> factory.traits().reach())
                        .allMatch(reach -> reach instanceof Reach.Bucket || reach instanceof Reach.Any)) {
            work.binding();
        }
        return work;
    }

    /** Makes the work of an ad hoc statement, however long it takes. */
    public static StatementWork adHoc(Catalog catalog, String sql) {
        return adHoc(catalog, sql, Optional::empty);
    }

    /** The same, until there is a reason to end planning, which is thrown. */
    public static StatementWork adHoc(Catalog catalog, String sql, Supplier<Optional<ProcedureException>> reason) {
        StatementWork work = markCrossings(new StatementWork(sql, CompiledStatements.adHoc(catalog, sql, reason)));
        work.logAs(pinnedByTables(work));
        return work;
    }

    /** Makes the work of a statement whose result is a text, a row for each line. */
    public static StatementWork told(String sql, String text) {
        return new StatementWork(sql, List.of(StatementFactory.compile(StatementPlanner.told(sql, text))));
    }

    /** Explains a statement's execution. */
    public static String explain(Catalog catalog, String sql, Supplier<Optional<ProcedureException>> reason) {
        return CompiledStatements.onStack(
                List.of(sql),
                () -> PlanningLimit.within(
                        reason, () -> StatementPlanner.planAdHoc(catalog, sql).explanation()));
    }

    private static Work fromStatement(
            Catalog catalog, ProcedureDefinition definition, String sql, StatementCollector statements) {
        List<StatementFactory> factories = CompiledStatements.alone(catalog, definition.name(), sql, statements);
        StatementTraits traits = factories.getFirst().traits();
        StatementWork work = new StatementWork(definition.name(), factories);
        for (ProcedureDefinition.Routing routing : definition.routing()) {
            if (routing.parameter() >= traits.parameters().size()) {
                throw CompiledStatements.refused(
                        definition.name(),
                        "it is partitioned on PARAMETER " + routing.parameter() + ", but its statement has "
                                + traits.parameters().size() + " parameters, numbered from 0 there");
            }
        }
        if (!definition.routing().isEmpty() && work.splits()) {
            throw contradiction(definition, traits);
        }
        return work;
    }

    private static Work fromClass(
            Catalog catalog,
            ProcedureDefinition definition,
            DeployedProcedure deployed,
            StatementCollector statements) {
        List<String> texts = statements.texts(deployed);
        List<StatementFactory> factories = CompiledStatements.inClass(catalog, definition.name(), texts, statements);
        checkRouting(definition, deployed.signature());
        Routing routing = Routing.of(definition, catalog);
        checkTypes(definition, deployed.signature(), routing);
        Scope scope = scope(definition, deployed.signature(), routing, factories);
        return new ProcedureWork(deployed, routing, scope, List.copyOf(texts), factories);
    }

    private static void checkRouting(ProcedureDefinition definition, ProcedureSignature signature) {
        for (ProcedureDefinition.Routing routing : definition.routing()) {
            if (routing.parameter() >= signature.parameters().size()) {
                throw CompiledStatements.refused(
                        definition.name(),
                        "it is partitioned on PARAMETER " + routing.parameter() + ", but its method run takes "
                                + signature.parameters().size() + " parameters, numbered from 0 there");
            }
            ParameterType type = signature.parameters().get(routing.parameter());
            switch (type) {
                case DOUBLE, NULLABLE_DOUBLE, DOUBLE_ARRAY ->
                    throw CompiledStatements.refused(
                            definition.name(),
                            "it is partitioned on parameter "
                                    + signature.names().get(routing.parameter())
                                    + ", a " + type.javaType().getSimpleName()
                                    + ", whose rounded values are no reliable keys; use an integer, decimal or string");
                default -> {}
            }
        }
    }

    /** A value of another kind than the column's never means the bucket of a row. */
    private static void checkTypes(ProcedureDefinition definition, ProcedureSignature signature, Routing routing) {
        for (Routing.Parameter parameter : routing.parameters()) {
            ParameterType type = signature.parameters().get(parameter.index());
            SqlType column = parameter.type();
            boolean fits = switch (type) {
                case STRING, TEXT, BYTES, STRING_ARRAY -> column.kind().isString();
                case BOOLEAN, NULLABLE_BOOLEAN -> !column.kind().isString() && column.kind() != SqlType.Kind.DECIMAL;
                default -> !column.kind().isString();
            };
            if (!fits) {
                throw CompiledStatements.refused(
                        definition.name(),
                        "it is partitioned on a column of type " + column + " by its parameter "
                                + signature.names().get(parameter.index()) + ", a "
                                + type.javaType().getSimpleName()
                                + ", which no value of the column can be; use a parameter"
                                + " of the column's type");
            }
        }
    }

    private static Scope scope(
            ProcedureDefinition definition,
            ProcedureSignature signature,
            Routing routing,
            List<StatementFactory> factories) {
        boolean anywhere = true;
        for (StatementFactory factory : factories) {
            Reach reach = factory.traits().reach();
            anywhere &= reach instanceof Reach.Any;
            boolean all = reach instanceof Reach.All || reach instanceof Reach.Everywhere;
            if (all && !definition.routing().isEmpty()) {
                throw contradiction(definition, factory.traits());
            }
        }
        if (definition.routing().isEmpty()) {
            return anywhere ? Scope.PARTITION : Scope.MULTI;
        }
        boolean single = routing.isSingle() && !isArray(signature, definition);
        return single ? Scope.KEY : Scope.MULTI;
    }

    private static boolean isArray(ProcedureSignature signature, ProcedureDefinition definition) {
        return signature
                .parameters()
                .get(definition.routing().getFirst().parameter())
                .isArray();
    }

    private static ProcedureException contradiction(ProcedureDefinition definition, StatementTraits statement) {
        String why = statement.reach() instanceof Reach.Everywhere
                ? "writes a replicated table, which every partition has a copy of"
                : "reads or writes rows of all partitions";
        return CompiledStatements.refused(
                definition.name(),
                "it is declared PARTITION ON, but this statement " + why + ": " + statement.sql()
                        + "; pin the partitioning column to a parameter, or leave the PARTITION clause out");
    }
}
