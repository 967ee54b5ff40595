package io.reprise.execution.work;

import io.reprise.catalog.ArrayText;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Statement;
import io.reprise.procedure.Text;
import io.reprise.runtime.memory.Memory;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A statement's parameters while it is not known yet in which partition it will run. Strings are copied, as {@link
 * Statement} promises, into memory that is kept.
 */
final class ParameterBuffer {
    private static final byte UNSET = 0;
    private static final byte NULL = 1;
    private static final byte LONG = 2;
    private static final byte DOUBLE = 3;
    private static final byte BOOLEAN = 4;
    private static final byte UNSCALED = 5;
    private static final byte OBJECT = 6;
    private static final byte TEXT = 7;
    private static final byte STRING = 8;
    private static final byte DECIMAL = 9;
    private static final byte BINARY = 10;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private final String sql;
    private final byte[] kinds;
    private final long[] words;
    private final Object[] objects;
    private final byte[][] bytes;
    private final Text[] texts;

    ParameterBuffer(String sql, int count) {
        this.sql = sql;
        kinds = new byte[count];
        words = new long[count];
        objects = new Object[count];
        bytes = new byte[count][];
        texts = new Text[count];
    }

    void clear() {
        Arrays.fill(kinds, UNSET);
    }

    void setNull(int parameter) {
        kinds[check(parameter)] = NULL;
    }

    void set(int parameter, long value) {
        kinds[check(parameter)] = LONG;
        words[parameter] = value;
    }

    void set(int parameter, double value) {
        kinds[check(parameter)] = DOUBLE;
        words[parameter] = Double.doubleToRawLongBits(value);
    }

    void set(int parameter, boolean value) {
        kinds[check(parameter)] = BOOLEAN;
        words[parameter] = value ? 1 : 0;
    }

    void setUnscaled(int parameter, long value) {
        kinds[check(parameter)] = UNSCALED;
        words[parameter] = value;
    }

    void setObject(int parameter, Object value) {
        kinds[check(parameter)] = value == null ? NULL : OBJECT;
        objects[parameter] = value;
    }

    void set(int parameter, Text value) {
        if (value == null) {
            setNull(parameter);
            return;
        }
        int length = value.length();
        if (bytes[check(parameter)] == null || bytes[parameter].length < length) {
            bytes[parameter] = new byte[Math.max(64, 2 * length)];
            texts[parameter] = new Text();
        }
        MemorySegment.copy(value.segment(), ValueLayout.JAVA_BYTE, value.offset(), bytes[parameter], 0, length);
        if (texts[parameter].length() != length || texts[parameter].segment().byteSize() != bytes[parameter].length) {
            texts[parameter].wrap(MemorySegment.ofArray(bytes[parameter]), 0, length);
        }
        kinds[parameter] = TEXT;
    }

    /** Whether each parameter has a value. */
    boolean areSet() {
        for (byte kind : kinds) {
            if (kind == UNSET) {
                return false;
            }
        }
        return true;
    }

    /** Whether the parameter was set to a whole number, which {@link #word} gives. */
    boolean isWhole(int parameter) {
        return kinds[parameter] == LONG;
    }

    long word(int parameter) {
        return words[parameter];
    }

    /** A hash of the values, the same in each run of a deterministic procedure. */
    int hash() {
        long hash = 0;
        for (int i = 0; i < kinds.length; i++) {
            long value = switch (kinds[i]) {
                case LONG, DOUBLE, BOOLEAN, UNSCALED -> words[i];
                case TEXT -> Memory.hash(texts[i].segment(), texts[i].offset(), texts[i].length());
                case OBJECT -> hash(objects[i]);
                default -> 0;
            };
            hash = (hash + value ^ kinds[i]) * GOLDEN;
            hash ^= hash >>> 32;
        }
        return (int) hash;
    }

    private static long hash(Object value) {
        return switch (value) {
            case byte[] binary -> Arrays.hashCode(binary);
            case Text text -> Memory.hash(text.segment(), text.offset(), text.length());
            default -> value.hashCode();
        };
    }

