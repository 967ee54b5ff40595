package io.reprise.catalog;

/**
 * The type of a column or parameter.
 *
 * <p>In memory each value but a string is one 64-bit word: integers, BOOLEAN (0, 1), DECIMAL (unscaled), TIMESTAMP
 * (microseconds since 1970), DATE (days since 1970) as their number, DOUBLE as its bits. A string is a word that
 * refers to its bytes ({@code storage.row.Ref}).
 *
 * @param kind the kind of type
 * @param precision DECIMAL: digits (1 to 18); VARCHAR: characters; VARBINARY: bytes; otherwise 0
 * @param scale DECIMAL: digits after the point; otherwise 0
 */
public record SqlType(Kind kind, int precision, int scale) {
    /** The most digits a DECIMAL can have: its unscaled value is one 64-bit word. */
    public static final int MAX_DECIMAL_PRECISION = 18;

    /** The digits behind the point of a DECIMAL that is declared without any number. */
    public static final int DEFAULT_DECIMAL_SCALE = 6;

    /** The longest string in bytes. */
    public static final int MAX_STRING_BYTES = (1 << 20) - 1;

    /** Strings of any length: VARCHAR without a length. */
    public static final SqlType TEXT = new SqlType(Kind.VARCHAR, MAX_STRING_BYTES, 0);

    /** The types by name. */
    public enum Kind {
        BOOLEAN(1),
        TINYINT(1),
        SMALLINT(2),
        INTEGER(4),
        BIGINT(8),
        DOUBLE(8),
        DECIMAL(8),
        VARCHAR(0),
        VARBINARY(0),
        TIMESTAMP(8),
        DATE(4);

        private final int width;

        Kind(int width) {
            this.width = width;
        }

        /** Bytes in a row; 0 for strings, whose width depends on their length. */
        public int width() {
            return width;
        }

        /** Whether values are strings of bytes. */
        public boolean isString() {
            return width == 0;
        }

        /** TINYINT, SMALLINT, INTEGER or BIGINT. */
        public boolean isInteger() {
            return this == TINYINT || this == SMALLINT || this == INTEGER || this == BIGINT;
        }
    }

    /** A type without precision. */
    public static SqlType of(Kind kind) {
        return new SqlType(kind, 0, 0);
    }

    /** DECIMAL(precision, scale). */
    public static SqlType decimal(int precision, int scale) {
        return new SqlType(Kind.DECIMAL, precision, scale);
    }

    /** VARCHAR(characters). */
    public static SqlType varchar(int characters) {
        return new SqlType(Kind.VARCHAR, characters, 0);
    }

    /** VARBINARY(bytes). */
    public static SqlType varbinary(int bytes) {
        return new SqlType(Kind.VARBINARY, bytes, 0);
    }

    /** As in DDL: {@code DECIMAL(12,2)}. */
    @Override
    public String toString() {
        return switch (kind) {
            case DECIMAL -> "DECIMAL(" + precision + "," + scale + ")";
            case VARCHAR, VARBINARY -> kind + "(" + precision + ")";
            default -> kind.toString();
        };
    }
}
