package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.avatica.util.TimeUnitRange;
import org.apache.calcite.rex.RexCall;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.rex.RexNode;

/** The functions of dates and times. */
public final class TimeFunctions {
    private final Code code;
    private final ValueEmitter values;
    private final Casts casts;
    private final Operands operands;

    public TimeFunctions(Code code, ValueEmitter values, Casts casts, Operands operands) {
        this.code = code;
        this.values = values;
        this.casts = casts;
        this.operands = operands;
    }

    /** The transaction's time. */
    public Value now() {
        int slot = code.newLong();
        code.store();
        code.call(PartitionStore.class, "nowMicros");
        code.storeLong(slot);
        return Value.local(Types.TIMESTAMP, slot);
    }

    public Value extract(RexCall call, Scope scope) {
        TimeUnitRange unit = unit(call.getOperands().get(0));
        Value instant = operands.emit(call.getOperands().get(1), scope);
        if (instant.type.kind() == Kind.TIME) {
            requireUnitOfDay(unit);
        } else {
            requireInstant(instant, "EXTRACT");
        }
        return values.strict(Types.BIGINT, List.of(instant), () -> {
            values.pushMicros(instant);
            code.push(Timestamps.unit(unit.name()));
            code.call(Timestamps.class, "extract");
        });
    }

    public Value difference(RexCall call, Scope scope) {
        TimeUnitRange unit = unit(call.getOperands().get(0));
        Value from = operands.emit(call.getOperands().get(1), scope);
        Value to = operands.emit(call.getOperands().get(2), scope);
        return values.strict(Types.BIGINT, List.of(from, to), () -> {
            values.pushMicros(from);
            values.pushMicros(to);
            code.push(Timestamps.unit(unit.name()));
            code.call(Timestamps.class, "between");
        });
    }

    public Value addMicros(RexCall call, Scope scope) {
        List<Value> arguments = operands.emitAll(call.getOperands(), scope);
        return values.strict(Types.TIMESTAMP, arguments, () -> {
            values.pushMicros(arguments.get(1));
            values.pushDecimal(arguments.get(0), 0);
            code.call(Timestamps.class, "addMicros");
        });
    }

    /** FLOOR or CEIL to a unit. */
    public Value floorTo(Value instant, RexNode unit, String function, SqlType type) {
        requireInstant(instant, function.toUpperCase(Locale.ROOT));
        Value result = values.strict(Types.TIMESTAMP, List.of(instant), () -> {
            values.pushMicros(instant);
            code.push(Timestamps.unit(unit(unit).name()));
            code.call(Timestamps.class, function);
        });
        return casts.cast(result, type);
    }

    private static void requireUnitOfDay(TimeUnitRange unit) {
        switch (unit) {
            case HOUR, MINUTE, SECOND, MILLISECOND, MICROSECOND -> {}
            default -> throw Types.unsupported("EXTRACT of " + unit + " from TIME");
        }
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
