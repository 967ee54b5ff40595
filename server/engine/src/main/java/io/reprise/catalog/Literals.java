package io.reprise.catalog;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.HexFormat;
import java.util.Locale;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * SQL literals as values of a type, and back. Numbers are written as usual, strings {@code 'it''s'}, binary values
 * {@code x'00ff'}, times {@code '2025-12-31 23:59:59.123456'} (the fraction may be missing), dates {@code
 * '2025-12-31'}; {@code DATE '...'} and {@code TIMESTAMP '...'} are understood too.
 *
 * <p>Values are checked, never bent: a value that does not fit its type exactly is refused with the reason.
 */
public final class Literals {
    /** The function that stands for the transaction's time. */
    public static final String CURRENT_TIMESTAMP = "CURRENT_TIMESTAMP";

    private static final int LONGEST_NUMBER = 400;
    private static final int LONGEST_SHOWN = 60;
    private static final long MICROS = 1_000_000;
    private static final Pattern NUMBER = Pattern.compile("[+-]?(\\d+(\\.\\d*)?|\\.\\d+)([eE][+-]?\\d{1,9})?");
    private static final Pattern DATE = Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2})");
    private static final Pattern TIMESTAMP =
            Pattern.compile("(\\d{4})-(\\d{2})-(\\d{2}) (\\d{2}):(\\d{2}):(\\d{2})(?:\\.(\\d{1,6}))?");
    private static final Pattern TIME = Pattern.compile("\\d{2}:\\d{2}(?::\\d{2}(?:\\.\\d{1,6})?)?");
    private static final Pattern TYPED = Pattern.compile("(?i)(?:DATE|TIMESTAMP|TIME)\\s*(?=')");

    private Literals() {}

    /** Reads a literal as a value of the type; throws INVALID_VALUE, NUMERIC_OVERFLOW or VALUE_TOO_LONG. */
    public static DefaultValue parse(SqlType type, String literal) {
        String text = literal.strip();
        return switch (type.kind()) {
            case BOOLEAN -> new DefaultValue.Word(bool(text));
            case TINYINT -> integer(type, text, Byte.MIN_VALUE, Byte.MAX_VALUE);
            case SMALLINT -> integer(type, text, Short.MIN_VALUE, Short.MAX_VALUE);
            case INTEGER -> integer(type, text, Integer.MIN_VALUE, Integer.MAX_VALUE);
            case BIGINT -> integer(type, text, Long.MIN_VALUE, Long.MAX_VALUE);
            case DOUBLE ->
                new DefaultValue.Word(Double.doubleToLongBits(type.isReal() ? (float) real(text) : real(text)));
            case DECIMAL -> new DefaultValue.Word(unscaled(type, number(text)));
            case VARCHAR -> new DefaultValue.Bytes(varchar(type, text));
            case VARBINARY ->
                new DefaultValue.Bytes(
                        type.isArray()
                                ? array(type, text)
                                : type.isWide()
                                        ? DecimalBytes.of(wide(type, number(text)))
                                        : type.isUuid() && text.startsWith("'") ? uuid(text) : varbinary(type, text));
            case TIMESTAMP -> isNow(text) ? new DefaultValue.CurrentTimestamp() : new DefaultValue.Word(micros(text));
            case DATE -> new DefaultValue.Word(days(text));
            case TIME -> new DefaultValue.Word(timeOfDay(text));
        };
    }

    /** Writes a value as the one canonical literal that {@link #parse} reads as the same value. */
    public static String format(SqlType type, DefaultValue value) {
        return switch (value) {
            case DefaultValue.CurrentTimestamp() -> CURRENT_TIMESTAMP;
            case DefaultValue.Bytes(byte[] bytes) ->
                type.isArray()
                        ? quote(ArrayText.of(type, bytes))
                        : type.isWide()
                                ? DecimalBytes.text(type, bytes)
                                : type.isUuid()
                                        ? quote(uuid(bytes))
                                        : type.kind() == SqlType.Kind.VARCHAR
                                                ? quote(new String(bytes, StandardCharsets.UTF_8))
                                                : "x'" + HexFormat.of().formatHex(bytes) + "'";
            case DefaultValue.Word(long word) -> formatWord(type, word);
        };
    }

    /** A string in quotes. */
    public static String quote(String text) {
        return "'" + text.replace("'", "''") + "'";
    }

    private static String formatWord(SqlType type, long word) {
        return switch (type.kind()) {
            case BOOLEAN -> word == 0 ? "FALSE" : "TRUE";
            case DOUBLE -> Double.toString(Double.longBitsToDouble(word));
            case DECIMAL -> BigDecimal.valueOf(word, type.scale()).toPlainString();
            case DATE -> quote(LocalDate.ofEpochDay(word).toString());
            case TIMESTAMP -> quote(formatMicros(word));
            case TIME -> quote(LocalTime.ofNanoOfDay(word * 1000).toString());
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(word);
            case VARCHAR, VARBINARY -> throw new IllegalArgumentException("the value of a " + type + " is no word");
        };
    }

    private static String formatMicros(long micros) {
        LocalDateTime time = LocalDateTime.ofEpochSecond(Math.floorDiv(micros, MICROS), 0, ZoneOffset.UTC);
        return String.format(
                Locale.ROOT,
                "%s %02d:%02d:%02d.%06d",
                time.toLocalDate(),
                time.getHour(),
                time.getMinute(),
                time.getSecond(),
                Math.floorMod(micros, MICROS));
    }

    private static long bool(String text) {
        return switch (text.toUpperCase(Locale.ROOT)) {
            case "TRUE" -> 1;
            case "FALSE" -> 0;
            default -> throw invalid(shown(text) + " is neither TRUE nor FALSE");
        };
    }

    private static DefaultValue integer(SqlType type, String text, long min, long max) {
        BigDecimal value = number(text);
        if (value.scale() > 0) {
            throw invalid(shown(text) + " is not a whole number");
        }
        if (value.precision() - value.scale() > 19
                || value.compareTo(BigDecimal.valueOf(min)) < 0
                || value.compareTo(BigDecimal.valueOf(max)) > 0) {
            throw new ProcedureException(
                    ErrorCode.NUMERIC_OVERFLOW,
                    shown(text) + " is outside the range of " + type + ", " + min + " to " + max);
        }
        return new DefaultValue.Word(value.longValueExact());
    }

    /** A decimal's value in units of the type's scale; throws where digits would be lost. */
    public static long unscaled(SqlType type, BigDecimal number) {
        return wide(type, number).longValueExact();
    }

    /** The same, also of a DECIMAL of more than 18 digits. */
    public static BigInteger wide(SqlType type, BigDecimal number) {
        BigDecimal value = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
        int scale = type.decimals();
        if (value.scale() > scale) {
            throw invalid(
                    shown(number.toString()) + " has more than the " + scale + " digits after the point of " + type);
        }
        if ((long) value.precision() - value.scale() > type.precision() - scale && value.signum() != 0) {
            throw new ProcedureException(
                    ErrorCode.NUMERIC_OVERFLOW,
                    shown(number.toString()) + " has more than the " + (type.precision() - scale)
                            + " digits before the point of " + type);
        }
        return value.setScale(scale).unscaledValue();
    }

    private static double real(String text) {
        number(text);
        double value = Double.parseDouble(text);
        if (Double.isInfinite(value)) {
            throw new ProcedureException(ErrorCode.NUMERIC_OVERFLOW, shown(text) + " is outside the range of DOUBLE");
        }
        // -0.0 equals 0.0, and equal values have equal bits wherever they are stored.
        return value + 0.0;
    }

    private static BigDecimal number(String text) {
        if (text.length() > LONGEST_NUMBER || !NUMBER.matcher(text).matches()) {
            throw invalid(shown(text) + " is not a number");
        }
        BigDecimal value = new BigDecimal(text);
        return value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    }

    private static byte[] varchar(SqlType type, String text) {
        String value = string(text, "a string in quotes");
        int characters = value.codePointCount(0, value.length());
        if (characters > type.precision()) {
            throw tooLong(text, characters + " characters", type);
        }
        return value.getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] varbinary(SqlType type, String text) {
        if (!text.startsWith("x'") && !text.startsWith("X'")) {
            throw invalid(shown(text) + " is not a binary literal such as x'00ff'");
        }
        byte[] bytes;
        try {
            bytes = HexFormat.of().parseHex(string(text.substring(1), "a binary literal"));
        } catch (IllegalArgumentException e) {
            throw invalid(shown(text) + " is not a binary literal: it needs an even number of digits from 0 to f");
        }
        if (bytes.length > type.precision()) {
            throw tooLong(text, bytes.length + " bytes", type);
        }
        return bytes;
    }

    /** An array in quotes, whose elements are literals without quotes. */
    private static byte[] array(SqlType type, String text) {
        return ArrayText.parse(type, string(text, "an array in quotes, such as '{1,2}'"), Literals::element);
    }

    private static DefaultValue element(SqlType type, String text) {
        return switch (type.kind()) {
            case BOOLEAN -> parse(type, text.equals("t") ? "TRUE" : text.equals("f") ? "FALSE" : text);
            case TINYINT, SMALLINT, INTEGER, BIGINT, DOUBLE, DECIMAL -> parse(type, text);
            case VARBINARY ->
                type.isWide()
                        ? parse(type, text)
                        : type.isUuid()
                                ? parse(type, quote(text))
                                : parse(type, "x" + quote(text.startsWith("\\x") ? text.substring(2) : text));
            case TIMESTAMP -> parse(type, quote(type.isZoned() ? text.replaceFirst("\\+00$", "") : text));
            default -> parse(type, quote(text));
        };
    }

    static String uuid(byte[] bytes) {
        ByteBuffer words = ByteBuffer.wrap(bytes);
        return new UUID(words.getLong(), words.getLong()).toString();
    }

    private static byte[] uuid(String text) {
        try {
            UUID uuid = UUID.fromString(string(text, "a UUID in quotes"));
            return ByteBuffer.allocate(2 * Long.BYTES)
                    .putLong(uuid.getMostSignificantBits())
                    .putLong(uuid.getLeastSignificantBits())
                    .array();
        } catch (IllegalArgumentException e) {
            throw invalid(shown(text) + " is not a UUID such as '123e4567-e89b-12d3-a456-426614174000'");
        }
    }

    private static boolean isNow(String text) {
        String upper = text.toUpperCase(Locale.ROOT);
        return upper.equals(CURRENT_TIMESTAMP) || upper.equals("NOW") || upper.equals("NOW()");
    }

    private static long micros(String text) {
        String value = string(untyped(text), "a time such as '2025-12-31 23:59:59.123456'");
        Matcher matcher = TIMESTAMP.matcher(DATE.matcher(value).matches() ? value + " 00:00:00" : value);
        if (!matcher.matches()) {
            throw invalid(shown(text) + " is not a time such as '2025-12-31 23:59:59.123456'");
        }
        try {
            long seconds = LocalDateTime.of(
                            group(matcher, 1),
                            group(matcher, 2),
                            group(matcher, 3),
                            group(matcher, 4),
                            group(matcher, 5),
                            group(matcher, 6))
                    .toEpochSecond(ZoneOffset.UTC);
            String fraction = matcher.group(7) == null ? "0" : (matcher.group(7) + "00000").substring(0, 6);
            return seconds * MICROS + Long.parseLong(fraction);
        } catch (DateTimeException e) {
            throw invalid(shown(text) + " is not a time that exists");
        }
    }

    private static long days(String text) {
        Matcher matcher = DATE.matcher(string(untyped(text), "a date such as '2025-12-31'"));
        if (!matcher.matches()) {
            throw invalid(shown(text) + " is not a date such as '2025-12-31'");
        }
        try {
            return LocalDate.of(group(matcher, 1), group(matcher, 2), group(matcher, 3))
                    .toEpochDay();
        } catch (DateTimeException e) {
            throw invalid(shown(text) + " is not a date that exists");
        }
    }

    private static long timeOfDay(String text) {
        String value = string(untyped(text), "a time of day such as '23:59:59.123456'");
        if (!TIME.matcher(value).matches()) {
            throw invalid(shown(text) + " is not a time of day such as '23:59:59.123456'");
        }
        try {
            return LocalTime.parse(value).toNanoOfDay() / 1000;
        } catch (DateTimeException e) {
            throw invalid(shown(text) + " is not a time of day that exists");
        }
    }

    private static String untyped(String text) {
        Matcher matcher = TYPED.matcher(text);
        return matcher.lookingAt() ? text.substring(matcher.end()) : text;
    }

    private static int group(Matcher matcher, int group) {
        return Integer.parseInt(matcher.group(group));
    }

    private static String string(String text, String expected) {
        if (text.length() < 2 || text.charAt(0) != '\'' || text.charAt(text.length() - 1) != '\'') {
            throw invalid(shown(text) + " is not " + expected);
        }
        String inner = text.substring(1, text.length() - 1);
        if (inner.replace("''", "").indexOf('\'') >= 0) {
            throw invalid(shown(text) + " is not " + expected);
        }
        return inner.replace("''", "'");
    }

    private static String shown(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    private static ProcedureException invalid(String problem) {
        return new ProcedureException(ErrorCode.INVALID_VALUE, problem);
    }

    private static ProcedureException tooLong(String text, String length, SqlType type) {
        return new ProcedureException(
                ErrorCode.VALUE_TOO_LONG, shown(text) + " has " + length + ", too many for " + type);
    }
}
