package io.reprise.catalog;

/**
 * The type of a column or parameter.
 *
 * <p>In memory each value but a string is one 64-bit word: integers, BOOLEAN (0, 1), DECIMAL (unscaled), TIMESTAMP
 * (microseconds since 1970), DATE (days since 1970), TIME (microseconds since midnight) as their number, DOUBLE as its bits. A string is a word that
 * refers to its bytes ({@code storage.row.Ref}).
 *
 * <p>Some types are held as another kind is, and differ in how values are read, checked and shown: TIMESTAMPTZ is a TIMESTAMP in UTC,
 * REAL a DOUBLE with the digits of a float, JSON and JSONB are text, UUID is 16 bytes, an array is the bytes that {@link ArrayWriter} makes,
 * and a DECIMAL of more than 18 digits is the bytes of {@link DecimalBytes}.
 *
 * @param kind the kind of type
 * @param precision DECIMAL: digits (1 to 38); VARCHAR: characters; VARBINARY: bytes; a mark of TIMESTAMPTZ and REAL; otherwise 0
 * @param scale DECIMAL: digits after the point, with a mark if it has more than 18 digits; a mark of UUID; of an array a mark and the
 *     type of its elements; otherwise 0
 */
public record SqlType(Kind kind, int precision, int scale) {
    /** The most digits of a DECIMAL whose unscaled value is one 64-bit word. */
    public static final int MAX_WORD_PRECISION = 18;

    /** The most digits a DECIMAL can have. */
    public static final int MAX_DECIMAL_PRECISION = 38;

    /** The digits behind the point of a DECIMAL that is declared without any number. */
    public static final int DEFAULT_DECIMAL_SCALE = 6;

    /** The longest string in bytes. */
    public static final int MAX_STRING_BYTES = (1 << 20) - 1;

    /** The microseconds of a day. A TIME is less. */
    public static final long MICROS_OF_DAY = 86_400_000_000L;

    /** Strings of any length: VARCHAR without a length. */
    public static final SqlType TEXT = new SqlType(Kind.VARCHAR, MAX_STRING_BYTES, 0);

    /** A mark of arrays in the scale. The bits below it have the kind, the precision and the scale of the elements. */
    private static final int ARRAY = 1 << 30;

    private static final int PRECISION_OF_ELEMENTS = 4;
    private static final int SCALE_OF_ELEMENTS = 24;
    private static final Kind[] KINDS = Kind.values();

    /** The difference between the scale of a DECIMAL of more than 18 digits and its digits after the point. */
    private static final int WIDE = 2;

    private static final int BITS_OF_REAL = 24;
    private static final int BYTES_OF_UUID = 16;

    /** A moment: a TIMESTAMP in UTC that is shown with a zone. */
    public static final SqlType TIMESTAMPTZ = new SqlType(Kind.TIMESTAMP, 1, 0);

    /** A DOUBLE with the digits of a float. */
    public static final SqlType REAL = new SqlType(Kind.DOUBLE, BITS_OF_REAL, 0);

    /** Text that is checked to be JSON. */
    public static final SqlType JSON = new SqlType(Kind.VARCHAR, MAX_STRING_BYTES - 1, 0);

    /** The same under PostgreSQL's other name. */
    public static final SqlType JSONB = new SqlType(Kind.VARCHAR, MAX_STRING_BYTES - 2, 0);

    /** Sixteen bytes that are written as 32 digits. */
    public static final SqlType UUID = new SqlType(Kind.VARBINARY, BYTES_OF_UUID, 1);

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
        DATE(4),
        TIME(8);

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

    /** DECIMAL(precision, scale): a word, or bytes if it has more than 18 digits. */
    public static SqlType decimal(int precision, int scale) {
        return precision <= MAX_WORD_PRECISION
                ? new SqlType(Kind.DECIMAL, precision, scale)
                : new SqlType(Kind.VARBINARY, precision, WIDE + scale);
    }

