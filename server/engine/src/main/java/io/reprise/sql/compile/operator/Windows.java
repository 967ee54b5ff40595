package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.StatementField;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.FieldContent;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.sql.compile.runtime.Sorter;
import io.reprise.sql.compile.runtime.WindowRows;
import io.reprise.sql.physical.PlanField;
import io.reprise.sql.physical.PlanNode.SortKey;
import io.reprise.sql.physical.PlanNode.Window;
import io.reprise.sql.physical.PlanNode.WindowCall;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** Window functions: rows into a buffer with room for the values, a {@code Sorter} and {@code WindowRows} over it, rows out. */
public final class Windows {
    private final Operators operators;
    private final Code code;

    public Windows(Operators operators) {
        this.operators = operators;
        code = operators.code();
    }

    public void produce(Window window, Scope scope, Consumer<Row> consumer) {
        List<PlanField> fields = stored(window);
        StatementField buffer = Buffers.field(code.owner(), "windowed", fields);
        StatementField sorter = Sorts.sorter(code.owner(), keys(window), fields);
        StatementField functions = functions(window);
        operators.clear(buffer);
        operators.outlinedUnlessCorrelated("windowInput", scope, (o, s) -> collect(o, window, fields, s, buffer));
        code.field(sorter);
        code.field(buffer);
        code.call(Sorter.class, "sort", RowBuffer.class);
        int count = code.newInt();
        code.storeInt(count);
        code.field(functions);
        code.field(buffer);
        code.field(sorter);
        code.loadInt(count);
        code.call(WindowRows.class, "compute");
        int at = code.newInt();
        code.setInt(at, 0);
        new Sorts(operators).emitSorted(fields, buffer, sorter, at, count, consumer);
    }

    /** The input's fields, and those of the functions, which are NULL before they are computed. */
    private static List<PlanField> stored(Window window) {
        List<PlanField> fields = new ArrayList<>(window.input().fields());
        for (PlanField field :
                window.fields().subList(fields.size(), window.fields().size())) {
            fields.add(new PlanField(field.name(), field.type(), true));
        }
        return List.copyOf(fields);
    }

    private static void collect(
            Operators o, Window window, List<PlanField> fields, Scope scope, StatementField buffer) {
        List<Value> empty = new ArrayList<>();
        for (PlanField field : fields.subList(window.input().fields().size(), fields.size())) {
            empty.add(Value.nullOf(field.type()));
        }
        o.produce(
                window.input(),
                scope,
                row -> o.buffers()
                        .append(() -> o.code().field(buffer), fields, Row.concat(row, Row.of(o.code(), empty)), false));
    }

    private static List<SortKey> keys(Window window) {
        List<SortKey> keys = new ArrayList<>();
        window.partitionBy().forEach(field -> keys.add(new SortKey(field, false, true)));
        keys.addAll(window.orderBy());
        return keys;
    }

    private StatementField functions(Window window) {
        int width = window.input().fields().size();
        List<WindowRows.Function> functions = new ArrayList<>();
        for (int i = 0; i < window.calls().size(); i++) {
            functions.add(function(window, window.calls().get(i), width + i));
        }
        FieldContent.Windows content = new FieldContent.Windows(
                List.copyOf(functions),
                window.partitionBy().size(),
                window.fields().size());
        return code.owner().field("windows", WindowRows.class, content);
    }

    private static WindowRows.Function function(Window window, WindowCall call, int result) {
        SqlType type = window.fields().get(result).type();
        SqlType argument = call.arguments().isEmpty()
                ? type
                : window.input().fields().get(call.arguments().getFirst()).type();
        boolean decimal = type.isDecimal();
        return new WindowRows.Function(
                call,
                Sorts.keyType(argument),
                result,
                decimal ? type.precision() : 0,
                decimal ? type.decimals() : 0,
                decimal ? type.decimals() - argument.decimals() : 0);
    }
}
