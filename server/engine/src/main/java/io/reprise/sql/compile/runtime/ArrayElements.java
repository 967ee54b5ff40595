package io.reprise.sql.compile.runtime;

import io.reprise.catalog.ArrayReader;
import io.reprise.catalog.ArrayText;
import io.reprise.catalog.ArrayWriter;
import io.reprise.catalog.DecimalBytes;
import io.reprise.catalog.DefaultValue;
import io.reprise.catalog.SqlType;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.TreeSet;

/** The elements of arrays: read from texts as a CAST reads them, converted to other types, and sought. */
public final class ArrayElements {
    private ArrayElements() {}

    /** The bytes of the array that a text stands for. */
    public static byte[] parse(SqlType array, String text) {
        return ArrayText.parse(array, text, ArrayElements::read);
    }

    /** An array with its elements converted to those of another type, as CAST does. A string that is too long is refused. */
    static byte[] convert(SqlType from, byte[] bytes, SqlType to) {
        if (from.element().equals(to.element())) {
            return bytes;
        }
        SqlType element = to.element();
        SqlType given = element.kind() == SqlType.Kind.VARCHAR ? from.element() : exact(from.element());
        ArrayWriter writer = new ArrayWriter(element);
        ArrayReader reader = new ArrayReader(from, bytes);
        while (reader.next()) {
            if (reader.isNull()) {
                writer.addNull();
            } else if (element.kind().isString()
                    && from.element().kind() == element.kind()
                    && !element.isWide()
                    && !from.element().isWide()) {
                add(writer, element, reader.string());
            } else {
                add(writer, element, ArrayText.element(given, reader));
            }
        }
        return writer.toBytes();
    }

    /** The type whose texts have all that a value has: a REAL all digits of its DOUBLE, and a moment no zone. */
    private static SqlType exact(SqlType type) {
        return type.isReal() || type.isZoned() ? SqlType.of(type.kind()) : type;
    }

    /** Adds the element that a text stands for. */
    public static void add(ArrayWriter to, SqlType type, String text) {
        add(to, read(type, text));
    }

    /** Adds a string as an element, if it fits the type. */
    public static void add(ArrayWriter to, SqlType type, byte[] string) {
        to.add(checked(type, string));
    }

    private static void add(ArrayWriter to, DefaultValue value) {
        if (value instanceof DefaultValue.Word(long word)) {
            to.add(word);
        } else if (value instanceof DefaultValue.Bytes(byte[] string)) {
            to.add(string);
        }
    }

    /** The value of an element's text. */
    private static DefaultValue read(SqlType type, String text) {
        return switch (type.kind()) {
            case VARCHAR -> new DefaultValue.Bytes(checked(type, text.getBytes(StandardCharsets.UTF_8)));
            case VARBINARY ->
                new DefaultValue.Bytes(
                        type.isWide()
                                ? DecimalBytes.rounded(type, Conversions.number(text.strip(), type))
                                : checked(type, binary(type, text)));
            default -> new DefaultValue.Word(word(type, text.strip()));
        };
    }

    private static long word(SqlType type, String text) {
        return switch (type.kind()) {
            case BOOLEAN -> truth(text);
            case TINYINT -> Numbers.fitTinyint(whole(text));
            case SMALLINT -> Numbers.fitSmallint(whole(text));
            case INTEGER -> Numbers.fitInteger(whole(text));
            case BIGINT -> whole(text);
            case DECIMAL -> Decimals.unscaled(Conversions.number(text, type), type.precision(), type.scale());
            case DOUBLE -> Double.doubleToRawLongBits(real(type, text));
            case TIMESTAMP -> type.isZoned() ? Timestamps.parseMoment(text) : Timestamps.parse(text);
            case DATE -> Timestamps.parseDate(text);
            case TIME -> Timestamps.parseTime(text);
            case VARCHAR, VARBINARY -> throw new IllegalArgumentException(type + " is no word");
        };
    }

