package io.reprise.sql.compile.runtime;

import io.reprise.catalog.SqlType;
import io.reprise.sql.physical.PlanField;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Writes the image of a compiled statement to memory. {@link ImageInput} reads it. Confined to one thread. */
public final class ImageOutput {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final DataOutputStream out = new DataOutputStream(bytes);

    /** A write to memory, which does not fail. */
    @FunctionalInterface
    private interface Write {
        void run() throws IOException;
    }

    private ImageOutput put(Write write) {
        try {
            write.run();
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException("writing to memory failed", e);
        }
    }

    /** A flag. */
    public ImageOutput flag(boolean value) {
        return put(() -> out.writeBoolean(value));
    }

    /** An int. */
    public ImageOutput number(int value) {
        return put(() -> out.writeInt(value));
    }

    /** A long. */
    public ImageOutput word(long value) {
        return put(() -> out.writeLong(value));
    }

    /** A constant by its name. */
    public ImageOutput constant(Enum<?> value) {
        return text(value.name());
    }

    /** A text, or null. */
    public ImageOutput text(String value) {
        return bytes(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes, or null. */
    public ImageOutput bytes(byte[] value) {
        return put(() -> {
            out.writeInt(value == null ? -1 : value.length);
            if (value != null) {
                out.write(value);
            }
        });
    }

    /** Numbers. */
    public ImageOutput numbers(int[] values) {
        number(values.length);
        for (int value : values) {
            number(value);
        }
        return this;
    }

    /** Words. */
    public ImageOutput words(long[] values) {
        number(values.length);
        for (long value : values) {
            word(value);
        }
        return this;
    }

    /** Flags. */
    public ImageOutput flags(boolean[] values) {
        number(values.length);
        for (boolean value : values) {
            flag(value);
        }
        return this;
    }

    /** A type. */
    public ImageOutput type(SqlType value) {
        return constant(value.kind()).number(value.precision()).number(value.scale());
    }

    /** Columns. */
    public ImageOutput fields(List<PlanField> values) {
        number(values.size());
        values.forEach(field -> text(field.name()).type(field.type()).flag(field.nullable()));
        return this;
    }

    /** All that was written. */
    public byte[] toByteArray() {
        return bytes.toByteArray();
    }
}
