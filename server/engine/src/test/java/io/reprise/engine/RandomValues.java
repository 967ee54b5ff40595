package io.reprise.engine;

import io.reprise.catalog.ArrayText;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.runtime.Randomness;
import java.math.BigDecimal;
import java.math.BigInteger;

/** Draws types, and values as a caller passes them: often the same few, so that rows are found, and now and then long ones. */
final class RandomValues {
    private static final int FEW = 6;
    private static final SqlType[] ELEMENTS = {
        SqlType.of(Kind.INTEGER),
        SqlType.of(Kind.BIGINT),
        SqlType.of(Kind.BOOLEAN),
        SqlType.decimal(10, 2),
        SqlType.decimal(24, 3),
        SqlType.TEXT
    };

    private final Randomness random;

    RandomValues(Randomness random) {
        this.random = random;
    }

    SqlType type() {
        return random.nextInt(8) == 0 ? SqlType.array(ELEMENTS[random.nextInt(ELEMENTS.length)]) : single();
    }

    private SqlType single() {
        Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        return switch (kind) {
            case DECIMAL -> random.nextInt(2) == 0 ? SqlType.decimal(10, 2) : SqlType.decimal(30, 2);
            case VARCHAR -> SqlType.varchar(1 + random.nextInt(random.nextInt(2) == 0 ? 12 : 600));
            case VARBINARY -> SqlType.varbinary(1 + random.nextInt(random.nextInt(2) == 0 ? 12 : 300));
            default -> SqlType.of(kind);
        };
    }

    /** A value that a column of this type takes. */
    Object value(SqlType type) {
        if (type.isArray()) {
            return array(type.element());
        }
        int few = random.nextInt(FEW);
        boolean any = random.nextInt(8) == 0;
        if (type.isWide()) {
            BigInteger unscaled = BigInteger.valueOf(any ? random.nextLong() : 25 * few - 50);
            return new BigDecimal(any ? unscaled.shiftLeft(random.nextInt(28)) : unscaled, type.decimals());
        }
        return switch (type.kind()) {
            case BOOLEAN -> few > 2;
            case TINYINT -> any ? (byte) random.nextLong() : few;
            case SMALLINT -> any ? (short) random.nextLong() : few;
            case INTEGER -> any ? (int) random.nextLong() : -few;
            case BIGINT -> any ? random.nextLong() : few;
            case DATE -> (long) (any ? random.nextInt(40_000) : 20_000 + few);
            case TIME -> any ? (random.nextLong() >>> 1) % SqlType.MICROS_OF_DAY : 1_000_000L * few;
            case TIMESTAMP -> any ? random.nextLong() >>> 16 : 1_000_000L * few;
            case DOUBLE -> any ? random.nextDouble() : few / 4.0;
            case DECIMAL -> BigDecimal.valueOf(any ? random.nextInt(1 << 30) : 25 * few, 2);
            case VARCHAR -> text(few, type.precision());
            case VARBINARY -> binary(few, type.precision());
        };
    }

    private String array(SqlType element) {
        String[] elements = new String[random.nextInt(2) * random.nextInt(FEW)];
        for (int i = 0; i < elements.length; i++) {
            SqlType bounded = element.equals(SqlType.TEXT) ? SqlType.varchar(60) : element;
            elements[i] = random.nextInt(6) == 0 ? null : value(bounded).toString();
        }
        return ArrayText.of(elements);
    }

    /** A literal that a column of this type may have as its default. */
    static String literal(SqlType type) {
        if (type.isArray()) {
            return type.element().kind() == Kind.BOOLEAN ? "'{t,NULL}'" : "'{7,NULL}'";
        }
        if (type.isWide()) {
            return "-12345678901234567890.25";
        }
        return switch (type.kind()) {
            case BOOLEAN -> "TRUE";
            case TINYINT, SMALLINT, INTEGER, BIGINT -> "7";
            case DOUBLE, DECIMAL -> "-1.25";
            case VARCHAR -> "'?'";
            case VARBINARY -> "x'00'";
            case DATE -> "'2020-02-29'";
            case TIME -> "'23:59:59.999999'";
            case TIMESTAMP -> "'2020-02-29 23:59:59.999999'";
        };
    }

    /** The same text for the same number, in a column of one length: some are too long to lie in their rows. */
    static String text(int number, int most) {
        return number == 0
                ? ""
                : ("text " + number + (number > 3 ? "ä日𝄞" : "-"))
                        .repeat(1 + most / 10 * number / FEW)
                        .codePoints()
                        .limit(most)
                        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                        .toString();
    }

    private static byte[] binary(int number, int most) {
        byte[] bytes = new byte[number * most / FEW];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (number + i * i);
        }
        return bytes;
    }
}
