package io.reprise.sql.compile.operator;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.sql.bind.OnConflict;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.RowReads;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.TableRow;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode.ConflictUpdate;
import io.reprise.sql.physical.PlanNode.Insert;
import io.reprise.sql.physical.PlanNode.Project;
import io.reprise.sql.physical.PlanNode.Values;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.apache.calcite.rex.RexNode;

/** INSERT and UPSERT. All values of a row are computed and checked before its place is allocated. */
public final class Inserts {
    private final Operators operators;
    private final Code code;
    private final Insert insert;
    private final Table table;
    private final Columns columns;
    private final WriteEmitter.Written written;
    private int number = -1;

    /** With the use of each written row. */
    public Inserts(Operators operators, Insert insert, WriteEmitter.Written written) {
        this.operators = operators;
        this.insert = insert;
        this.written = written;
        code = operators.code();
        table = insert.table();
        columns = new Columns(operators, table);
    }

    /** Whether it can write more than one row, so that a failure has to undo earlier ones. */
    public static boolean isMultiRow(Insert insert) {
        return !(insert.input() instanceof Values values && values.rows().size() == 1);
    }

    public void emit() {
        Scope scope = operators.rootScope();
        if (insert.numbered()) {
            number = code.newLong();
            code.setLong(number, 0);
        }
        if (Plans.reads(insert.input(), table)) {
            bufferFirst();
            return;
        }
        switch (insert.input()) {
            case Values values
            when values.rows().size() == 1 -> insert(values.rows().getFirst(), scope);
            case Project project ->
                operators.produce(project.input(), scope, row -> insert(project.expressions(), scope.withInput(row)));
            default -> operators.produce(insert.input(), scope, this::insertChecked);
        }
    }

    /** A table must not change while it is read. */
    private void bufferFirst() {
        List<PlanField> fields = insert.input().fields();
        StatementField buffer = Buffers.field(code.owner(), "inserted", fields);
        operators.clear(buffer);
        operators.outlined(
                "insertInput",
                o -> o.produce(
                        insert.input(),
                        o.rootScope(),
                        row -> o.buffers().append(() -> o.code().field(buffer), fields, row, insert.upsert())));
        boolean[] inRow = new boolean[fields.size()];
        operators.buffers().forEach(() -> code.field(buffer), fields, inRow, this::insertChecked);
    }

    private void insert(List<RexNode> expressions, Scope scope) {
        insertRow(column -> columns.emit(expressions.get(column), scope, column));
    }

    private void insertChecked(Row row) {
        insertRow(column -> columns.checked(row.field(column), column));
    }

    private void insertRow(java.util.function.IntFunction<Value> emitColumn) {
        Label skip = code.newLabel();
        code.conditionally(() -> {
            countRow();
            NavigableMap<Integer, Value> values = new TreeMap<>();
            table.partitionColumn().ifPresent(column -> values.put(column, emitColumn.apply(column)));
            int bucket = bucket(values, skip);
            for (int column = 0; column < table.columns().size(); column++) {
                values.computeIfAbsent(column, emitColumn::apply);
            }
            int row = code.newLong();
            if (insert.upsert()) {
                upsert(values, bucket, row, skip);
            } else {
                write(values, bucket, row);
            }
            written.emit(row, number);
        });
        code.bind(skip);
    }

    /** Numbers the row, also if another partition inserts it. */
    private void countRow() {
        if (insert.numbered()) {
            code.loadLong(number);
            code.push(1L);
            code.raw().ladd();
            code.storeLong(number);
        }
    }

    /** Computes the row's bucket into a local; refuses or skips a row that does not belong here. */
    private int bucket(NavigableMap<Integer, Value> values, Label skip) {
        int bucket = code.newInt();
        if (table.partitionColumn().isEmpty()) {
            code.setInt(bucket, 0);
            return bucket;
        }
        Plans.pushBucket(code, values.get(table.partitionColumn().getAsInt()));
        code.storeInt(bucket);
        code.store();
        code.loadInt(bucket);
        if (insert.onlyOwned()) {
            code.call(PartitionStore.class, "owns");
            code.raw().ifeq(skip);
        } else {
            code.call(PartitionStore.class, "checkScope");
        }
        return bucket;
    }

    private void write(NavigableMap<Integer, Value> values, int bucket, int row) {
        StatementField store = code.owner().table(table);
        code.field(store);
        code.call(TableStore.class, "allocate");
        code.storeLong(row);
        if (values.values().stream().anyMatch(Value::isString)) {
            // Writing a string can fail for want of memory.
            Plans.onFailure(code, () -> columns.writeNew(row, values), () -> {
                code.field(store);
                code.loadLong(row);
                code.call(TableStore.class, "abandon");
            });
        } else {
            columns.writeNew(row, values);
        }
        code.field(store);
        code.loadLong(row);
        code.loadInt(bucket);
        code.call(TableStore.class, "insert");
    }

    /** The values that DO UPDATE sets in the row at the address in a local. */
    private NavigableMap<Integer, Value> updated(
            NavigableMap<Integer, Value> values, int row, RowReads reads, Label skip) {
        Row both = Row.concat(new TableRow(code, table, row, reads, false), Row.of(code, List.copyOf(values.values())));
        Scope scope = operators.rootScope().withInput(both);
        insert.update()
                .condition()
                .ifPresent(condition -> operators.expressions().conditions().jumpUnlessTrue(condition, scope, skip));
        NavigableMap<Integer, Value> updated = new TreeMap<>();
        for (int i = 0; i < insert.named().size(); i++) {
            int column = insert.named().get(i);
            updated.put(column, columns.emit(insert.update().values().get(i), scope, column));
        }
        updated.replaceAll((column, value) -> Updates.stable(operators, value));
        return updated;
    }

    private void upsert(NavigableMap<Integer, Value> values, int bucket, int row, Label skip) {
        Index key = table.primaryKey()
                .orElseThrow(() -> Types.unsupported("UPSERT into " + table.name() + ", which has no primary key,"));
        List<Value> keyValues = new ArrayList<>();
        key.columns().forEach(column -> keyValues.add(values.get(column)));
        Label absent = code.newLabel();
        Label done = code.newLabel();
        code.conditionally(() -> {
            RowReads reads = operators.tables().findByValues(table, key, keyValues, row, absent);
            if (insert.onConflict() == OnConflict.SKIP) {
                code.jump(skip);
                return;
            }
            NavigableMap<Integer, Value> others = new TreeMap<>();
            if (insert.update() == ConflictUpdate.OF_INSERTED) {
                others.putAll(values);
                others.keySet().retainAll(insert.named());
                key.columns().forEach(others::remove);
            } else {
                others.putAll(updated(values, row, reads, skip));
            }
            if (!others.isEmpty()) {
                new RowUpdate(operators, table, others.keySet()).emit(row, others);
            }
            code.jump(done);
        });
        code.bind(absent);
        code.conditionally(() -> write(values, bucket, row));
        code.bind(done);
    }
}
