package io.reprise.sql.compile.expression;

import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.sql.compile.emit.Code;
import io.reprise.sql.compile.emit.Literals;
import io.reprise.sql.compile.emit.Types;
import io.reprise.sql.compile.emit.Value;
import io.reprise.sql.compile.runtime.ArrayValues;
import io.reprise.sql.compile.runtime.Conversions;
import io.reprise.sql.compile.runtime.Decimals;
import io.reprise.sql.compile.runtime.JsonText;
import io.reprise.sql.compile.runtime.Numbers;
import io.reprise.sql.compile.runtime.Strings;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.compile.runtime.Uuids;
import io.reprise.sql.compile.runtime.WideDecimals;
import java.util.List;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.sql.type.SqlTypeUtil;

/** CAST between all types, and the conversions that need none because no value is lost. */
public final class Casts {
    private final Code code;
    private final ValueEmitter values;

    public Casts(Code code, ValueEmitter values) {
        this.code = code;
        this.values = values;
    }

    /**
     * Brings a value to the representation of a type that can hold it: another scale, a double, a timestamp. A value that
     * is held alike is returned as it is.
     */
    public Value represent(Value value, SqlType type) {
        if (value.isNull) {
            return Value.nullOf(type);
        }
        boolean dateToTimestamp = value.type.kind() == Kind.DATE && type.kind() == Kind.TIMESTAMP;
        if (Types.sameRepresentation(value.type, type) && !dateToTimestamp) {
            return value.as(type);
        }
        if ((value.type.isWide() || type.isWide()) && Types.isNumeric(value.type) && Types.isNumeric(type)) {
            return values.strict(type, List.of(value), () -> {
                values.pushNumber(value);
                values.ofNumber(type);
            });
        }
        if (value.isString() || type.kind().isString()) {
            throw Types.unsupported("conversion of " + value.type + " to " + type + " without CAST");
        }
        return values.strict(type, List.of(value), () -> {
            if (dateToTimestamp) {
                values.pushMicros(value);
            } else if (type.kind() == Kind.DOUBLE) {
                values.pushDouble(value);
            } else {
                values.pushDecimal(value, type.scale());
            }
        });
    }

    /** CAST. */
    public Value cast(Value value, RelDataType from, RelDataType to) {
        SqlType type = Types.of(to);
        if (value.isNull) {
            return Value.nullOf(type);
        }
        if (SqlTypeUtil.isInterval(from) || SqlTypeUtil.isInterval(to)) {
            return castInterval(value, from, to);
        }
        return cast(value, type);
    }

    public Value cast(Value value, SqlType type) {
        if (isWider(value.type, type)) {
            return value.as(type);
        }
        if (value.type.isWide() || type.isWide()) {
            return values.strict(type, List.of(value), () -> pushWide(value, type));
        }
        Value result = values.strict(type, List.of(value), () -> pushCast(value, type));
        return value.isString() && type.kind().isString() ? result.pointingIntoRow(value.inRow) : result;
    }

    /** Whether every value of the first type is a value of the second one, held alike. */
    private static boolean isWider(SqlType from, SqlType to) {
        if (to.isReal() && !from.isReal() || to.isJson() && !from.isJson() || to.isUuid() && !from.isUuid()) {
            // Its values are rounded, checked, or read.
            return false;
        }
        if (from.isArray() && to.isArray()) {
            return from.element().kind() == to.element().kind() && isWider(from.element(), to.element());
        }
        if (from.kind() == to.kind()) {
            return from.scale() == to.scale() && from.precision() <= to.precision();
        }
        if (from.isWide() || to.isWide()) {
            return false;
        }
        if (from.kind() == Kind.VARCHAR && to.kind() == Kind.VARBINARY) {
            // A VARCHAR's precision counts characters of up to four bytes, a VARBINARY's bytes.
            return from.precision() * 4L <= to.precision();
        }
        return from.kind().isInteger()
                && to.kind().isInteger()
                && from.kind().width() < to.kind().width();
    }

