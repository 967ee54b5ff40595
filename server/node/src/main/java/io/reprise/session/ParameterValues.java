package io.reprise.session;

import io.reprise.catalog.ArrayText;
import io.reprise.catalog.ArrayWriter;
import io.reprise.catalog.SqlType;
import io.reprise.execution.deploy.ParameterType;
import io.reprise.sql.compile.runtime.ArrayElements;
import io.reprise.sql.compile.runtime.Timestamps;
import io.reprise.sql.compile.runtime.Uuids;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/** The conversion of clients' parameters, in text or binary, to values that the engine takes for a type, as for an assignment. */
final class ParameterValues {
    private static final long EPOCH_SECONDS_2000 = 946_684_800L;
    private static final long EPOCH_MICROS_2000 = EPOCH_SECONDS_2000 * 1_000_000;
    private static final long EPOCH_DAYS_2000 = EPOCH_SECONDS_2000 / 86_400;
    private static final Pattern ZONE =
            Pattern.compile("(?<=:\\d\\d(\\.\\d{1,9})?)\\s*(Z|[+-]\\d\\d(:?\\d\\d)?(:\\d\\d)?)$");
    private static final int NUMERIC_BASE = 10_000;
    private static final int NUMERIC_DIGITS = 4;
    private static final int NUMERIC_NEGATIVE = 0x4000;
    private static final int NUMERIC_SPECIAL = 0xC000;

    /** A point in time of a binary parameter. */
    private record Micros(long value) {}

    /** A time of day of a binary parameter. */
    private record TimeOfDay(long micros) {}

    /** A date of a binary parameter. */
    private record Days(long value) {}

    private ParameterValues() {}

    /** The value for a parameter of the engine. */
    static Object of(RawParameter raw, int oid, SqlType target) {
        if (raw.bytes() == null) {
            return null;
        }
        if (target.isArray()) {
            return array(raw, oid, target);
        } else if (target.isUuid()) {
            return uuid(raw, oid);
        }
        Object value = raw.binary() ? binary(raw.bytes(), oid, kind(target)) : text(raw.bytes());
        if (target.isZoned() && value instanceof String moment) {
            return Timestamps.parseMoment(moment);
        }
        return converted(value, kind(target), target.decimals());
    }

    /** The kind of value that a column's or a parameter's type takes. */
    static String kind(SqlType type) {
        return (type.isWide() ? SqlType.Kind.DECIMAL : type.kind()).name();
    }

    /** The bytes of an array. */
    private static byte[] array(RawParameter raw, int oid, SqlType target) {
        boolean binary = raw.binary() && (oid == 0 || PgType.element(oid) != 0);
        if (!binary) {
            return ArrayElements.parse(target, text(raw.bytes()));
        }
        SqlType type = target.element();
        ArrayParameter array = ArrayParameter.of(raw);
        ArrayWriter to = new ArrayWriter(type);
        for (RawParameter element : array.elements()) {
            switch (of(element, array.oid(), type)) {
                case null -> to.addNull();
                case byte[] string -> ArrayElements.add(to, type, string);
                case Long word when !type.kind().isInteger() && type.kind() != SqlType.Kind.DECIMAL -> to.add(word);
                case Object value -> ArrayElements.add(to, type, value.toString());
            }
        }
        byte[] bytes = to.toBytes();
        if (bytes.length > SqlType.MAX_STRING_BYTES) {
            throw ArrayText.tooLong(bytes.length);
        }
        return bytes;
    }

    private static Object uuid(RawParameter raw, int oid) {
        boolean bytes = raw.binary() && (oid == PgType.UUID.oid() || oid == 0 || oid == PgType.BYTEA.oid());
        return bytes ? raw.bytes() : Uuids.bytes(text(raw.bytes()));
    }

    /** The value for a parameter of a procedure. */
    static Object of(RawParameter raw, int oid, ParameterType target) {
        if (raw.bytes() == null) {
            return null;
        }
        String kind = kind(target);
        Object value = raw.binary() ? binary(raw.bytes(), oid, kind) : text(raw.bytes());
        return converted(value, kind, -1);
    }

