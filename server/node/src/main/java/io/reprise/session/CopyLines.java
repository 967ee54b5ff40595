package io.reprise.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Splits the data of a COPY in the text form and in CSV into rows. */
final class CopyLines extends CopyRows {
    private static final String BAD_FORMAT = "22P04";

    private final CopyFormat format;
    private final List<String> columns;
    private final boolean[] notNull;
    private final boolean[] quotedNull;
    private final byte[] nullText;
    private final Receiver receiver;
    private final boolean csv;
    private final byte delimiter;
    private final byte quote;
    private final byte escape;

    /** The place up to which the present row was searched for its end. */
    private int searched;

    /** Within quotes at that place. */
    private boolean quoted;

    /** The byte before that place makes the next one a part of the row. */
    private boolean escaped;

    private long line = 1;
    private long linesWithin;
    private boolean headed;
    private boolean ended;
    private byte[] field = new byte[256];

    CopyLines(CopyFormat format, List<String> columns, Receiver receiver) {
        this.format = format;
        this.columns = columns;
        this.receiver = receiver;
        csv = format.kind() == CopyFormat.Kind.CSV;
        delimiter = format.delimiter();
        quote = format.quote();
        escape = format.escape();
        nullText = format.nullText().getBytes(StandardCharsets.UTF_8);
        headed = !format.header();
        notNull = flags(format.forceNotNull());
        quotedNull = flags(format.forceNull());
    }

    private boolean[] flags(List<String> names) {
        boolean[] flags = new boolean[columns.size()];
        for (int i = 0; i < flags.length; i++) {
            flags[i] = CopyFormat.has(names, columns.get(i));
        }
        return flags;
    }

    @Override
    long line() {
        return line;
    }

    @Override
    void moved(int by) {
        searched -= by;
    }

    @Override
    void split() {
        byte[] data = buffer();
        int end = end();
        int at = Math.max(searched, begin());
        while (at < end && !ended) {
            byte b = data[at++];
            if (escaped) {
                escaped = false;
                linesWithin += b == '\n' ? 1 : 0;
            } else if (b == '\n' && !quoted) {
                row(begin(), at - 1);
                splitTo(at);
            } else if (csv) {
                inCsv(b);
            } else {
                escaped = b == '\\';
            }
        }
        searched = at;
        if (ended) {
            splitTo(end);
        }
    }

    /** A quote within a quoted field that is not escaped ends it; a doubled one begins it again at once. */
    private void inCsv(byte b) {
        if (quoted && b == escape && b != quote) {
            escaped = true;
        } else if (b == quote) {
            quoted = !quoted;
        } else if (b == '\n') {
            linesWithin++;
        }
    }

    @Override
    void finish() {
        if (quoted) {
            throw new SessionException(BAD_FORMAT, "unterminated CSV quoted field");
        }
        if (!ended && begin() < end()) {
            row(begin(), end());
            splitTo(end());
        }
    }

    private void row(int from, int lineEnd) {
        byte[] data = buffer();
        int to = lineEnd > from && data[lineEnd - 1] == '\r' ? lineEnd - 1 : lineEnd;
        if (to - from == 2 && data[from] == '\\' && data[from + 1] == '.') {
            ended = true;
            return;
        }
        if (!headed) {
            headed = true;
            if (format.matchesHeader()) {
                checkHeader(fields(data, from, to));
            }
        } else {
            receiver.row(fields(data, from, to), line);
        }
        line += 1 + linesWithin;
        linesWithin = 0;
    }

    private void checkHeader(byte[]... names) {
        for (int i = 0; i < names.length; i++) {
            String name = names[i] == null ? "" : new String(names[i], StandardCharsets.UTF_8);
            if (!name.equals(columns.get(i))) {
                throw new SessionException(
                        BAD_FORMAT,
                        "column name mismatch in header line field " + (i + 1) + ": got \"" + name + "\", expected \""
                                + columns.get(i) + "\"");
            }
        }
    }

