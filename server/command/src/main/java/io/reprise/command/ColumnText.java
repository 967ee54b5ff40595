package io.reprise.command;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.function.Function;

/** The text form of a column's values in files: converts it to the value that a client sends. */
final class ColumnText {
    private static final int LONGEST_SHOWN = 60;

    private final String type;

    /** The type without length and scale. */
    private final String kind;

    private final Function<String, Object> conversion;

    private ColumnText(String type, String kind, Function<String, Object> conversion) {
        this.type = type;
        this.kind = kind;
        this.conversion = conversion;
    }

    /** Of a column with this SQL type. */
    static ColumnText of(String type) {
        String kind = type.contains("(") ? type.substring(0, type.indexOf('(')) : type;
        return new ColumnText(
                type,
                kind,
                switch (kind) {
                    case "VARCHAR" -> text -> text;
                    case "VARBINARY" -> text -> HexFormat.of().parseHex(text.strip());
                    case "BOOLEAN" -> text -> bool(text.strip());
                    case "DOUBLE" -> text -> Double.valueOf(text.strip());
                    case "DECIMAL" -> text -> new BigDecimal(text.strip());
                    case "TIMESTAMP" -> text -> timestamp(text.strip());
                    case "TIME" -> text -> LocalTime.parse(text.strip());
                    case "DATE" -> text -> LocalDate.parse(text.strip());
                    default -> text -> Long.valueOf(text.strip());
                });
    }

    /** The value; null of null. Throws IllegalArgumentException with the text and the type. */
    Object value(String text) {
        if (text == null) {
            return null;
        }
        try {
            return conversion.apply(text);
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new IllegalArgumentException("'" + shown(text) + "' is no " + type, e);
        }
    }

    /** A value of another form for this column: as it is if its class fits, and otherwise by its text. */
    Object converted(Object value) {
        return switch (value) {
            case null -> null;
            case byte[] bytes when kind.equals("VARBINARY") -> bytes;
            case byte[] bytes -> value(HexFormat.of().formatHex(bytes));
            case Boolean truth when kind.equals("BOOLEAN") -> truth;
            case Instant time when kind.equals("TIMESTAMP") -> time;
            case LocalTime time when kind.equals("TIME") -> time;
            case LocalDate date when kind.equals("DATE") -> date;
            case BigDecimal number when kind.equals("DECIMAL") -> number;
            case Double number when kind.equals("DOUBLE") -> number;
            case String plain when kind.equals("VARCHAR") -> plain;
            default -> value(value.toString());
        };
    }

    /** Its beginning. */
    private static String shown(String text) {
        return text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
    }

    private static Boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "true", "t", "1" -> true;
            case "false", "f", "0" -> false;
            default -> throw new IllegalArgumentException(text);
        };
    }

    /** With a zone; or without one, as SQL has it, for a time in UTC. */
    private static Instant timestamp(String text) {
        Instant plain = PlainTimestamp.parse(text);
        if (plain != null) {
            return plain;
        }
        String iso = text.replace(' ', 'T');
        if (hasZone(iso)) {
            return Instant.parse(iso);
        }
        return LocalDateTime.parse(iso.contains("T") ? iso : iso + "T00:00:00").toInstant(ZoneOffset.UTC);
    }

    /** Whether Z, a plus or a minus follows the time of day. */
    private static boolean hasZone(String iso) {
        int time = iso.indexOf('T');
        return iso.endsWith("Z") || time >= 0 && (iso.indexOf('+', time) >= 0 || iso.indexOf('-', time) >= 0);
    }
}
