package io.reprise.command;

import java.math.BigDecimal;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeParseException;
import java.util.HexFormat;
import java.util.Locale;

/** From text to a value of a column's type, as a client is given it. */
final class ColumnText {
    private static final int LONGEST_SHOWN = 60;

    private ColumnText() {}

    /** The value; throws IllegalArgumentException saying what could stand there. */
    static Object value(String type, String text) {
        if (text == null) {
            return null;
        }
        String kind = type.contains("(") ? type.substring(0, type.indexOf('(')) : type;
        try {
            return switch (kind) {
                case "VARCHAR" -> text;
                case "VARBINARY" -> HexFormat.of().parseHex(text.strip());
                case "BOOLEAN" -> bool(text.strip());
                case "DOUBLE" -> Double.valueOf(text.strip());
                case "DECIMAL" -> new BigDecimal(text.strip());
                case "TIMESTAMP" -> timestamp(text.strip());
                case "DATE" -> LocalDate.parse(text.strip());
                default -> Long.valueOf(text.strip());
            };
        } catch (IllegalArgumentException | DateTimeParseException e) {
            throw new IllegalArgumentException("'" + shown(text) + "' is no " + type, e);
        }
    }

    /** Enough to know it by. */
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

    /** With a zone or, as SQL has it, without one: then it is UTC. */
    private static Instant timestamp(String text) {
        String iso = text.replace(' ', 'T');
        return iso.endsWith("Z") || iso.matches(".*T.*[+-][0-9:]+")
                ? Instant.parse(iso)
                : LocalDateTime.parse(iso.contains("T") ? iso : iso + "T00:00:00")
                        .toInstant(ZoneOffset.UTC);
    }
}