    /** The kind of value that a procedure's parameter takes. */
    static String kind(ParameterType target) {
        return switch (target) {
            case BOOLEAN, NULLABLE_BOOLEAN -> "BOOLEAN";
            case BYTE, SHORT, INT, LONG, NULLABLE_BYTE, NULLABLE_SHORT, NULLABLE_INT, NULLABLE_LONG -> "BIGINT";
            case DOUBLE, NULLABLE_DOUBLE -> "DOUBLE";
            case STRING, TEXT -> "VARCHAR";
            case DECIMAL -> "DECIMAL";
            case BYTES -> "VARBINARY";
            default ->
                throw SessionException.unsupported("a procedure's array parameters cannot be set in this protocol");
        };
    }

    private static String text(byte[] bytes) {
        String text = new String(bytes, StandardCharsets.UTF_8);
        if (text.indexOf('\0') >= 0) {
            throw new SessionException("22021", "invalid byte sequence for encoding \"UTF8\": 0x00");
        }
        return text;
    }

    private static Object binary(byte[] bytes, int oid, String kind) {
        ByteBuffer buffer = ByteBuffer.wrap(bytes);
        int type = oid == 0 ? usual(kind, bytes.length) : oid;
        try {
            return switch (type) {
                case 16 -> buffer.get() != 0;
                case 17 -> bytes;
                case 20 -> buffer.getLong();
                case 21 -> (long) buffer.getShort();
                case 23 -> (long) buffer.getInt();
                case 26 -> Integer.toUnsignedLong(buffer.getInt());
                case 700 -> new BigDecimal(Float.toString(buffer.getFloat()));
                case 701 -> buffer.getDouble();
                case 1700 -> numeric(buffer);
                case 1082 -> new Days(buffer.getInt() + EPOCH_DAYS_2000);
                case 1083 -> new TimeOfDay(buffer.getLong());
                case 1114, 1184 -> new Micros(buffer.getLong() + EPOCH_MICROS_2000);
                case 3802 -> text(java.util.Arrays.copyOfRange(bytes, 1, Math.max(1, bytes.length)));
                case 2950 -> new java.util.UUID(buffer.getLong(), buffer.getLong()).toString();
                default -> text(bytes);
            };
        } catch (java.nio.BufferUnderflowException | NumberFormatException e) {
            throw new SessionException("22P03", "incorrect binary data format in a parameter");
        }
    }

    private static int usual(String kind, int length) {
        return switch (kind) {
            case "BOOLEAN" -> 16;
            case "TINYINT", "SMALLINT", "INTEGER", "BIGINT" -> length == 8 ? 20 : length == 4 ? 23 : 21;
            case "REAL", "DOUBLE" -> length == 4 ? 700 : 701;
            case "DECIMAL" -> 1700;
            case "VARBINARY" -> 17;
            case "DATE" -> 1082;
            case "TIME" -> 1083;
            case "TIMESTAMP" -> 1114;
            default -> 25;
        };
    }

    private static BigDecimal numeric(ByteBuffer buffer) {
        int digits = buffer.getShort();
        int weight = buffer.getShort();
        int sign = buffer.getShort() & 0xFFFF;
        int scale = buffer.getShort();
        if ((sign & NUMERIC_SPECIAL) == NUMERIC_SPECIAL) {
            throw new SessionException("22003", "NaN and infinity are not numbers here");
        }
        BigInteger unscaled = BigInteger.ZERO;
        for (int i = 0; i < digits; i++) {
            unscaled = unscaled.multiply(BigInteger.valueOf(NUMERIC_BASE)).add(BigInteger.valueOf(buffer.getShort()));
        }
        BigDecimal value = new BigDecimal(unscaled).scaleByPowerOfTen(NUMERIC_DIGITS * (weight - digits + 1));
        value = value.setScale(scale, RoundingMode.HALF_UP);
        return sign == NUMERIC_NEGATIVE ? value.negate() : value;
    }

    /** Converts a value to a kind of the engine; {@code scale} below 0: any. */
    static Object converted(Object value, String kind, int scale) {
        try {
            return switch (kind) {
                case "BOOLEAN" -> bool(value);
                case "TINYINT", "SMALLINT", "INTEGER", "BIGINT" -> whole(value);
                case "REAL", "DOUBLE" -> floating(value);
                case "DECIMAL" -> decimal(value, scale);
                case "VARBINARY" -> bytes(value);
                case "DATE" -> days(value);
                case "TIME" -> timeOfDay(value);
                case "TIMESTAMP" -> micros(value);
                default -> string(value);
            };
        } catch (NumberFormatException | ArithmeticException e) {
            throw new SessionException(
                    e instanceof NumberFormatException ? SqlStates.INVALID_TEXT : "22003",
                    "invalid input for type " + kind.toLowerCase(Locale.ROOT) + ": \"" + value + "\"");
        }
    }

