package io.reprise.sql.compile.emit;

import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.SqlType;
import io.reprise.sql.compile.runtime.Timestamps;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.avatica.util.ByteString;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.TimeString;
import org.apache.calcite.util.TimestampString;

/** Literals: constants in the code, but for strings, which have to lie in the partition's memory. */
public final class Literals {
    public static final int MICROS_PER_MILLI = 1000;

    private Literals() {}

    public static Value emit(RexLiteral literal, Code code) {
        SqlType type = Types.of(literal.getType());
        if (literal.isNull()) {
            return Value.nullOf(type);
        }
        return type.kind().isString()
                ? string(type, code.owner().literal(bytes(literal)), code)
                : Value.constant(type, word(literal));
    }

    /** The bytes of a string literal. */
    public static byte[] bytes(RexLiteral literal) {
        SqlType type = Types.of(literal.getType());
        if (type.isWide()) {
            return DecimalBytes.rounded(type, literal.getValueAs(BigDecimal.class));
        }
        return type.kind() == SqlType.Kind.VARBINARY
                ? literal.getValueAs(ByteString.class).getBytes()
                : literal.getValueAs(String.class).getBytes(StandardCharsets.UTF_8);
    }

    /** The word of any other literal. */
    public static long word(RexLiteral literal) {
        SqlType type = Types.of(literal.getType());
        return switch (type.kind()) {
            case BOOLEAN -> literal.getValueAs(Boolean.class) ? 1 : 0;
            case DATE -> literal.getValueAs(Integer.class);
            case TIMESTAMP ->
                Timestamps.parse(literal.getValueAs(TimestampString.class).toString());
            case TIME ->
                Timestamps.parseTime(literal.getValueAs(TimeString.class).toString());
            case DOUBLE -> Double.doubleToRawLongBits(exact(literal) + 0.0);
            default -> number(literal, type);
        };
    }

    /** As a BigDecimal Calcite gives a DOUBLE with 16 digits, one less than it takes to tell all of them apart. */
    private static double exact(RexLiteral literal) {
        return ((Number) literal.getValue()).doubleValue();
    }

    private static long number(RexLiteral literal, SqlType type) {
        BigDecimal value = literal.getValueAs(BigDecimal.class);
        if (SqlTypeName.DAY_INTERVAL_TYPES.contains(literal.getType().getSqlTypeName())) {
            value = value.multiply(BigDecimal.valueOf(MICROS_PER_MILLI));
        }
        try {
            return value.setScale(type.scale(), RoundingMode.HALF_UP)
                    .unscaledValue()
                    .longValueExact();
        } catch (ArithmeticException e) {
            throw Types.unsupported("a number as large as " + literal);
        }
    }

    public static Value string(SqlType type, int number, Code code) {
        int slot = code.newLong();
        code.raw().aload(0);
        code.push(number);
        code.callOwn("literal");
        code.storeLong(slot);
        return Value.local(type, slot);
    }
}
