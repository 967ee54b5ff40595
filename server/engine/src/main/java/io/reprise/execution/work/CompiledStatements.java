package io.reprise.execution.work;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Table;
import io.reprise.catalog.View;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SharedValues;
import io.reprise.runtime.agent.StackCall;
import io.reprise.sql.bind.PlanningLimit;
import io.reprise.sql.bind.SqlPlanningException;
import io.reprise.sql.bind.StatementSize;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.parse.SqlScript;
import io.reprise.sql.parse.StatementKind;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Planned and compiled statements, by their texts and the tables and views that they are planned for. A statement's class has no state of an
 * engine, so all engines of the process with equal tables share it: it is planned, compiled, and compiled by the JVM, once. A failure is
 * not kept. Any thread.
 */
final class CompiledStatements {
    /** The number of lists that stay when no engine uses them. */
    private static final int UNUSED = 64;

    /** Longer texts are not shared: a plan takes many times its text's memory. */
    private static final int LONGEST_SHARED = 16 << 10;

    private static final SharedValues<Key, List<StatementFactory>> SHARED = new SharedValues<>(UNUSED);

    private CompiledStatements() {}

    /** The use of statements, by which their plans differ. */
    enum Use {
        AD_HOC,
        ALONE,
        IN_CLASS
    }

    /** All that the plans and classes of some statements depend on. */
    private static final class Key {
        private final Map<String, Table> tables;
        private final Map<String, View> views;
        private final List<String> texts;
        private final Use use;
        private final boolean tellsReads;
        private final int hash;

        Key(Catalog catalog, List<String> texts, Use use, boolean tellsReads) {
            this.tables = catalog.tables();
            this.views = catalog.views();
            this.texts = List.copyOf(texts);
            this.use = use;
            this.tellsReads = tellsReads;
            hash = 31 * tables.hashCode() + this.texts.hashCode();
        }

        @Override
        public int hashCode() {
            return hash;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key key
                    && hash == key.hash
                    && use == key.use
                    && tellsReads == key.tellsReads
                    && texts.equals(key.texts)
                    && tables.equals(key.tables)
                    && views.equals(key.views);
        }
    }

    /** An ad hoc statement, planned until there is a reason to end that, which is thrown. */
    static List<StatementFactory> adHoc(Catalog catalog, String sql, Supplier<Optional<ProcedureException>> reason) {
        return shared(
                new Key(catalog, List.of(sql), Use.AD_HOC, false),
                () -> onStack(
                        List.of(sql),
                        () -> PlanningLimit.within(
                                reason,
                                () -> List.of(StatementFactory.compile(StatementPlanner.planAdHoc(catalog, sql))
                                        .withoutImage()))));
    }

    /**
     * The statement that is a procedure of its own.
     *
     * @param collector says whether it tells the rows that it reads, if it writes, and has those of an earlier process
     */
    static List<StatementFactory> alone(Catalog catalog, String procedure, String sql, StatementCollector collector) {
        return shared(catalog, List.of(sql), Use.ALONE, collector, () -> {
            StatementPlan plan = plan(procedure, sql, text -> StatementPlanner.plan(catalog, text));
            return List.of(StatementFactory.compile(plan, collector.tellsReads() && plan.writes()));
        });
    }

    /**
     * The statements of a procedure's class. The next one may write a query's rows, so these are the same in each replica and replay.
     *
     * @param collector says whether they tell the rows that they read, if any of them writes, and has those of an earlier process
     */
    static List<StatementFactory> inClass(
            Catalog catalog, String procedure, List<String> texts, StatementCollector collector) {
        return texts.isEmpty()
                ? List.of()
                : shared(
                        catalog,
                        texts,
                        Use.IN_CLASS,
                        collector,
                        () -> compiled(catalog, procedure, texts, collector.tellsReads()));
    }

    private static List<StatementFactory> shared(
            Catalog catalog,
            List<String> texts,
            Use use,
            StatementCollector collector,
            Supplier<List<StatementFactory>> compiling) {
        return shared(new Key(catalog, texts, use, collector.tellsReads()), () -> {
            List<StatementFactory> stored =
                    collector.stored().find(catalog, use, collector.tellsReads(), List.copyOf(texts));
            return stored != null ? stored : onStack(texts, compiling);
        });
    }

    private static List<StatementFactory> compiled(
            Catalog catalog, String procedure, List<String> texts, boolean tellsReads) {
        boolean writes = texts.stream().anyMatch(CompiledStatements::seemsToWrite);
        List<StatementPlan> plans = plans(catalog, procedure, texts, writes);
        if (!writes && plans.stream().anyMatch(StatementPlan::writes)) {
            plans = plans(catalog, procedure, texts, true);
        }
        boolean tells = tellsReads && plans.stream().anyMatch(StatementPlan::writes);
        return plans.stream().map(plan -> StatementFactory.compile(plan, tells)).toList();
    }

    private static List<StatementPlan> plans(Catalog catalog, String procedure, List<String> texts, boolean forWriter) {
        List<StatementPlan> plans = new ArrayList<>();
        for (String text : texts) {
            plans.add(plan(
                    procedure,
                    text,
                    sql -> forWriter
                            ? StatementPlanner.planForWriter(catalog, sql)
                            : StatementPlanner.plan(catalog, sql)));
        }
        return plans;
    }

    /** By its first word, so that queries need not be planned to know how they have to be planned. */
    private static boolean seemsToWrite(String text) {
        try {
            return SqlScript.kind(text) == StatementKind.DML;
        } catch (DdlException e) {
            // Planning says what is wrong with it, if anything is.
            return false;
        }
    }

    private static StatementPlan plan(String procedure, String sql, Function<String, StatementPlan> planning) {
        try {
            StatementPlan plan = planning.apply(sql);
            if (!plan.sequences().isEmpty()) {
                throw refused(
                        procedure,
                        "values of sequences are drawn before a transaction begins: let the caller draw one by SELECT"
                                + " NEXTVAL, and take it as an argument, in: " + sql);
            }
            return plan;
        } catch (SqlPlanningException e) {
            throw refused(procedure, e.getMessage() + ", in: " + sql);
        }
    }

    /** The exception for a procedure that can't be deployed. */
    static ProcedureException refused(String procedure, String why) {
        return new ProcedureException(
                ErrorCode.INVALID_REQUEST, "procedure " + procedure + " can't be deployed: " + why);
    }

    private static List<StatementFactory> shared(Key key, Supplier<List<StatementFactory>> compiling) {
        int length = key.texts.stream().mapToInt(String::length).sum();
        if (length > LONGEST_SHARED) {
            return compiling.get();
        }
        List<StatementFactory> known = SHARED.find(key);
        return known != null ? known : SHARED.add(key, compiling.get());
    }

    /** Plans statements on a stack that is large enough for the deepest of them. */
    static <T> T onStack(List<String> texts, Supplier<T> planning) {
        long bytes = 0;
        for (String text : texts) {
            bytes = Math.max(bytes, StatementSize.stackBytes(text));
        }
        return StackCall.run("reprise-planning", bytes, planning);
    }
}