    /** A cast of which one type is a DECIMAL of more than 18 digits. */
    private void pushWide(Value value, SqlType type) {
        if (value.type.kind() == Kind.VARCHAR) {
            code.store();
            code.push(value);
            code.push(type.precision());
            code.push(type.decimals());
            code.call(WideDecimals.class, "parse");
        } else if (type.kind() == Kind.VARCHAR && !type.isJson()) {
            code.store();
            code.push(value);
            code.push(value.type.decimals());
            code.call(WideDecimals.class, "toText");
            code.push(type.precision());
            code.call(Conversions.class, "checkLength");
        } else if (type.kind() == Kind.BOOLEAN) {
            values.pushNumber(value);
            code.call(WideDecimals.class, "toBoolean");
        } else {
            requireNumber(value, type);
            require(Types.isNumeric(type), value, type);
            values.pushNumber(value);
            values.ofNumber(type);
            pushFit(type);
            if (type.isReal()) {
                code.call(Numbers.class, "toReal");
            }
        }
    }

    private void pushCast(Value value, SqlType type) {
        switch (type.kind()) {
            case BOOLEAN -> pushBoolean(value);
            case TINYINT, SMALLINT, INTEGER, BIGINT -> {
                pushLong(value, type);
                pushFit(type);
            }
            case DOUBLE -> {
                if (value.isString()) {
                    pushParse("parseDouble", value);
                } else {
                    requireNumber(value, type);
                    values.pushDouble(value);
                }
                if (type.isReal()) {
                    code.call(Numbers.class, "toReal");
                }
            }
            case DECIMAL -> pushDecimal(value, type);
            case VARCHAR -> pushString(value, type);
            case VARBINARY -> pushBinary(value, type);
            case TIMESTAMP -> {
                if (value.isString()) {
                    pushParse(type.isZoned() ? "parseMoment" : "parseTimestamp", value);
                } else {
                    require(value.type.kind() == Kind.DATE || value.type.kind() == Kind.TIMESTAMP, value, type);
                    values.pushMicros(value);
                }
            }
            case TIME -> {
                if (value.isString()) {
                    pushParse("parseTime", value);
                } else {
                    require(value.type.kind() == Kind.TIMESTAMP, value, type);
                    code.push(value);
                    code.call(Timestamps.class, "toTime");
                }
            }
            case DATE -> {
                if (value.isString()) {
                    pushParse("parseDate", value);
                } else {
                    require(value.type.kind() == Kind.TIMESTAMP, value, type);
                    code.push(value);
                    code.call(Timestamps.class, "toDate");
                }
            }
        }
    }

    private void pushBoolean(Value value) {
        if (value.isString()) {
            pushParse("parseBoolean", value);
            return;
        }
        require(Types.isNumeric(value.type) && !value.isDouble(), value, Types.BOOLEAN);
        code.push(value);
        code.call(Conversions.class, "toBoolean");
    }

    /** Pushes a value as an integer, rounded where it has a fraction. */
    private void pushLong(Value value, SqlType type) {
        switch (value.type.kind()) {
            case TINYINT, SMALLINT, INTEGER, BIGINT, BOOLEAN -> code.push(value);
            case DOUBLE -> {
                code.push(value);
                code.call(Numbers.class, "toLong");
            }
            case DECIMAL -> values.pushDecimal(value, 0);
            case VARCHAR -> pushParse("parseLong", value);
            default -> require(false, value, type);
        }
    }

    /** Checks the range of the long on the stack. */
    public void pushFit(SqlType type) {
        switch (type.kind()) {
            case TINYINT -> code.call(Numbers.class, "fitTinyint");
            case SMALLINT -> code.call(Numbers.class, "fitSmallint");
            case INTEGER -> code.call(Numbers.class, "fitInteger");
            default -> {}
        }
    }

    private void pushDecimal(Value value, SqlType type) {
        if (value.isString()) {
            code.memory();
            code.push(value);
            code.push(type.precision());
            code.push(type.scale());
            code.call(Conversions.class, "parseDecimal");
            return;
        }
        requireNumber(value, type);
        if (value.isDouble()) {
            code.push(value);
            code.push(type.precision());
            code.push(type.scale());
            code.call(Decimals.class, "ofDouble");
            return;
        }
        values.pushDecimal(value, type.scale());
        code.push(type.precision());
        code.push(type.scale());
        code.call(Decimals.class, "fit");
    }