    /** VARCHAR(characters). */
    public static SqlType varchar(int characters) {
        return new SqlType(Kind.VARCHAR, characters, 0);
    }

    /** VARBINARY(bytes). */
    public static SqlType varbinary(int bytes) {
        return new SqlType(Kind.VARBINARY, bytes, 0);
    }

    /** Arrays of one dimension, of any length. */
    public static SqlType array(SqlType element) {
        if (element.isArray()) {
            throw new IllegalArgumentException("an array of arrays");
        }
        return ofArrayScale(ARRAY
                | element.scale << SCALE_OF_ELEMENTS
                | element.precision << PRECISION_OF_ELEMENTS
                | element.kind.ordinal());
    }

    /** The type of arrays with this scale. */
    public static SqlType ofArrayScale(int scale) {
        return new SqlType(Kind.VARBINARY, MAX_STRING_BYTES, scale);
    }

    /** Whether its values are arrays. */
    public boolean isArray() {
        return kind == Kind.VARBINARY && scale >= ARRAY;
    }

    /** Whether its values are numbers in bytes: it is a DECIMAL of more than 18 digits. */
    public boolean isWide() {
        return kind == Kind.VARBINARY && scale >= WIDE && scale < ARRAY;
    }

    /** The length in bytes, or of a VARCHAR in characters, that no string value of the type exceeds. */
    public int length() {
        return isWide() ? DecimalBytes.most(precision) : precision;
    }

    /** Whether it is a DECIMAL, of words or of bytes. */
    public boolean isDecimal() {
        return kind == Kind.DECIMAL || isWide();
    }

    /** The digits after the point of a number. */
    public int decimals() {
        return isWide() ? scale - WIDE : kind == Kind.DECIMAL ? scale : 0;
    }

    /** The type of the elements of an array. */
    public SqlType element() {
        if (!isArray()) {
            throw new IllegalStateException(this + " has no elements");
        }
        int precisionAndKind = scale & (1 << SCALE_OF_ELEMENTS) - 1;
        return new SqlType(
                KINDS[precisionAndKind & (1 << PRECISION_OF_ELEMENTS) - 1],
                precisionAndKind >>> PRECISION_OF_ELEMENTS,
                (scale ^ ARRAY) >>> SCALE_OF_ELEMENTS);
    }

    /** Whether its values are moments, which are shown with a zone. */
    public boolean isZoned() {
        return kind == Kind.TIMESTAMP && precision == TIMESTAMPTZ.precision;
    }

    /** Whether its values have the digits of a float. */
    public boolean isReal() {
        return kind == Kind.DOUBLE && precision == BITS_OF_REAL;
    }

    /** Whether its values are JSON. */
    public boolean isJson() {
        return equals(JSON) || equals(JSONB);
    }

    /** Whether its values are UUIDs. */
    public boolean isUuid() {
        return kind == Kind.VARBINARY && scale == UUID.scale;
    }

    /** As in DDL: {@code DECIMAL(12,2)}. */
    @Override
    public String toString() {
        if (isDecimal()) {
            return "DECIMAL(" + precision + "," + decimals() + ")";
        }
        return switch (kind) {
            case VARCHAR -> isJson() ? equals(JSON) ? "JSON" : "JSONB" : kind + "(" + precision + ")";
            case VARBINARY -> isArray() ? element().named() + "[]" : isUuid() ? "UUID" : kind + "(" + precision + ")";
            case TIMESTAMP -> isZoned() ? "TIMESTAMPTZ" : kind.toString();
            case DOUBLE -> isReal() ? "REAL" : kind.toString();
            case DECIMAL, BOOLEAN, TINYINT, SMALLINT, INTEGER, BIGINT, DATE, TIME -> kind.toString();
        };
    }

    private String named() {
        return equals(TEXT) ? "TEXT" : toString();
    }
}
