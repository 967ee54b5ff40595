package io.reprise.sql.compile.runtime;

import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.Memory;
import io.reprise.sql.bind.ParameterRounding;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.row.Ref;
import java.lang.foreign.MemorySegment;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;

/** Checks what a procedure sets as a parameter against the parameter's type, and turns it into a word. */
public final class ParameterValues {
    private ParameterValues() {}

    static SqlType check(StatementDefinition statement, int parameter) {
        SqlType[] types = statement.parameterTypes();
        if (parameter < 0 || parameter >= types.length) {
            throw noParameter(statement, parameter);
        }
        return types[parameter];
    }

    /**
     * The types of the values that parameters take: their own, or the widest of the kind where a value is only compared, so that
     * one outside of a column's range compares.
     */
    public static List<SqlType> accepted(List<SqlType> parameters, List<ParameterRounding> roundings) {
        List<SqlType> types = new ArrayList<>();
        for (int i = 0; i < parameters.size(); i++) {
            types.add(accepted(parameters.get(i), roundings.get(i)));
        }
        return types;
    }

    private static SqlType accepted(SqlType type, ParameterRounding rounding) {
        if (!rounding.comparesAnyValue()) {
            return type;
        } else if (type.kind().isInteger()) {
            return SqlType.of(Kind.BIGINT);
        }
        if (type.isWide()) {
            return SqlType.decimal(SqlType.MAX_DECIMAL_PRECISION, type.decimals());
        }
        return type.kind() == Kind.DECIMAL ? SqlType.decimal(SqlType.MAX_WORD_PRECISION, type.scale()) : type;
    }

    private static SqlType accepted(StatementDefinition statement, int parameter) {
        return accepted(check(statement, parameter), statement.roundings().get(parameter));
    }

    /** Called by generated code for a number that no parameter has. */
    public static ProcedureException noParameter(StatementDefinition statement, int parameter) {
        return invalid(
                statement,
                "there is no parameter with the index " + parameter + ": the statement has "
                        + statement.parameterTypes().length + ", with indexes from 0");
    }

    /** A parameter's name in messages: the index is from 0 in Java, but readers count from 1, as for calls. */
    static String name(StatementDefinition statement, int parameter) {
        return "parameter " + (parameter + 1) + " of " + statement.parameterTypes().length;
    }

    /** Called by generated code for an integer outside an integer type's range. */
    public static ProcedureException outOfRange(StatementDefinition statement, int parameter, long value) {
        SqlType type = check(statement, parameter);
        return new ProcedureException(
                ErrorCode.NUMERIC_OVERFLOW,
                describe(
                        statement, value + " is out of range for " + name(statement, parameter) + ", of type " + type));
    }

    /** An integer for a parameter of any type but the integers wide enough for it, which generated code does itself. */
    public static long ofLong(StatementDefinition statement, int parameter, long value) {
        SqlType type = accepted(statement, parameter);
        return switch (type.kind()) {
            case TINYINT -> ranged(statement, parameter, value, (byte) value == value);
            case SMALLINT -> ranged(statement, parameter, value, (short) value == value);
            case INTEGER, DATE -> ranged(statement, parameter, value, (int) value == value);
            case BIGINT, TIMESTAMP -> value;
            case TIME -> ranged(statement, parameter, value, value >= 0 && value < SqlType.MICROS_OF_DAY);
            case BOOLEAN -> {
                if (value != 0 && value != 1) {
                    throw outOfRange(statement, parameter, value);
                }
                yield value;
            }
            case DOUBLE -> Double.doubleToRawLongBits((double) value);
            case DECIMAL -> decimal(statement, parameter, type, value);
            case VARCHAR, VARBINARY -> throw mismatch(statement, parameter, "an integer");
        };
    }

    /** The same for a parameter of any type. */
    public static long ofLong(StatementDefinition statement, int parameter, long value, PartitionStore store) {
        return check(statement, parameter).isWide()
                ? ofDecimal(statement, parameter, BigDecimal.valueOf(value), store)
                : ofLong(statement, parameter, value);
    }

    private static long decimal(StatementDefinition statement, int parameter, SqlType type, long value) {
        long limit = Decimals.power(type.precision() - type.scale());
        if (value >= limit || value <= -limit) {
            throw outOfRange(statement, parameter, value);
        }
        return value * Decimals.power(type.scale());
    }

    private static long ranged(StatementDefinition statement, int parameter, long value, boolean fits) {
        if (!fits) {
            throw outOfRange(statement, parameter, value);
        }
        return value;
    }