    private static Object bool(Object value) {
        if (value instanceof Boolean) {
            return value;
        }
        if (value instanceof Long number) {
            return number != 0;
        }
        return switch (String.valueOf(value).trim().toLowerCase(Locale.ROOT)) {
            case "t", "true", "y", "yes", "on", "1" -> true;
            case "f", "false", "n", "no", "off", "0" -> false;
            default -> throw new NumberFormatException();
        };
    }

    private static Object whole(Object value) {
        return switch (value) {
            case Long number -> number;
            case Boolean flag -> flag ? 1L : 0L;
            case BigDecimal number -> number.setScale(0, RoundingMode.HALF_UP).longValueExact();
            case Double number ->
                new BigDecimal(number).setScale(0, RoundingMode.HALF_EVEN).longValueExact();
            case String text -> Long.parseLong(text.trim());
            default -> throw new NumberFormatException();
        };
    }

    private static Object floating(Object value) {
        return switch (value) {
            case Double number -> number;
            case Long number -> (double) number;
            case BigDecimal number -> number.doubleValue();
            case String text -> Double.parseDouble(text.trim());
            default -> throw new NumberFormatException();
        };
    }

    private static Object decimal(Object value, int scale) {
        BigDecimal number = switch (value) {
            case BigDecimal exact -> exact;
            case Long exact -> BigDecimal.valueOf(exact);
            case Double inexact -> BigDecimal.valueOf(inexact);
            case String text -> Numeric.parse(text.trim());
            default -> throw new NumberFormatException();
        };
        return value instanceof Double && scale >= 0 && number.scale() > scale
                ? number.setScale(scale, RoundingMode.HALF_UP)
                : number;
    }

    private static Object bytes(Object value) {
        if (value instanceof byte[]) {
            return value;
        }
        String text = String.valueOf(value);
        if (text.startsWith("\\x")) {
            try {
                return HexFormat.of().parseHex(text.substring(2));
            } catch (IllegalArgumentException e) {
                throw new SessionException(SqlStates.INVALID_TEXT, "invalid hexadecimal data in bytea");
            }
        }
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Object days(Object value) {
        return switch (value) {
            case Days days -> days.value();
            case Micros micros -> Timestamps.toDate(micros.value());
            case String text ->
                Timestamps.parseDate(text.trim().length() > 10 ? text.trim().substring(0, 10) : text);
            default -> throw new NumberFormatException();
        };
    }

    private static Object timeOfDay(Object value) {
        return switch (value) {
            case TimeOfDay time -> time.micros();
            case Micros micros -> Timestamps.toTime(micros.value());
            case String text -> Timestamps.parseTime(withoutZone(text.trim()));
            default -> throw new NumberFormatException();
        };
    }

    /** A zone behind a timestamp without one is ignored, as PostgreSQL does. */
    private static Object micros(Object value) {
        return switch (value) {
            case Micros micros -> micros.value();
            case Days days -> Timestamps.ofDate(days.value());
            case String text -> Timestamps.parse(withoutZone(text.trim()));
            default -> throw new NumberFormatException();
        };
    }

    /** A pattern is slow, so it is used only where a sign or a letter follows the time of day. */
    private static String withoutZone(String text) {
        int time = text.indexOf(':');
        boolean mayHaveZone =
                time >= 0 && (text.endsWith("Z") || text.indexOf('+', time) >= 0 || text.indexOf('-', time) >= 0);
        return mayHaveZone ? ZONE.matcher(text).replaceFirst("") : text;
    }

    private static Object string(Object value) {
        return switch (value) {
            case String text -> text;
            case Micros micros -> Timestamps.toString(micros.value());
            case Days days -> Timestamps.dateToString(days.value());
            case TimeOfDay time -> Timestamps.timeToString(Timestamps.toTime(time.micros()));
            case BigDecimal number -> number.toPlainString();
            case byte[] array -> new String(array, StandardCharsets.UTF_8);
            default -> value.toString();
        };
    }
}
