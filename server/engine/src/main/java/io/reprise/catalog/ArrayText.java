package io.reprise.catalog;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/** Arrays as text, as PostgreSQL writes them: {@code {1,NULL,"a b"}}. */
public final class ArrayText {
    private static final int LONGEST_SHOWN = 60;

    private ArrayText() {}

    /** An array as text. */
    public static String of(SqlType array, byte[] bytes) {
        SqlType element = array.element();
        ArrayReader reader = new ArrayReader(array, bytes);
        StringJoiner text = new StringJoiner(",", "{", "}");
        while (reader.next()) {
            text.add(reader.isNull() ? "NULL" : quoted(element(element, reader)));
        }
        return text.toString();
    }

    /** The text of an element that is not NULL, as PostgreSQL writes it. */
    public static String element(SqlType element, ArrayReader at) {
        return switch (element.kind()) {
            case BOOLEAN -> at.word() == 0 ? "f" : "t";
            case VARCHAR -> new String(at.string(), StandardCharsets.UTF_8);
            case VARBINARY ->
                element.isWide()
                        ? DecimalBytes.text(element, at.string())
                        : element.isUuid()
                                ? Literals.uuid(at.string())
                                : "\\x" + HexFormat.of().formatHex(at.string());
            case DOUBLE -> PostgresText.ofNumber(element, Double.longBitsToDouble(at.word()));
            case DECIMAL -> BigDecimal.valueOf(at.word(), element.scale()).toPlainString();
            case TIMESTAMP -> PostgresText.ofTimestamp(element, at.word());
            case DATE -> PostgresText.ofDate(at.word());
            case TIME -> PostgresText.ofTime(at.word());
            case TINYINT, SMALLINT, INTEGER, BIGINT -> Long.toString(at.word());
        };
    }

    /** An element in quotation marks, if its text needs them. */
    public static String quoted(String element) {
        boolean plain = !element.isEmpty()
                && !element.equalsIgnoreCase("NULL")
                && element.chars().noneMatch(c -> "{},\"\\".indexOf(c) >= 0 || Character.isWhitespace(c));
        return plain ? element : '"' + element.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }

    /** Whole numbers as an array's text. */
    public static String of(int... numbers) {
        return of(Arrays.stream(numbers).asLongStream().toArray());
    }

    /** The same. */
    public static String of(long... numbers) {
        return LongStream.of(numbers).mapToObj(Long::toString).collect(Collectors.joining(",", "{", "}"));
    }

    /** The same of other numbers. */
    public static String of(double... numbers) {
        return DoubleStream.of(numbers).mapToObj(Double::toString).collect(Collectors.joining(",", "{", "}"));
    }

    /** The same of strings, which may be null. */
    public static String of(String... strings) {
        return Arrays.stream(strings)
                .map(each -> each == null ? "NULL" : quoted(each))
                .collect(Collectors.joining(",", "{", "}"));
    }

    /**
     * The bytes of the array that a text stands for.
     *
     * @param read the reader of an element of a type
     */
    public static byte[] parse(SqlType array, String text, BiFunction<SqlType, String, DefaultValue> read) {
        SqlType element = array.element();
        ArrayWriter to = new ArrayWriter(element);
        for (String each : split(text)) {
            if (each == null) {
                to.addNull();
                continue;
            }
            switch (read.apply(element, each)) {
                case DefaultValue.Word word -> to.add(word.value());
                case DefaultValue.Bytes bytes -> to.add(bytes.value());
                case DefaultValue.CurrentTimestamp now ->
                    throw malformed(text, "an element of an array is a value, and not " + now);
            }
        }
        byte[] bytes = to.toBytes();
        if (bytes.length > SqlType.MAX_STRING_BYTES) {
            throw tooLong(bytes.length);
        }
        return bytes;
    }

    /** An array has more bytes than a value can have. */
    public static ProcedureException tooLong(long bytes) {
        return new ProcedureException(
                ErrorCode.VALUE_TOO_LONG,
                "an array of " + bytes + " bytes is too long: " + SqlType.MAX_STRING_BYTES + " are the most");
    }

    /** The elements of an array's text; null for NULL. */
    public static List<String> split(String text) {
        return new Splitter(text).elements();
    }

    private static ProcedureException malformed(String text, String why) {
        String shown = text.length() <= LONGEST_SHOWN ? text : text.substring(0, LONGEST_SHOWN) + "...";
        return new ProcedureException(ErrorCode.INVALID_VALUE, "malformed array literal: '" + shown + "': " + why);
    }

    /** The walk through a text. */
    private static final class Splitter {
        private final String text;
        private final int end;
        private int at;

        Splitter(String text) {
            this.text = text;
            end = text.stripTrailing().length() - 1;
        }

        List<String> elements() {
            blanks();
            if (end <= at - 1 || peek() != '{' || text.charAt(end) != '}' || end == at) {
                throw malformed(text, "it begins with '{' and ends with '}'");
            }
            at++;
            List<String> elements = new ArrayList<>();
            blanks();
            if (at == end) {
                return elements;
            }
            while (true) {
                blanks();
                elements.add(peek() == '"' ? quoted() : plain());
                blanks();
                if (at == end) {
                    return elements;
                } else if (peek() != ',') {
                    throw malformed(text, "a comma stands between elements");
                }
                at++;
            }
        }

        private char peek() {
            return at <= end ? text.charAt(at) : '\0';
        }

        private void blanks() {
            while (at < end && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
        }

        private String quoted() {
            StringBuilder element = new StringBuilder();
            at++;
            while (at < end && peek() != '"') {
                at += peek() == '\\' ? 1 : 0;
                if (at < end) {
                    element.append(text.charAt(at++));
                }
            }
            if (at >= end) {
                throw malformed(text, "a quotation mark is missing");
            }
            at++;
            return element.toString();
        }

        private String plain() {
            StringBuilder element = new StringBuilder();
            boolean escaped = false;
            int length = 0;
            while (at < end && peek() != ',') {
                char c = text.charAt(at++);
                if (c == '{' || c == '}') {
                    throw malformed(text, "arrays have one dimension here");
                } else if (c == '"') {
                    throw malformed(text, "a quotation mark stands within an element");
                } else if (c == '\\' && at < end) {
                    escaped = true;
                    element.append(text.charAt(at++));
                    length = element.length();
                } else {
                    element.append(c);
                    length = Character.isWhitespace(c) ? length : element.length();
                }
            }
            element.setLength(length);
            if (element.isEmpty()) {
                throw malformed(text, "an element is missing");
            }
            boolean none =
                    !escaped && element.toString().toUpperCase(Locale.ROOT).equals("NULL");
            return none ? null : element.toString();
        }
    }
}
