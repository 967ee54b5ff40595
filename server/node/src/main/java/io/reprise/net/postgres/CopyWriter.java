package io.reprise.net.postgres;

import io.reprise.session.Answer;
import io.reprise.session.CopyFormat;
import io.reprise.session.CopyPlan;
import io.reprise.session.ResultColumn;
import io.reprise.sql.compile.runtime.RowBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/** Writes the rows of a COPY TO in text, CSV or binary form, a message for each row. */
final class CopyWriter {
    private static final int NULL = -1;
    private static final byte[] BINARY_HEADER =
            "PGCOPY\n\377\r\n\0\0\0\0\0\0\0\0\0".getBytes(StandardCharsets.ISO_8859_1);

    private final CopyFormat format;
    private final List<ResultColumn> columns;
    private final BodyWriter out;
    private final BodyWriter value = new BodyWriter();
    private final byte[] nullText;
    private final boolean[] forced;
    private boolean begun;

    CopyWriter(CopyPlan plan, BodyWriter out) {
        this.out = out;
        format = plan.copy().format();
        columns = plan.columns();
        nullText = format.nullText().getBytes(StandardCharsets.UTF_8);
        forced = new boolean[columns.size()];
        for (int i = 0; i < forced.length; i++) {
            forced[i] = CopyFormat.has(format.forceQuote(), columns.get(i).name());
        }
    }

    static boolean isBinary(CopyPlan plan) {
        return plan.copy().format().kind() == CopyFormat.Kind.BINARY;
    }

    /** Writes all rows. Returns their number. */
    long write(Answer answer) {
        boolean binary = format.kind() == CopyFormat.Kind.BINARY;
        if (format.header()) {
            header();
        }
        long rows = answer.rows() == null ? values(answer.values()) : rows(answer.rows());
        if (binary) {
            int place = beginTuple();
            out.int16(-1);
            out.end(place);
        }
        return rows;
    }

    private void header() {
        int place = out.begin('d');
        for (int i = 0; i < columns.size(); i++) {
            byte[] name = columns.get(i).name().getBytes(StandardCharsets.UTF_8);
            field(i, name, 0, name.length, false);
        }
        out.int8('\n');
        out.end(place);
    }

    private long rows(Answer.Rows all) {
        RowBuffer rows = all.buffer();
        for (int row = 0; row < all.count(); row++) {
            all.go(row);
            int place = begin();
            for (int i = 0; i < columns.size(); i++) {
                if (format.kind() == CopyFormat.Kind.BINARY) {
                    ValueWriter.write(out, rows, i, true);
                } else {
                    value.clear();
                    ValueWriter.write(value, rows, i, false);
                    text(i);
                }
            }
            end(place);
        }
        return all.count();
    }

    private long values(List<Object[]> rows) {
        for (Object[] row : rows) {
            int place = begin();
            for (int i = 0; i < columns.size(); i++) {
                boolean binary = format.kind() == CopyFormat.Kind.BINARY;
                value.clear();
                ValueWriter.write(binary ? out : value, row[i], columns.get(i).type(), binary);
                if (!binary) {
                    text(i);
                }
            }
            end(place);
        }
        return rows.size();
    }

    private int begin() {
        if (format.kind() != CopyFormat.Kind.BINARY) {
            return out.begin('d');
        }
        int place = beginTuple();
        out.int16(columns.size());
        return place;
    }

    /** Begins the message of a row in binary form; the first one has the header of the data, as drivers expect it. */
    private int beginTuple() {
        int place = out.begin('d');
        if (!begun) {
            begun = true;
            out.raw(BINARY_HEADER);
        }
        return place;
    }

    private void end(int place) {
        if (format.kind() != CopyFormat.Kind.BINARY) {
            out.int8('\n');
        }
        out.end(place);
    }

    /** Writes the value, which has its length before it, as a field. */
    private void text(int column) {
        byte[] bytes = value.array();
        int length = value.length() - Integer.BYTES;
        boolean isNull = length == 0 && bytes[0] == NULL;
        field(column, bytes, Integer.BYTES, length, isNull);
    }

    private void field(int column, byte[] bytes, int from, int length, boolean isNull) {
        if (column > 0) {
            out.int8(format.delimiter());
        }
        if (isNull) {
            out.raw(nullText);
        } else if (format.kind() == CopyFormat.Kind.CSV) {
            csv(column, bytes, from, length);
        } else {
            escaped(bytes, from, length);
        }
    }

    private void escaped(byte[] bytes, int from, int length) {
        int written = from;
        int end = from + length;
        for (int i = from; i < end; i++) {
            int escape = escape(bytes[i]);
            if (escape != 0) {
                out.raw(bytes, written, i - written).int8('\\').int8(escape);
                written = i + 1;
            }
        }
        out.raw(bytes, written, end - written);
    }

    /** The character behind a backslash that stands for a byte; 0: it stands for itself. */
    private int escape(byte b) {
        return switch (b) {
            case '\b' -> 'b';
            case '\f' -> 'f';
            case '\n' -> 'n';
            case '\r' -> 'r';
            case '\t' -> 't';
            case 0x0B -> 'v';
            case '\\' -> '\\';
            default -> b == format.delimiter() ? b : 0;
        };
    }

    private void csv(int column, byte[] bytes, int from, int length) {
        int end = from + length;
        boolean quotes = forced[column] || isSpecial(bytes, from, end);
        if (!quotes) {
            out.raw(bytes, from, length);
            return;
        }
        out.int8(format.quote());
        int written = from;
        for (int i = from; i < end; i++) {
            if (bytes[i] == format.quote() || bytes[i] == format.escape()) {
                out.raw(bytes, written, i - written).int8(format.escape());
                written = i;
            }
        }
        out.raw(bytes, written, end - written).int8(format.quote());
    }

    private boolean isSpecial(byte[] bytes, int from, int end) {
        if (Arrays.equals(bytes, from, end, nullText, 0, nullText.length)) {
            return true;
        }
        if (columns.size() == 1 && end - from == 2 && bytes[from] == '\\' && bytes[from + 1] == '.') {
            return true;
        }
        for (int i = from; i < end; i++) {
            byte b = bytes[i];
            if (b == format.delimiter() || b == format.quote() || b == '\n' || b == '\r') {
                return true;
            }
        }
        return false;
    }
}
