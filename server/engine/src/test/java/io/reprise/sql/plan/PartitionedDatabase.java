package io.reprise.sql.plan;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.sql.compile.StatementFactory;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.place.StatementScope;
import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Some partitions in one thread, and just enough of an executor to run statements by the scope of their plans. */
final class PartitionedDatabase implements AutoCloseable {
    private static final long MEMORY = 1L << 26;

    private final Catalog catalog;
    private final List<PartitionStore> stores = new ArrayList<>();
    private final Map<String, StatementPlan> plans = new HashMap<>();
    private final IdentityHashMap<StatementPlan, List<CompiledStatement>> compiled = new IdentityHashMap<>();
    private long transaction = 1L << 40;

    PartitionedDatabase(Catalog catalog, int partitions) {
        this.catalog = catalog;
        for (int i = 0; i < partitions; i++) {
            BitSet buckets = new BitSet(Buckets.DEFAULT.count());
            for (int bucket = i; bucket < Buckets.DEFAULT.count(); bucket += partitions) {
                buckets.set(bucket);
            }
            PartitionStore store =
                    new PartitionStore(new PartitionStore.Options(i, MEMORY, 1L << 32, Buckets.DEFAULT, buckets));
            for (Table table : catalog.tables().values()) {
                store.createTable(table);
            }
            stores.add(store);
        }
    }

    /** The result of a statement: rows, or an error. */
    record Outcome(StatementPlan plan, List<List<Object>> rows, ErrorCode error) {}

    /** The next transaction has this id, and the time that is in it. */
    void continueFrom(long transactionId) {
        transaction = transactionId;
    }

    /** Runs a statement as a transaction; parameters are taken in the types of the plan. */
    Outcome run(StatementPlan plan, List<Object> parameters) {
        try {
            return new Outcome(plan, rows(plan, parameters), null);
        } catch (ProcedureException e) {
            return new Outcome(plan, null, e.code());
        }
    }

    /** The same, with the error as it is. */
    List<List<Object>> rows(StatementPlan plan, List<Object> parameters) {
        stores.forEach(store -> store.begin(transaction));
        transaction += 1L << 20;
        try {
            List<List<Object>> rows = execute(plan, parameters);
            stores.forEach(PartitionStore::commit);
            return rows;
        } catch (ProcedureException e) {
            stores.forEach(PartitionStore::rollback);
            throw e;
        }
    }

    /** The plan of a statement, made once. */
    StatementPlan plan(String sql) {
        return plans.computeIfAbsent(sql, k -> StatementPlanner.plan(catalog, k));
    }

    StatementPlan planForWriter(String sql) {
        return StatementPlanner.planForWriter(catalog, sql);
    }

    private List<List<Object>> execute(StatementPlan plan, List<Object> parameters) {
        List<CompiledStatement> statements = compiled.computeIfAbsent(plan, this::compile);
        for (CompiledStatement statement : statements) {
            for (int i = 0; i < parameters.size(); i++) {
                set(statement, i, parameters.get(i));
            }
        }
        CompiledStatement first = statements.getFirst();
        switch (plan.scope()) {
            case StatementScope.Any any -> first.execute();
            case StatementScope.Key key -> {
                first = statements.get(first.bucket() % statements.size());
                first.execute();
            }
            case StatementScope.All all -> {
                statements.forEach(CompiledStatement::execute);
                List<Rows> fragments = new ArrayList<>();
                statements.forEach(statement -> fragments.add(statement.found()));
                first.merge(fragments);
            }
            case StatementScope.Everywhere everywhere -> {
                List<List<Object>> counts = null;
                for (CompiledStatement statement : statements) {
                    statement.execute();
                    List<List<Object>> count = rows(plan, statement.found());
                    if (counts != null && !counts.equals(count)) {
                        throw new AssertionError("a replicated table was not written alike: " + plan.sql());
                    }
                    counts = count;
                }
            }
        }
        return rows(plan, first.found());
    }

    private List<CompiledStatement> compile(StatementPlan plan) {
        StatementFactory factory = StatementFactory.compile(plan);
        List<CompiledStatement> statements = new ArrayList<>();
        for (PartitionStore store : stores) {
            statements.add(factory.create(store));
        }
        return statements;
    }

    private static void set(CompiledStatement statement, int parameter, Object value) {
        switch (value) {
            case null -> statement.setNull(parameter);
            case Boolean v -> statement.set(parameter, v);
            case Long v -> statement.set(parameter, v);
            case Double v -> statement.set(parameter, v);
            case BigDecimal v -> statement.set(parameter, v);
            default -> statement.set(parameter, value.toString());
        }
    }

    private static List<List<Object>> rows(StatementPlan plan, Rows rows) {
        List<List<Object>> all = new ArrayList<>();
        rows.rewind();
        while (rows.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 0; i < plan.output().size(); i++) {
                row.add(
                        rows.isNull(i)
                                ? null
                                : value(rows, i, plan.output().get(i).type()));
            }
            all.add(row);
        }
        return all;
    }

    private static Object value(Rows rows, int column, SqlType type) {
        return switch (type.kind()) {
            case BOOLEAN -> rows.booleanAt(column);
            case TINYINT, SMALLINT, INTEGER, BIGINT, TIMESTAMP, DATE, TIME -> rows.longAt(column);
            case DECIMAL -> rows.decimalAt(column);
            case DOUBLE -> rows.doubleAt(column);
            case VARCHAR, VARBINARY ->
                type.isWide()
                        ? rows.decimalAt(column)
                        : type.isArray()
                                ? rows.stringAt(column)
                                : rows.textAt(column).toString();
        };
    }

    @Override
    public void close() {
        stores.forEach(PartitionStore::close);
    }
}
