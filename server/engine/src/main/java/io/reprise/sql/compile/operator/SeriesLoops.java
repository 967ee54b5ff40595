package io.reprise.sql.compile.operator;

import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.Limits;
import io.reprise.sql.physical.PlanNode.Series;
import java.lang.classfile.Label;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.apache.calcite.rex.RexNode;

/** GENERATE_SERIES: a loop that counts. */
public final class SeriesLoops {
    private final Operators operators;
    private final Code code;

    public SeriesLoops(Operators operators) {
        this.operators = operators;
        code = operators.code();
    }

    public void produce(Series series, Scope scope, Consumer<Row> consumer) {
        SqlType type = series.fields().getFirst().type();
        List<Value> values = new ArrayList<>();
        for (RexNode expression : List.of(series.start(), series.stop(), series.step())) {
            values.add(operators.expressions().emit(expression, scope, type));
        }
        Label end = code.newLabel();
        if (values.stream().anyMatch(value -> value.isNull)) {
            return;
        }
        values.forEach(value -> code.jumpIfNull(value, end));
        code.conditionally(() -> loop(type, values, consumer));
        code.bind(end);
    }

    private void loop(SqlType type, List<Value> values, Consumer<Row> consumer) {
        int left = code.newLong();
        int number = code.newLong();
        int step = code.newLong();
        code.push(values.get(0));
        code.storeLong(number);
        code.push(values.get(2));
        code.storeLong(step);
        code.loadLong(number);
        code.push(values.get(1));
        code.loadLong(step);
        code.call(Limits.class, "steps");
        code.storeLong(left);
        Loop loop = new Loop(code);
        code.loadLong(left);
        code.push(0L);
        code.raw().lcmp().iflt(loop.end());
        loop.body(() -> consumer.accept(Row.of(code, List.of(Value.local(type, number)))));
        add(number, step);
        code.loadLong(left);
        code.push(1L);
        code.raw().lsub();
        code.storeLong(left);
        loop.close();
    }

    private void add(int number, int step) {
        code.loadLong(number);
        code.loadLong(step);
        code.raw().ladd();
        code.storeLong(number);
    }
}