    private byte[][] fields(byte[] data, int from, int to) {
        byte[][] fields = new byte[columns.size()][];
        int at = from;
        for (int i = 0; i < fields.length; i++) {
            if (at > to) {
                throw new SessionException(BAD_FORMAT, "missing data for column \"" + columns.get(i) + "\"");
            }
            at = (csv ? quotable(data, at, to, i, fields) : plain(data, at, to, i, fields)) + 1;
        }
        if (at <= to) {
            throw new SessionException(BAD_FORMAT, "extra data after last expected column");
        }
        return fields;
    }

    private boolean isNull(byte[] data, int from, int to) {
        return Arrays.equals(data, from, to, nullText, 0, nullText.length);
    }

    /** Reads a field of the text form. Returns its end. */
    private int plain(byte[] data, int from, int to, int column, byte[]... fields) {
        int end = from;
        boolean escapes = false;
        while (end < to && data[end] != delimiter) {
            if (data[end] == '\\') {
                escapes = true;
                end++;
            }
            end++;
        }
        end = Math.min(end, to);
        if (!isNull(data, from, end)) {
            fields[column] = escapes ? unescaped(data, from, end) : Arrays.copyOfRange(data, from, end);
        }
        return end;
    }

    private byte[] unescaped(byte[] data, int from, int to) {
        byte[] value = new byte[to - from];
        int length = 0;
        int at = from;
        while (at < to) {
            byte b = data[at++];
            if (b != '\\' || at == to) {
                value[length++] = b;
                continue;
            }
            b = data[at++];
            switch (b) {
                case 'b' -> value[length++] = '\b';
                case 'f' -> value[length++] = '\f';
                case 'n' -> value[length++] = '\n';
                case 'r' -> value[length++] = '\r';
                case 't' -> value[length++] = '\t';
                case 'v' -> value[length++] = 0x0B;
                case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                    int digits = digits(data, at, Math.min(to, at + 2), 8);
                    value[length++] = (byte) number(data, at - 1, at + digits, 8);
                    at += digits;
                }
                case 'x' -> {
                    int digits = digits(data, at, Math.min(to, at + 2), 16);
                    value[length++] = digits == 0 ? b : (byte) number(data, at, at + digits, 16);
                    at += digits;
                }
                default -> value[length++] = b;
            }
        }
        return Arrays.copyOf(value, length);
    }

    private static int digits(byte[] data, int from, int to, int radix) {
        int at = from;
        while (at < to && Character.digit(data[at], radix) >= 0) {
            at++;
        }
        return at - from;
    }

    private static int number(byte[] data, int from, int to, int radix) {
        int value = 0;
        for (int i = from; i < to; i++) {
            value = value * radix + Character.digit(data[i], radix);
        }
        return value;
    }

    /** Reads a field of CSV. Returns its end. */
    private int quotable(byte[] data, int from, int to, int column, byte[]... fields) {
        int at = from;
        while (at < to && data[at] != delimiter && data[at] != quote) {
            at++;
        }
        if (at == to || data[at] != quote) {
            boolean none = isNull(data, from, at) && !notNull[column];
            fields[column] = none ? null : Arrays.copyOfRange(data, from, at);
            return at;
        }
        at = from;
        int length = 0;
        boolean within = false;
        boolean quotes = false;
        if (field.length < to - from) {
            field = new byte[Math.max(2 * field.length, to - from)];
        }
        while (at < to && (within || data[at] != delimiter)) {
            byte b = data[at++];
            if (within && b == escape && at < to && (data[at] == quote || data[at] == escape)) {
                field[length++] = data[at++];
            } else if (b == quote) {
                within = !within;
                quotes = true;
            } else {
                field[length++] = b;
            }
        }
        boolean none = isNull(field, 0, length) && (quotes ? quotedNull[column] : !notNull[column]);
        fields[column] = none ? null : Arrays.copyOf(field, length);
        return at;
    }
}
