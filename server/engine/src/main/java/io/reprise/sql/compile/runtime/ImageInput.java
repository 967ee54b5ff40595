package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanField;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the image of a compiled statement as {@link ImageOutput} has written it. Throws IllegalArgumentException if the bytes make no
 * sense. Confined to one thread.
 */
public final class ImageInput {
    private final ByteBuffer in;

    /** Reads these bytes. */
    public ImageInput(byte[] bytes) {
        in = ByteBuffer.wrap(bytes);
    }

    private static IllegalArgumentException cut(BufferUnderflowException e) {
        return new IllegalArgumentException("the image ends in the middle", e);
    }

    /** A flag. */
    public boolean flag() {
        try {
            return in.get() != 0;
        } catch (BufferUnderflowException e) {
            throw cut(e);
        }
    }

    /** An int. */
    public int number() {
        try {
            return in.getInt();
        } catch (BufferUnderflowException e) {
            throw cut(e);
        }
    }

    /** A long. */
    public long word() {
        try {
            return in.getLong();
        } catch (BufferUnderflowException e) {
            throw cut(e);
        }
    }

    /** The number of elements that follow, each of a byte at least. */
    public int count() {
        int count = number();
        if (count < 0 || count > in.remaining()) {
            throw new IllegalArgumentException("the image counts " + count + " of something");
        }
        return count;
    }

    /** A constant by its name. */
    public <E extends Enum<E>> E constant(Class<E> type) {
        return Enum.valueOf(type, text());
    }

    /** A text, or null. */
    public String text() {
        byte[] bytes = bytes();
        return bytes == null ? null : new String(bytes, StandardCharsets.UTF_8);
    }

    /** Bytes, or null. */
    public byte[] bytes() {
        if (in.remaining() >= Integer.BYTES && in.getInt(in.position()) == -1) {
            number();
            return null;
        }
        byte[] bytes = new byte[count()];
        in.get(bytes);
        return bytes;
    }

    /** Numbers. */
    public int[] numbers() {
        int[] values = new int[count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = number();
        }
        return values;
    }

    /** Words. */
    public long[] words() {
        long[] values = new long[count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = word();
        }
        return values;
    }

    /** Flags. */
    public boolean[] flags() {
        boolean[] values = new boolean[count()];
        for (int i = 0; i < values.length; i++) {
            values[i] = flag();
        }
        return values;
    }

    /** A type. */
    public SqlType type() {
        return new SqlType(constant(SqlType.Kind.class), number(), number());
    }

    /** Columns. */
    public List<PlanField> fields() {
        List<PlanField> fields = new ArrayList<>();
        for (int i = count(); i > 0; i--) {
            fields.add(new PlanField(text(), type(), flag()));
        }
        return List.copyOf(fields);
    }

    /** Whether all has been read. */
    public boolean isAtEnd() {
        return !in.hasRemaining();
    }
}
