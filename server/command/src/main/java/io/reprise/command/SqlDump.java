package io.reprise.command;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The statements of a script, as pg_dump or a person writes it, and the number of rows that it has for each table. Immutable. */
record SqlDump(List<String> statements, Map<String, Long> rows) {
    private static final Pattern COPY = Pattern.compile("(?is)^COPY\\s+([^\\s(]+).*FROM\\s+stdin.*$");
    private static final Pattern INSERT = Pattern.compile("(?is)^INSERT\\s+INTO\\s+([^\\s(]+).*$");
    private static final Pattern DOLLAR = Pattern.compile("\\$[A-Za-z_]*\\$");

    /** Reads a script. Comments and psql's commands are left out; data are counted. */
    static SqlDump read(String text) {
        Reader reader = new Reader(text);
        List<String> statements = new ArrayList<>();
        Map<String, Long> rows = new TreeMap<>();
        for (String statement = reader.next(); statement != null; statement = reader.next()) {
            Matcher copy = COPY.matcher(statement);
            Matcher insert = INSERT.matcher(statement);
            if (copy.matches()) {
                rows.merge(plain(copy.group(1)), reader.data(), Long::sum);
            } else if (insert.matches()) {
                rows.merge(plain(insert.group(1)), 1L, Long::sum);
            } else if (!statement.isEmpty()) {
                statements.add(statement);
            }
        }
        return new SqlDump(List.copyOf(statements), rows);
    }

    /** A name without its schema and its quotes, in lower case where it was not quoted. */
    static String plain(String name) {
        String last = name.substring(name.lastIndexOf('.') + 1);
        return last.startsWith("\"") ? last.substring(1, last.length() - 1) : last.toLowerCase(Locale.ROOT);
    }

    /** Walks over the text. */
    private static final class Reader {
        private final String text;
        private int at;

        Reader(String text) {
            this.text = text;
        }

        /** The next statement without its semicolon and without comments; null at the end. */
        String next() {
            StringBuilder out = new StringBuilder();
            while (at < text.length()) {
                char c = text.charAt(at);
                if (text.startsWith("--", at) || c == '\\' && out.toString().isBlank()) {
                    at = lineEnd();
                } else if (text.startsWith("/*", at)) {
                    at = after("*/", at + 2);
                } else if (c == ';') {
                    at++;
                    return out.toString().strip();
                } else if (c == '\'' || c == '"') {
                    copy(out, after(String.valueOf(c), at + 1));
                } else if (c == '$'
                        && DOLLAR.matcher(text).region(at, text.length()).lookingAt()) {
                    Matcher tag = DOLLAR.matcher(text).region(at, text.length());
                    tag.lookingAt();
                    copy(out, after(tag.group(), tag.end()));
                } else {
                    out.append(c);
                    at++;
                }
            }
            return out.toString().isBlank() ? null : out.toString().strip();
        }

        private void copy(StringBuilder out, int end) {
            out.append(text, at, end);
            at = end;
        }

        private int after(String mark, int from) {
            int found = text.indexOf(mark, from);
            return found < 0 ? text.length() : found + mark.length();
        }

        private int lineEnd() {
            int end = text.indexOf('\n', at);
            return end < 0 ? text.length() : end + 1;
        }

        /** Skips the lines of a COPY; returns their number. */
        long data() {
            at = lineEnd();
            long lines = 0;
            while (at < text.length()) {
                int begin = at;
                at = lineEnd();
                if (text.startsWith("\\.", begin)) {
                    return lines;
                }
                lines++;
            }
            return lines;
        }
    }
}
