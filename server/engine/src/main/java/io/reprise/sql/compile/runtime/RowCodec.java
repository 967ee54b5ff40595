package io.reprise.sql.compile.runtime;

import io.reprise.storage.row.Ref;
import java.nio.ByteBuffer;

/**
 * Rows as bytes for another node, which knows the columns from its own plan.
 *
 * <pre>
 *  u4 words | words, 8 each | of each string that is not NULL, by rows and columns: u4 length | bytes
 * </pre>
 *
 * All numbers are big-endian; a string's word counts for nothing.
 */
public final class RowCodec {
    private RowCodec() {}

    /** All rows, wherever the cursor stands. */
    public static byte[] encode(RowBuffer rows) {
        int strings = stringBytes(rows);
        ByteBuffer out = ByteBuffer.allocate(Integer.BYTES + rows.end * Long.BYTES + strings);
        out.putInt(rows.end);
        for (int i = 0; i < rows.end; i++) {
            out.putLong(rows.words[i]);
        }
        for (int row = 0; row < rows.end; row += rows.shape.stride) {
            for (int column = 0; column < rows.shape.columns; column++) {
                if (isString(rows, row, column)) {
                    long ref = rows.words[row + rows.shape.nullWords + column];
                    int length = Ref.length(ref);
                    out.putInt(length);
                    rows.copyString(ref, out.array(), out.position());
                    out.position(out.position() + length);
                }
            }
        }
        return out.array();
    }

    private static int stringBytes(RowBuffer rows) {
        long bytes = 0;
        for (int row = 0; row < rows.end; row += rows.shape.stride) {
            for (int column = 0; column < rows.shape.columns; column++) {
                if (isString(rows, row, column)) {
                    bytes += Integer.BYTES + Ref.length(rows.words[row + rows.shape.nullWords + column]);
                }
            }
        }
        return Math.toIntExact(bytes);
    }

    private static boolean isString(RowBuffer rows, int row, int column) {
        return rows.shape.types[column].kind().isString() && (rows.words[row + (column >>> 6)] >>> column & 1) == 0;
    }

    /** Replaces the content of rows with what {@link #encode} wrote of rows of this shape. */
    public static void decode(ByteBuffer in, RowShape shape, HeapRows rows) {
        rows.empty();
        int end = in.getInt();
        rows.reserveWords(end);
        for (int i = 0; i < end; i++) {
            rows.words[i] = in.getLong();
        }
        for (int row = 0; row < end; row += shape.stride) {
            for (int column = 0; column < shape.columns; column++) {
                boolean isNull = (rows.words[row + (column >>> 6)] >>> column & 1) != 0;
                if (shape.types[column].kind().isString() && !isNull) {
                    byte[] string = new byte[in.getInt()];
                    in.get(string);
                    rows.words[row + shape.nullWords + column] = rows.keep(string);
                }
            }
        }
        rows.complete(shape, end);
    }
}
