package io.reprise.sql.compile.operator;

import io.reprise.catalog.Table;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode;
import io.reprise.sql.physical.PlanNode.Delete;
import io.reprise.sql.physical.PlanNode.Truncate;
import io.reprise.sql.physical.PlanNode.Update;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * UPDATE, DELETE and TRUNCATE. A row that is found by a unique key is changed at once, unless the change is so wide that it is
 * compiled in pieces. Otherwise all rows are collected with their new values before the first is changed, so that no row is met twice
 * and no expression sees a change.
 */
public final class Updates {
    private static final PlanField ADDRESS = new PlanField("row", Types.BIGINT, false);

    private final Operators operators;
    private final Code code;
    private final IntConsumer written;

    /** With what is emitted for each row, whose address is in a local: after its update, before its deletion. */
    public Updates(Operators operators, IntConsumer written) {
        this.operators = operators;
        this.written = written;
        code = operators.code();
    }

    private static int address(Row row) {
        if (row.address() < 0) {
            throw Types.unsupported("UPDATE or DELETE of a table whose rows the plan sets aside");
        }
        return row.address();
    }

    // UPDATE

    public void emit(Update update) {
        if (Plans.findsAtMostOneRow(update.input()) && !RowUpdate.isInPieces(code, update.columns())) {
            Scope scope = operators.rootScope();
            operators.produce(update.input(), scope, row -> {
                NavigableMap<Integer, Value> values = values(operators, update, scope.withInput(row));
                values.replaceAll((column, value) -> stable(operators, value));
                rowUpdate(update).emit(address(row), values);
                written.accept(address(row));
            });
            return;
        }
        List<PlanField> fields = new ArrayList<>();
        fields.add(ADDRESS);
        for (int column : update.columns()) {
            var target = update.table().columns().get(column);
            fields.add(new PlanField(target.name(), target.type(), target.nullable()));
        }
        StatementField buffer = Buffers.field(code.owner(), "updated", fields);
        operators.clear(buffer);
        operators.outlined(
                "collect",
                o -> o.produce(update.input(), o.rootScope(), row -> {
                    Row assigned = new AssignedRow(
                            o, update, address(row), o.rootScope().withInput(row));
                    o.buffers().append(() -> o.code().field(buffer), fields, assigned, true);
                }));
        applyCollected(update, buffer, fields);
    }

    private void applyCollected(Update update, StatementField buffer, List<PlanField> fields) {
        RowUpdate change = rowUpdate(update);
        if (change.touchesUnique()) {
            forEach(buffer, fields, row -> change.unindex(row.field(0).slot));
        }
        forEach(buffer, fields, row -> {
            int address = row.field(0).slot;
            change.emitCollected(address, row, update.columns());
            written.accept(address);
        });
        if (change.touchesUnique()) {
            forEach(buffer, fields, row -> change.index(row.field(0).slot));
        }
    }

    private void forEach(StatementField buffer, List<PlanField> fields, Consumer<Row> body) {
        operators.buffers().forEach(() -> code.field(buffer), fields, new boolean[fields.size()], body);
    }

    private RowUpdate rowUpdate(Update update) {
        return new RowUpdate(operators, update.table(), update.columns());
    }

    private static NavigableMap<Integer, Value> values(Operators o, Update update, Scope scope) {
        Columns columns = new Columns(o, update.table());
        NavigableMap<Integer, Value> values = new TreeMap<>();
        for (int i = 0; i < update.columns().size(); i++) {
            int column = update.columns().get(i);
            values.put(column, columns.emit(update.expressions().get(i), scope, column));
        }
        return values;
    }

    /** A string that another assignment of the same row can't overwrite. */
    static Value stable(Operators operators, Value value) {
        if (!value.inRow) {
            return value;
        }
        operators.expressions().values().pushStable(value);
        operators.code().storeLong(value.slot);
        return value.pointingIntoRow(false);
    }

    // DELETE

    public void emit(Delete delete) {
        StatementField table = code.owner().table(delete.table());
        if (Plans.findsAtMostOneRow(delete.input())) {
            operators.produce(delete.input(), operators.rootScope(), row -> delete(table, address(row)));
            return;
        }
        List<PlanField> fields = List.of(ADDRESS);
        StatementField buffer = Buffers.field(code.owner(), "deleted", fields);
        operators.clear(buffer);
        PlanNode input = delete.input();
        operators.outlined(
                "collect",
                o -> o.produce(input, o.rootScope(), row -> {
                    Value address = Value.local(Types.BIGINT, address(row));
                    o.buffers().append(() -> o.code().field(buffer), fields, Row.of(o.code(), List.of(address)), false);
                }));
        forEach(buffer, fields, row -> delete(table, row.field(0).slot));
    }

    private void delete(StatementField table, int address) {
        written.accept(address);
        code.field(table);
        code.loadLong(address);
        code.call(TableStore.class, "delete");
    }

    /** Emits a TRUNCATE, which counts the rows in a local. */
    public static void truncate(Operators operators, Truncate truncate, int count) {
        Code code = operators.code();
        Table table = truncate.table();
        code.field(code.owner().table(table));
        code.call(TableStore.class, "count");
        code.storeLong(count);
        code.field(code.owner().table(table));
        code.call(TableStore.class, "truncate");
    }
}
