package io.reprise.sql.compile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Text;
import io.reprise.runtime.agent.StackCall;
import io.reprise.sql.bind.StatementSize;
import io.reprise.sql.compile.runtime.CompiledStatement;
import io.reprise.sql.compile.runtime.ImageInput;
import io.reprise.sql.compile.runtime.ImageOutput;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.sql.plan.StatementPlan;
import io.reprise.sql.plan.StatementPlanner;
import io.reprise.storage.PartitionStore;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** One partition and a planner: runs SQL text as the engine would, for tests. */
final class TestDatabase implements AutoCloseable {
    private static final long MEMORY = 1L << 30;

    final Catalog catalog;
    final PartitionStore store;
    private final Map<String, CompiledStatement> statements = new HashMap<>();
    private long transaction = 1L << 20;

    TestDatabase(String ddl) {
        catalog = CatalogScript.load(ddl);
        store = new PartitionStore(PartitionStore.Options.single(MEMORY));
        for (Table table : catalog.tables().values()) {
            store.createTable(table);
        }
        begin();
    }

    /** Ends the transaction and begins the next one. */
    void begin() {
        store.commit();
        next();
    }

    /** Undoes the transaction and begins the next one. */
    void undo() {
        store.rollback();
        next();
    }

    private void next() {
        transaction += 1L << 12;
        store.begin(transaction);
    }

    CompiledStatement statement(String sql) {
        return statements.computeIfAbsent(
                sql,
                k -> planned(k, plan -> stored(StatementFactory.compile(plan))).create(store));
    }

    /** The factory that a later process makes of the stored one; statements that take values of sequences are not stored. */
    private static StatementFactory stored(StatementFactory factory) {
        if (!factory.traits().sequences().isEmpty()) {
            return factory;
        }
        ImageOutput image = new ImageOutput();
        factory.writeImage(image);
        ImageInput in = new ImageInput(image.toByteArray());
        StatementFactory again = StatementFactory.ofImage(in);
        assertThat(in.isAtEnd()).isTrue();
        assertThat(again.traits()).isEqualTo(factory.traits());
        return again;
    }

    StatementPlan plan(String sql) {
        return planned(sql, plan -> plan);
    }

    /** The class that is made of a plan, on a stack for the statement. */
    <T> T planned(String sql, Function<StatementPlan, T> made) {
        return StackCall.run(
                "planning", StatementSize.stackBytes(sql), () -> made.apply(StatementPlanner.plan(catalog, sql)));
    }

    /** Runs a statement; for a write, the only row has the count. */
    List<List<Object>> run(String sql, Object... parameters) {
        CompiledStatement statement = statement(sql);
        for (int i = 0; i < parameters.length; i++) {
            set(statement, i, parameters[i]);
        }
        statement.execute();
        if (statement.definition().merges()) {
            statement.merge(List.of(statement.found()));
        }
        return rows(statement.found());
    }

    /** The only value of a query's only row. */
    Object value(String sql, Object... parameters) {
        List<List<Object>> rows = run(sql, parameters);
        if (rows.size() != 1 || rows.getFirst().size() != 1) {
            throw new AssertionError("not one value: " + rows);
        }
        return rows.getFirst().getFirst();
    }

    /** A number in the statement is too large for where it should go. */
    void assertOverflow(String sql) {
        assertThatThrownBy(() -> run(sql))
                .as(sql)
                .isInstanceOfSatisfying(
                        ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NUMERIC_OVERFLOW));
    }

    static void set(CompiledStatement statement, int parameter, Object value) {
        switch (value) {
            case null -> statement.setNull(parameter);
            case Boolean v -> statement.set(parameter, v);
            case Integer v -> statement.set(parameter, v);
            case Long v -> statement.set(parameter, v);
            case Double v -> statement.set(parameter, v);
            case BigDecimal v -> statement.set(parameter, v);
            case byte[] v -> statement.set(parameter, v);
            case Text v -> statement.set(parameter, v);
            default -> statement.set(parameter, value.toString());
        }
    }

    /** The rows as Long, BigDecimal, Double, Boolean, String, byte[] as list, or null. */
    static List<List<Object>> rows(RowBuffer rows) {
        List<List<Object>> all = new ArrayList<>();
        rows.rewind();
        while (rows.next()) {
            List<Object> row = new ArrayList<>();
            for (int i = 0; i < rows.columns(); i++) {
                row.add(rows.isNull(i) ? null : value(rows, i));
            }
            all.add(row);
        }
        return all;
    }

    private static Object value(RowBuffer rows, int column) {
        SqlType type = rows.sqlType(column);
        if (type.isWide()) {
            return rows.decimalAt(column);
        }
        return switch (type.kind()) {
            case BOOLEAN -> rows.booleanAt(column);
            case TINYINT, SMALLINT, INTEGER, BIGINT, TIMESTAMP, DATE, TIME -> rows.longAt(column);
            case DECIMAL -> rows.decimalAt(column);
            case DOUBLE -> rows.doubleAt(column);
            case VARCHAR -> rows.stringAt(column);
            case VARBINARY -> java.util.HexFormat.of().formatHex(rows.bytesAt(column));
        };
    }

    @Override
    public void close() {
        store.close();
    }
}