    /** The values for another node. */
    byte[] encode() {
        ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytesOut);
        try {
            for (int i = 0; i < kinds.length; i++) {
                encode(i, out);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytesOut.toByteArray();
    }

    private void encode(int parameter, DataOutputStream out) throws IOException {
        switch (kinds[parameter]) {
            case LONG, DOUBLE, BOOLEAN, UNSCALED -> {
                out.writeByte(kinds[parameter]);
                out.writeLong(words[parameter]);
            }
            case TEXT -> {
                out.writeByte(TEXT);
                out.writeInt(texts[parameter].length());
                out.write(bytes[parameter], 0, texts[parameter].length());
            }
            case OBJECT -> encodeObject(objects[parameter], out);
            default -> out.writeByte(kinds[parameter]);
        }
    }

    private static void encodeObject(Object value, DataOutputStream out) throws IOException {
        byte[] content;
        switch (value) {
            case byte[] binary -> {
                out.writeByte(BINARY);
                content = binary;
            }
            case BigDecimal decimal -> {
                out.writeByte(DECIMAL);
                out.writeInt(decimal.scale());
                content = decimal.unscaledValue().toByteArray();
            }
            case Text text -> {
                out.writeByte(TEXT);
                content = new byte[text.length()];
                MemorySegment.copy(text.segment(), ValueLayout.JAVA_BYTE, text.offset(), content, 0, content.length);
            }
            default -> {
                out.writeByte(STRING);
                content = value.toString().getBytes(StandardCharsets.UTF_8);
            }
        }
        out.writeInt(content.length);
        out.write(content);
    }

    /** Sets the values of {@link #encode} in a statement. */
    static void decode(ByteBuffer in, Statement statement) {
        for (int i = 0; in.hasRemaining(); i++) {
            switch (in.get()) {
                case NULL -> statement.setNull(i);
                case LONG -> statement.set(i, in.getLong());
                case DOUBLE -> statement.set(i, Double.longBitsToDouble(in.getLong()));
                case BOOLEAN -> statement.set(i, in.getLong() != 0);
                case UNSCALED -> statement.setUnscaled(i, in.getLong());
                case TEXT -> {
                    byte[] text = content(in);
                    statement.set(i, new Text().wrap(MemorySegment.ofArray(text), 0, text.length));
                }
                case BINARY -> statement.set(i, content(in));
                case STRING -> statement.set(i, new String(content(in), StandardCharsets.UTF_8));
                case DECIMAL -> {
                    int scale = in.getInt();
                    statement.set(i, new BigDecimal(new BigInteger(content(in)), scale));
                }
                default -> {}
            }
        }
    }

    private static byte[] content(ByteBuffer in) {
        byte[] content = new byte[in.getInt()];
        in.get(content);
        return content;
    }

    /** Sets the same values in a statement. */
    void applyTo(Statement statement) {
        for (int i = 0; i < kinds.length; i++) {
            switch (kinds[i]) {
                case NULL -> statement.setNull(i);
                case LONG -> statement.set(i, words[i]);
                case DOUBLE -> statement.set(i, Double.longBitsToDouble(words[i]));
                case BOOLEAN -> statement.set(i, words[i] != 0);
                case UNSCALED -> statement.setUnscaled(i, words[i]);
                case TEXT -> statement.set(i, texts[i]);
                case OBJECT -> setObject(statement, i, objects[i]);
                default -> {}
            }
        }
    }

    /** Sets a parameter to a value that is not a number. */
    static void setObject(Statement statement, int parameter, Object value) {
        switch (value) {
            case String s -> statement.set(parameter, s);
            case BigDecimal d -> statement.set(parameter, d);
            case byte[] b -> statement.set(parameter, b);
            case Text t -> statement.set(parameter, t);
            case int[] numbers -> statement.set(parameter, ArrayText.of(numbers));
            case long[] numbers -> statement.set(parameter, ArrayText.of(numbers));
            case double[] numbers -> statement.set(parameter, ArrayText.of(numbers));
            case String[] strings -> statement.set(parameter, ArrayText.of(strings));
            default ->
                throw new ProcedureException(
                        ErrorCode.INVALID_VALUE,
                        "parameter " + (parameter + 1) + " is a "
                                + value.getClass().getTypeName() + ", which a statement can't take");
        }
    }

    private int check(int parameter) {
        if (parameter < 0 || parameter >= kinds.length) {
            throw new ProcedureException(
                    ErrorCode.INVALID_VALUE,
                    "there is no parameter with the index " + parameter + ": the statement has " + kinds.length
                            + ", with indexes from 0: " + sql);
        }
        return parameter;
    }
}
