package io.reprise.sql.compile;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.id.TransactionId;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** The functions of dates and times. */
final class TimeFunctions {
    private final Code code;
    private final Expressions expressions;

    TimeFunctions(Code code, Expressions expressions) {
        this.code = code;
        this.expressions = expressions;
    }

    /** The transaction's time. */
    Value now() {
        int slot = code.newLong();
        code.store();
        code.call(PartitionStore.class, "transactionId");
        code.call(TransactionId.class, "epochMicros");
        code.storeLong(slot);
        return Value.local(Types.TIMESTAMP, slot);
    }

    Value extract(RexCall call, Scope scope) {
        TimeUnitRange unit = unit(call.getOperands().get(0));
        Value instant = expressions.emit(call.getOperands().get(1), scope);
        requireInstant(instant, "EXTRACT");
        return expressions.strict(Types.BIGINT, List.of(instant), () -> {
            expressions.pushMicros(instant);
            code.push(Timestamps.unit(unit.name()));
            code.call(Timestamps.class, "extract");
        });
    }

    Value difference(RexCall call, Scope scope) {
        TimeUnitRange unit = unit(call.getOperands().get(0));
        Value from = expressions.emit(call.getOperands().get(1), scope);
        Value to = expressions.emit(call.getOperands().get(2), scope);
        return expressions.strict(Types.BIGINT, List.of(from, to), () -> {
            expressions.pushMicros(from);
            expressions.pushMicros(to);
            code.push(Timestamps.unit(unit.name()));
            code.call(Timestamps.class, "between");
        });
    }

    Value addMicros(RexCall call, Scope scope) {
        List<Value> arguments = expressions.emitAll(call.getOperands(), scope);
        return expressions.strict(Types.TIMESTAMP, arguments, () -> {
            expressions.pushMicros(arguments.get(1));
            expressions.pushDecimal(arguments.get(0), 0);
            code.call(Timestamps.class, "addMicros");
        });
    }

    /** FLOOR or CEIL to a unit. */
    Value floorTo(Value instant, RexNode unit, String function, SqlType type) {
        requireInstant(instant, function.toUpperCase(Locale.ROOT));
        Value result = expressions.strict(Types.TIMESTAMP, List.of(instant), () -> {
            expressions.pushMicros(instant);
            code.push(Timestamps.unit(unit(unit).name()));
            code.call(Timestamps.class, function);
        });
        return expressions.casts().cast(result, type);
    }

    private static void requireInstant(Value value, String function) {
        if (value.type.kind() != Kind.TIMESTAMP && value.type.kind() != Kind.DATE) {
            throw Types.unsupported(function + " of " + value.type);
        }
    }

    private static TimeUnitRange unit(RexNode literal) {
        return ((RexLiteral) literal).getValueAs(TimeUnitRange.class);
    }
}
