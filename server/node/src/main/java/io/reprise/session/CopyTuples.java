package io.reprise.session;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Splits the data of a COPY in the binary form into rows: a header of 11 bytes, flags and an extension, then rows. A row is the number
 * of its fields in 2 bytes, and each field has its length in 4 bytes before it; -1 is NULL. The number -1 ends the data.
 */
final class CopyTuples extends CopyRows {
    private static final byte[] SIGNATURE = "PGCOPY\n\377\r\n\0".getBytes(StandardCharsets.ISO_8859_1);
    private static final int HEADER_BYTES = SIGNATURE.length + 2 * Integer.BYTES;
    private static final int INCOMPLETE = -1;

    private final int columns;
    private final Receiver receiver;
    private long row = 1;
    private boolean headed;
    private boolean ended;

    CopyTuples(int columns, Receiver receiver) {
        this.columns = columns;
        this.receiver = receiver;
    }

    @Override
    long line() {
        return row;
    }

    private static SessionException malformed(String what) {
        return new SessionException("22P04", what);
    }

    private static int int16(byte[] data, int at) {
        return data[at] << 8 | data[at + 1] & 0xFF;
    }

    private static int int32(byte[] data, int at) {
        return (int16(data, at) << 16) | int16(data, at + 2) & 0xFFFF;
    }

    @Override
    void split() {
        if (!headed && !header(buffer())) {
            return;
        }
        while (!ended && end() - begin() >= Short.BYTES) {
            int count = int16(buffer(), begin());
            if (count == -1) {
                ended = true;
            } else if (count != columns) {
                throw malformed("row field count is " + count + ", expected " + columns);
            } else {
                int rowEnd = rowEnd(buffer(), begin() + Short.BYTES);
                if (rowEnd == INCOMPLETE) {
                    return;
                }
                receiver.row(fields(buffer(), begin() + Short.BYTES), row);
                row++;
                splitTo(rowEnd);
            }
        }
        if (ended) {
            splitTo(end());
        }
    }

    private boolean header(byte[] data) {
        if (end() - begin() < HEADER_BYTES) {
            return false;
        }
        int from = begin();
        if (!Arrays.equals(data, from, from + SIGNATURE.length, SIGNATURE, 0, SIGNATURE.length)) {
            throw malformed("COPY file signature not recognized");
        }
        if (int32(data, from + SIGNATURE.length) >>> 16 != 0) {
            throw malformed("unrecognized critical flags in COPY file header");
        }
        int extension = int32(data, from + SIGNATURE.length + Integer.BYTES);
        if (extension < 0 || extension > MOST_ROW_BYTES) {
            throw malformed("invalid COPY file header (wrong length)");
        }
        if (end() - from - HEADER_BYTES < extension) {
            return false;
        }
        splitTo(from + HEADER_BYTES + extension);
        headed = true;
        return true;
    }

    private int rowEnd(byte[] data, int from) {
        long at = from;
        for (int i = 0; i < columns; i++) {
            if (end() - at < Integer.BYTES) {
                return INCOMPLETE;
            }
            int length = int32(data, (int) at);
            if (length < -1 || length > MOST_ROW_BYTES) {
                throw malformed("invalid field size");
            }
            at += Integer.BYTES + Math.max(0, length);
        }
        return at <= end() ? (int) at : INCOMPLETE;
    }

    private byte[][] fields(byte[] data, int from) {
        byte[][] fields = new byte[columns][];
        int at = from;
        for (int i = 0; i < columns; i++) {
            int length = int32(data, at);
            at += Integer.BYTES;
            if (length >= 0) {
                fields[i] = Arrays.copyOfRange(data, at, at + length);
                at += length;
            }
        }
        return fields;
    }

    @Override
    void finish() {
        if (!headed) {
            throw malformed("COPY file signature not recognized");
        }
        if (!ended && begin() < end()) {
            throw malformed("unexpected EOF in COPY data");
        }
    }
}
