package io.reprise.session;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * The form of the data of a COPY.
 *
 * @param kind text, CSV or binary
 * @param delimiter between fields
 * @param nullText stands for NULL
 * @param header whether the first line has names
 * @param matchesHeader whether these names are compared with the columns
 * @param quote around fields of CSV
 * @param escape before a quote within a quoted field
 * @param forceQuote columns that are always quoted; {@code *}: all
 * @param forceNotNull columns that are never NULL
 * @param forceNull columns that are NULL even if they are quoted
 */
public record CopyFormat(
        Kind kind,
        byte delimiter,
        String nullText,
        boolean header,
        boolean matchesHeader,
        byte quote,
        byte escape,
        List<String> forceQuote,
        List<String> forceNotNull,
        List<String> forceNull) {
    /** The forms. */
    public enum Kind {
        /** Lines, tabs and backslashes. */
        TEXT,
        /** Comma-separated values. */
        CSV,
        /** PostgreSQL's binary form. */
        BINARY
    }

    /** Whether a list of columns has this one. */
    public static boolean has(List<String> columns, String name) {
        return columns.contains(name)
                || columns.size() == 1 && columns.getFirst().equals("*");
    }

    /** Collects options. */
    static final class Builder {
        private final boolean from;
        private Kind kind = Kind.TEXT;
        private String delimiter;
        private String nullText;
        private String header = "off";
        private String quote = "\"";
        private String escape;
        private List<String> forceQuote = List.of();
        private List<String> forceNotNull = List.of();
        private List<String> forceNull = List.of();

        Builder(boolean from) {
            this.from = from;
        }

        void binary() {
            kind = Kind.BINARY;
        }

        void set(String name, String value) {
            switch (name) {
                case "FORMAT" -> kind = kind(value);
                case "DELIMITER" -> delimiter = value;
                case "NULL" -> nullText = value;
                case "HEADER" -> header = value.isEmpty() ? "on" : value.toLowerCase(Locale.ROOT);
                case "QUOTE" -> quote = value;
                case "ESCAPE" -> escape = value;
                case "ENCODING" -> checkEncoding(value);
                case "FREEZE" -> {
                    // Rows are visible at commit in any case.
                }
                default ->
                    throw new SessionException(
                            SqlStates.SYNTAX_ERROR, "option \"" + name.toLowerCase(Locale.ROOT) + "\" not recognized");
            }
        }

        private static Kind kind(String value) {
            return switch (value.toLowerCase(Locale.ROOT)) {
                case "text" -> Kind.TEXT;
                case "csv" -> Kind.CSV;
                case "binary" -> Kind.BINARY;
                default ->
                    throw new SessionException(
                            SqlStates.INVALID_SETTING, "COPY format \"" + value + "\" not recognized");
            };
        }

        private static void checkEncoding(String value) {
            String plain = value.replaceAll("[^A-Za-z0-9]", "").toUpperCase(Locale.ROOT);
            if (!plain.equals("UTF8") && !plain.equals("UNICODE") && !plain.equals("SQLASCII")) {
                throw SessionException.unsupported("the server speaks UTF8 only, not " + value);
            }
        }

        void force(String name, List<String> columns) {
            switch (name) {
                case "FORCE_QUOTE" -> forceQuote = columns;
                case "FORCE_NOT_NULL" -> forceNotNull = columns;
                default -> forceNull = columns;
            }
        }

        CopyFormat build() {
            boolean csv = kind == Kind.CSV;
            if (kind == Kind.BINARY && (delimiter != null || nullText != null || isHeader())) {
                throw new SessionException(
                        SqlStates.SYNTAX_ERROR, "cannot specify DELIMITER, NULL or HEADER in BINARY mode");
            }
            if (!csv && (escape != null || !forceQuote.isEmpty() || !forceNotNull.isEmpty() || !forceNull.isEmpty())) {
                throw SessionException.unsupported("COPY ESCAPE and FORCE options require CSV mode");
            }
            CopyFormat format = new CopyFormat(
                    kind,
                    one("delimiter", delimiter == null ? csv ? "," : "\t" : delimiter),
                    nullText == null ? csv ? "" : "\\N" : nullText,
                    isHeader(),
                    header.equals("match"),
                    one("quote", quote),
                    one("escape", escape == null ? quote : escape),
                    forceQuote,
                    forceNotNull,
                    forceNull);
            if (csv && format.delimiter == format.quote) {
                throw new SessionException(SqlStates.INVALID_SETTING, "COPY delimiter and quote must be different");
            }
            return format;
        }

        private boolean isHeader() {
            return switch (header) {
                case "on", "true", "1" -> true;
                case "off", "false", "0" -> false;
                case "match" -> {
                    if (!from) {
                        throw new SessionException(
                                SqlStates.INVALID_SETTING, "cannot use \"match\" with HEADER in COPY TO");
                    }
                    yield true;
                }
                default ->
                    throw new SessionException(SqlStates.SYNTAX_ERROR, "header requires a Boolean value or \"match\"");
            };
        }

        private static byte one(String name, String value) {
            byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
            if (bytes.length != 1
                    || bytes[0] == '\n'
                    || bytes[0] == '\r'
                    || bytes[0] == '\\' && name.equals("delimiter")) {
                throw new SessionException(
                        SqlStates.NOT_SUPPORTED, "COPY " + name + " must be a single one-byte character");
            }
            return bytes[0];
        }
    }
}
