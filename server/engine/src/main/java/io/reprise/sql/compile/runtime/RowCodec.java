package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanField;
import io.reprise.storage.row.Ref;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

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
    private static final SqlType.Kind[] KINDS = SqlType.Kind.values();

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

    /**
     * Rows with their columns, for a reader without a plan.
     *
     * <pre>
     *  u2 columns | of each: u2 length of name | name | u1 kind | u4 precision | u4 scale; then as {@link #encode} has it
     * </pre>
     */
    public static byte[] encodeWithColumns(RowBuffer rows) {
        RowShape shape = rows.shape;
        byte[] content = encode(rows);
        byte[][] names = new byte[shape.columns][];
        int bytes = Short.BYTES + content.length;
        for (int i = 0; i < names.length; i++) {
            names[i] = shape.names[i].getBytes(StandardCharsets.UTF_8);
            bytes += Short.BYTES + names[i].length + 1 + 2 * Integer.BYTES;
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putShort((short) names.length);
        for (int i = 0; i < names.length; i++) {
            SqlType type = shape.types[i];
            out.putShort((short) names[i].length).put(names[i]);
            out.put((byte) type.kind().ordinal()).putInt(type.precision()).putInt(type.scale());
        }
        return out.put(content).array();
    }

    /** Replaces the content of rows with what {@link #encodeWithColumns} wrote. */
    public static void decodeWithColumns(ByteBuffer in, HeapRows rows) {
        List<PlanField> fields = new ArrayList<>();
        for (int left = in.getShort(); left > 0; left--) {
            byte[] name = new byte[in.getShort()];
            in.get(name);
            SqlType type = new SqlType(KINDS[in.get()], in.getInt(), in.getInt());
            fields.add(new PlanField(new String(name, StandardCharsets.UTF_8), type, true));
        }
        decode(in, RowShape.of(fields), rows);
    }
}