    private void pushString(Value value, SqlType type) {
        if (value.type.isArray()) {
            code.store();
            code.push(value);
            code.push(value.type.scale());
            code.call(ArrayValues.class, "toText");
            code.push(type.precision());
            code.call(Conversions.class, "checkLength");
            return;
        }
        if (value.type.isUuid()) {
            code.store();
            code.push(value);
            code.call(Uuids.class, "toText");
            code.push(type.precision());
            code.call(Conversions.class, "checkLength");
            return;
        }
        if (value.isString()) {
            code.memory();
            if (value.type.kind() == Kind.VARBINARY) {
                code.memory();
                code.push(value);
                code.call(Strings.class, "fromBytes");
            } else {
                code.push(value);
            }
            code.push(type.precision());
            code.call(Strings.class, "truncate");
            if (type.isJson()) {
                int text = code.newLong();
                code.storeLong(text);
                code.memory();
                code.loadLong(text);
                code.call(JsonText.class, "checked");
            }
            return;
        }
        code.store();
        code.push(value);
        switch (value.type.kind()) {
            case BOOLEAN -> code.call(Conversions.class, "booleanToString");
            case DOUBLE -> code.call(Conversions.class, value.type.isReal() ? "realToString" : "doubleToString");
            case DECIMAL -> {
                code.push(value.type.scale());
                code.call(Conversions.class, "decimalToString");
            }
            case TIMESTAMP ->
                code.call(Conversions.class, value.type.isZoned() ? "momentToString" : "timestampToString");
            case DATE -> code.call(Conversions.class, "dateToString");
            case TIME -> code.call(Conversions.class, "timeToString");
            default -> code.call(Conversions.class, "longToString");
        }
        code.push(type.precision());
        code.call(Conversions.class, "checkLength");
    }

    private void pushBinary(Value value, SqlType type) {
        require(value.isString(), value, type);
        if (type.isArray() || value.type.isArray()) {
            pushArray(value, type);
            return;
        }
        if (type.isUuid()) {
            code.store();
            code.push(value);
            code.call(Uuids.class, "parse");
            return;
        }
        code.push(value);
        code.push(type.precision());
        code.call(Strings.class, "truncateBytes");
    }

    private void pushArray(Value value, SqlType type) {
        boolean text = value.type.kind() == Kind.VARCHAR;
        require(type.isArray() && (text || value.type.isArray()), value, type);
        code.store();
        code.push(value);
        if (!text) {
            code.push(value.type.scale());
        }
        code.push(type.scale());
        code.call(ArrayValues.class, text ? "parse" : "convert");
    }

    private void pushParse(String function, Value value) {
        code.memory();
        code.push(value);
        code.call(Conversions.class, function);
    }

    private void requireNumber(Value value, SqlType type) {
        require(Types.isNumeric(value.type), value, type);
    }

    private static void require(boolean possible, Value value, SqlType type) {
        if (!possible) {
            throw Types.unsupported("CAST of " + value.type + " to " + type);
        }
    }

    /** Intervals are held as microseconds or months; as numbers they count their first field's unit. */
    private Value castInterval(Value value, RelDataType from, RelDataType to) {
        SqlType type = Types.of(to);
        if (SqlTypeUtil.isInterval(from) && SqlTypeUtil.isInterval(to)) {
            return value;
        }
        if (SqlTypeUtil.isInterval(to)) {
            Value number = cast(value, Types.BIGINT);
            return values.strict(Types.BIGINT, List.of(number), () -> {
                code.push(number);
                code.push(unit(to));
                code.call(Numbers.class, "multiply", long.class, long.class);
            });
        }
        Value number = values.strict(Types.BIGINT, List.of(value), () -> {
            code.push(value);
            code.push(unit(from));
            code.raw().ldiv();
        });
        return cast(number, type);
    }

    private static long unit(RelDataType interval) {
        long multiplier =
                interval.getIntervalQualifier().getStartUnit().multiplier.longValueExact();
        return isDayTime(interval) ? multiplier * Literals.MICROS_PER_MILLI : multiplier;
    }

    public static boolean isDayTime(RelDataType type) {
        return SqlTypeName.DAY_INTERVAL_TYPES.contains(type.getSqlTypeName());
    }

    /** REINTERPRET: Calcite counts day-time intervals in milliseconds, we count them in microseconds. */
    public Value reinterpret(Value value, RelDataType from, RelDataType to) {
        if (isDayTime(from) && !SqlTypeUtil.isInterval(to)) {
            return values.strict(Types.of(to), List.of(value), () -> {
                code.push(value);
                code.push((long) Literals.MICROS_PER_MILLI);
                code.raw().ldiv();
            });
        }
        return represent(value, Types.of(to));
    }
}
