package io.reprise.sql.compile.operator;

import io.reprise.catalog.ArrayReader;
import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Loop;
import io.reprise.sql.compile.emit.Row;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.expression.Expressions;
import io.reprise.sql.compile.expression.Scope;
import io.reprise.sql.compile.runtime.ArrayValues;
import io.reprise.sql.physical.PlanNode.Elements;
import java.lang.classfile.Label;
import java.util.List;
import java.util.function.Consumer;

/** UNNEST: a loop over an array that is computed and copied once, and read from its first element to its last. */
final class ElementLoops {
    private final Expressions expressions;
    private final Code code;

    ElementLoops(Expressions expressions) {
        this.expressions = expressions;
        code = expressions.code();
    }

    void produce(Elements elements, Scope scope, Consumer<Row> consumer) {
        Value array = expressions.emit(elements.array(), scope);
        if (array.isNull) {
            return;
        }
        Label end = code.newLabel();
        code.jumpIfNull(array, end);
        code.conditionally(() -> loop(elements, array, consumer));
        code.bind(end);
    }

    private void loop(Elements elements, Value array, Consumer<Row> consumer) {
        int reader = code.newReference();
        int number = code.newLong();
        code.store();
        code.push(array);
        code.push(array.type.scale());
        code.call(ArrayValues.class, "reader");
        code.storeReference(reader);
        code.setLong(number, 0);
        Loop loop = new Loop(code);
        code.loadReference(reader);
        code.call(ArrayReader.class, "next");
        code.raw().ifeq(loop.end());
        loop.body(() -> {
            code.loadLong(number);
            code.push(1L);
            code.raw().ladd();
            code.storeLong(number);
            Value element = element(reader, array.type.element());
            Value place = Value.local(elements.fields().get(1).type(), number);
            consumer.accept(Row.of(code, List.of(element, place)));
        });
        loop.close();
    }

    private Value element(int reader, SqlType type) {
        int value = code.newLocal(type);
        int isNull = code.newInt();
        Label end = code.newLabel();
        code.clear(type, value);
        code.loadReference(reader);
        code.call(ArrayReader.class, "isNull");
        code.storeInt(isNull);
        code.loadInt(isNull);
        code.raw().ifne(end);
        code.store();
        code.loadReference(reader);
        code.call(ArrayValues.class, "element");
        if (type.kind() == SqlType.Kind.DOUBLE) {
            code.call(Double.class, "longBitsToDouble");
        }
        code.store(type, value);
        code.bind(end);
        return Value.nullable(type, value, isNull);
    }
}