    private static long truth(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "t", "true", "yes", "on", "1" -> 1;
            case "f", "false", "no", "off", "0" -> 0;
            default -> throw Conversions.notA("BOOLEAN", text);
        };
    }

    private static long whole(String text) {
        return Decimals.rounded(Conversions.number(text, "BIGINT"), 0, "BIGINT");
    }

    private static double real(SqlType type, String text) {
        double value = Conversions.number(text, type).doubleValue();
        double kept = type.isReal() ? (float) value : value;
        if (Double.isInfinite(kept)) {
            throw Errors.overflow(text + " is out of range for " + type);
        }
        // -0.0 equals 0.0, and equal values have equal bits.
        return kept + 0.0;
    }

    private static byte[] binary(SqlType type, String text) {
        if (type.isUuid()) {
            return Uuids.bytes(text);
        } else if (!text.startsWith("\\x")) {
            return text.getBytes(StandardCharsets.UTF_8);
        }
        try {
            return HexFormat.of().parseHex(text.substring(2));
        } catch (IllegalArgumentException e) {
            throw Conversions.notA(type, text);
        }
    }

    /** A string whose length fits its type; of JSON also its form. */
    private static byte[] checked(SqlType type, byte[] string) {
        int length = string.length;
        if (type.kind() == SqlType.Kind.VARCHAR && length > type.precision()) {
            String text = new String(string, StandardCharsets.UTF_8);
            length = text.codePointCount(0, text.length());
        }
        if (length > type.precision()) {
            throw Errors.tooLong("an element of " + length + " is too long for an array of " + type);
        }
        if (type.isJson()) {
            JsonText.check(string);
        }
        return string;
    }

    /** Refuses bytes that are no array of a type, and elements that the type does not have. */
    static void check(SqlType array, byte[] bytes) {
        SqlType element = array.element();
        ArrayReader reader = new ArrayReader(array, bytes);
        while (reader.next()) {
            if (reader.isNull()) {
                continue;
            }
            switch (element.kind()) {
                case VARCHAR -> checked(element, utf8(reader.string()));
                case VARBINARY -> {
                    if (element.isWide()) {
                        DecimalBytes.check(element, reader.string());
                    } else {
                        checked(element, reader.string());
                    }
                }
                case DECIMAL -> Decimals.fit(reader.word(), element.precision(), element.scale());
                default -> {}
            }
        }
    }

    private static byte[] utf8(byte[] string) {
        if (!Arrays.equals(new String(string, StandardCharsets.UTF_8).getBytes(StandardCharsets.UTF_8), string)) {
            throw Errors.invalid("an element of " + string.length + " bytes is no string, because it is not UTF-8");
        }
        return string;
    }

    static boolean contains(SqlType array, byte[] whole, byte[] part) {
        TreeSet<byte[]> elements = elements(array, whole);
        ArrayReader reader = new ArrayReader(array, part);
        int from = 0;
        while (reader.next()) {
            if (reader.isNull() || !elements.contains(Arrays.copyOfRange(part, from, reader.end()))) {
                return false;
            }
            from = reader.end();
        }
        return true;
    }

    static boolean overlaps(SqlType array, byte[] one, byte[] other) {
        TreeSet<byte[]> elements = elements(array, one);
        ArrayReader reader = new ArrayReader(array, other);
        int from = 0;
        while (reader.next()) {
            if (!reader.isNull() && elements.contains(Arrays.copyOfRange(other, from, reader.end()))) {
                return true;
            }
            from = reader.end();
        }
        return false;
    }

    /** The elements that are not NULL, as arrays of one. */
    private static TreeSet<byte[]> elements(SqlType array, byte[] bytes) {
        TreeSet<byte[]> elements = new TreeSet<>(Arrays::compareUnsigned);
        ArrayReader reader = new ArrayReader(array, bytes);
        int from = 0;
        while (reader.next()) {
            if (!reader.isNull()) {
                elements.add(Arrays.copyOfRange(bytes, from, reader.end()));
            }
            from = reader.end();
        }
        return elements;
    }
}