    /** Called by generated code for an unscaled value that has too many digits, or for a parameter that is no DECIMAL. */
    public static ProcedureException unscaledRefused(StatementDefinition statement, int parameter, long value) {
        SqlType type = check(statement, parameter);
        if (type.kind() != Kind.DECIMAL) {
            return mismatch(statement, parameter, "the unscaled DECIMAL " + value);
        }
        return new ProcedureException(
                ErrorCode.NUMERIC_OVERFLOW,
                describe(
                        statement,
                        Decimals.toString(value, type.scale()) + " is out of range for " + name(statement, parameter)
                                + ", of type " + type));
    }

    /** An unscaled value for a DECIMAL parameter. */
    static long ofUnscaled(StatementDefinition statement, int parameter, long value) {
        SqlType type = accepted(statement, parameter);
        long limit = type.kind() == Kind.DECIMAL ? Decimals.power(type.precision()) : 0;
        if (value >= limit || value <= -limit) {
            throw unscaledRefused(statement, parameter, value);
        }
        return value;
    }

    /** The same for a DECIMAL of any number of digits. */
    public static long ofUnscaled(StatementDefinition statement, int parameter, long value, PartitionStore store) {
        SqlType type = check(statement, parameter);
        return type.isWide()
                ? ofDecimal(statement, parameter, BigDecimal.valueOf(value, type.decimals()), store)
                : ofUnscaled(statement, parameter, value);
    }

    static long ofDouble(StatementDefinition statement, int parameter, double value) {
        if (check(statement, parameter).kind() != Kind.DOUBLE) {
            throw mismatch(statement, parameter, "a double");
        }
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            throw invalid(statement, name(statement, parameter) + " is " + value + ", which is no number SQL knows");
        }
        return Numbers.bits(value);
    }

    static long ofBoolean(StatementDefinition statement, int parameter, boolean value) {
        if (check(statement, parameter).kind() != Kind.BOOLEAN) {
            throw mismatch(statement, parameter, "a boolean");
        }
        return value ? 1 : 0;
    }

    static long ofDecimal(StatementDefinition statement, int parameter, BigDecimal value, PartitionStore store) {
        SqlType type = accepted(statement, parameter);
        try {
            if (type.isWide()) {
                return WideDecimals.put(store, wide(statement, parameter, type, value));
            }
            return switch (type.kind()) {
                case DECIMAL -> ofDecimal(statement, parameter, type, value);
                case DOUBLE -> ofDouble(statement, parameter, value.doubleValue());
                case TINYINT, SMALLINT, INTEGER, BIGINT -> ofLong(statement, parameter, value.longValueExact());
                default -> throw mismatch(statement, parameter, "a decimal");
            };
        } catch (ArithmeticException e) {
            throw new ProcedureException(
                    ErrorCode.NUMERIC_OVERFLOW,
                    describe(
                            statement,
                            value + " is out of range for " + name(statement, parameter) + ", of type "
                                    + check(statement, parameter)));
        } catch (ProcedureException e) {
            throw new ProcedureException(
                    e.code(), describe(statement, name(statement, parameter) + ": " + e.getMessage()));
        }
    }

    private static long ofDecimal(StatementDefinition statement, int parameter, SqlType type, BigDecimal value) {
        ParameterRounding rounding = statement.roundings().get(parameter);
        if (rounding == ParameterRounding.NEAREST) {
            return Decimals.unscaled(value, type.precision(), type.scale());
        }
        if (rounding.comparesAnyValue() && isTooLarge(value, type)) {
            // Greater, or less, than all values of a column, and none of them.
            return value.signum() > 0 ? Decimals.UNEQUAL : -Decimals.UNEQUAL;
        }
        long cut = Decimals.unscaled(value, type.precision(), type.scale(), RoundingMode.DOWN);
        int rest = value.compareTo(BigDecimal.valueOf(cut, type.scale()));
        if (rest == 0) {
            return cut;
        }
        return switch (rounding) {
            // A neighbour may be just outside of what the type has room for, as it is only compared.
            case BELOW -> rest < 0 ? cut - 1 : cut;
            case ABOVE -> rest > 0 ? cut + 1 : cut;
            case UNEQUAL -> Decimals.UNEQUAL;
            default -> throw notRounded(value, type);
        };
    }

    private static BigInteger wide(StatementDefinition statement, int parameter, SqlType type, BigDecimal value) {
        int scale = type.decimals();
        ParameterRounding rounding = statement.roundings().get(parameter);
        if (rounding == ParameterRounding.NEAREST) {
            return DecimalBytes.unscaled(value, type.precision(), scale, RoundingMode.HALF_UP);
        }
        if (rounding.comparesAnyValue() && isTooLarge(value, type)) {
            // Greater, or less, than all values of a column, and none of them.
            return value.signum() > 0 ? WideDecimals.UNEQUAL : WideDecimals.UNEQUAL.negate();
        }
        BigInteger cut = DecimalBytes.unscaled(value, type.precision(), scale, RoundingMode.DOWN);
        int rest = value.compareTo(new BigDecimal(cut, scale));
        if (rest == 0) {
            return cut;
        }
        return switch (rounding) {
            case BELOW -> rest < 0 ? cut.subtract(BigInteger.ONE) : cut;
            case ABOVE -> rest > 0 ? cut.add(BigInteger.ONE) : cut;
            case UNEQUAL -> WideDecimals.UNEQUAL;
            default -> throw notRounded(value, type);
        };
    }

    /** Whether a number has more digits in front of the point than a type. 0 has none, whatever its scale. */
    private static boolean isTooLarge(BigDecimal value, SqlType type) {
        long before = (long) value.precision() - value.scale();
        return value.signum() != 0 && before > type.precision() - type.decimals();
    }

    private static ProcedureException notRounded(BigDecimal value, SqlType type) {
        return new ProcedureException(
                ErrorCode.INVALID_VALUE,
                value + " has more digits behind the point than a " + type
                        + ", and can't be rounded because it is compared: round it before, or write CAST(? AS " + type
                        + ") or a CAST to more digits");
    }

    /** A string, encoded into scratch. */
    public static long ofString(StatementDefinition statement, int parameter, String value, PartitionStore store) {
        SqlType type = check(statement, parameter);
        if (type.isUuid()) {
            return ofBytes(statement, parameter, Uuids.bytes(value), store);
        } else if (type.isArray()) {
            return ArrayValues.put(store, ArrayElements.parse(type, value));
        } else if (type.kind() != Kind.VARCHAR) {
            throw mismatch(statement, parameter, "a string");
        }
        return Utf8.encode(value, store);
    }

    /** A text, copied to scratch. */
    public static long ofText(StatementDefinition statement, int parameter, Text value, PartitionStore store) {
        SqlType type = check(statement, parameter);
        if (!type.kind().isString() || type.isWide()) {
            throw mismatch(statement, parameter, "a text");
        }
        if (type.isArray()) {
            return ofArray(statement, parameter, value, store);
        }
        long copy = RowCopier.copyString(value, store);
        // A text may be a view of a binary column, or of whatever else a procedure has.
        return type.kind() == Kind.VARCHAR ? Strings.fromBytes(store.memory(), copy) : copy;
    }

    /** A text for an array is the array's text or a view of a row's array, whose first byte is no character of a text. */
    private static long ofArray(StatementDefinition statement, int parameter, Text value, PartitionStore store) {
        byte[] bytes = value.toBytes();
        boolean isBytes = bytes.length == 0 || bytes[0] == 1 || bytes[0] == 2;
        return isBytes
                ? ofBytes(statement, parameter, bytes, store)
                : ofString(statement, parameter, value.toString(), store);
    }

    static long ofBytes(StatementDefinition statement, int parameter, byte[] value, PartitionStore store) {
        if (check(statement, parameter).kind() != Kind.VARBINARY
                || check(statement, parameter).isWide()) {
            throw mismatch(statement, parameter, "bytes");
        }
        if (check(statement, parameter).isUuid() && value.length != Uuids.BYTES) {
            throw mismatch(statement, parameter, value.length + " bytes");
        }
        if (check(statement, parameter).isArray()) {
            ArrayElements.check(check(statement, parameter), value);
        }
        if (value.length > SqlType.MAX_STRING_BYTES) {
            throw new ProcedureException(
                    ErrorCode.VALUE_TOO_LONG,
                    describe(statement, name(statement, parameter) + " has " + value.length + " bytes"));
        }
        Memory memory = store.memory();
        long address = store.scratch(value.length);
        memory.copyIn(MemorySegment.ofArray(value), 0, address, value.length);
        return Ref.of(address, value.length);
    }

    private static ProcedureException mismatch(StatementDefinition statement, int parameter, String given) {
        return invalid(
                statement,
                name(statement, parameter) + " is " + check(statement, parameter) + " and can't be set to " + given);
    }

    private static ProcedureException invalid(StatementDefinition statement, String what) {
        return new ProcedureException(ErrorCode.INVALID_VALUE, describe(statement, what));
    }

    private static String describe(StatementDefinition statement, String what) {
        return what + ": " + statement.sql();
    }
}
