package io.reprise.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Writes fields of Protocol Buffers into an array that grows. A message within a message begins with one byte for its
 * length. If it becomes longer than 127 bytes, it is moved to make room. One thread's at a time.
 */
public final class MessageWriter {
    private static final VarHandle LITTLE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final int MAX_VARINT = 10;
    private static final int ONE_BYTE = 0x7F;

    private byte[] bytes;
    private int at;

    /** An empty writer with room for so many bytes at first. */
    public MessageWriter(int capacity) {
        bytes = new byte[Math.max(capacity, 2 * MAX_VARINT)];
    }

    /** Forgets what was written. */
    public void clear() {
        at = 0;
    }

    /** The number of written bytes. */
    public int length() {
        return at;
    }

    /** The array with the bytes, from 0 on; another array once it has grown. */
    public byte[] array() {
        return bytes;
    }

    /** The number of bytes it can take without growing. */
    public int capacity() {
        return bytes.length;
    }

    /** A copy of what was written. */
    public byte[] toBytes() {
        return Arrays.copyOf(bytes, at);
    }

    /** Takes back what was written behind a length that {@link #length} gave. */
    public void truncate(int length) {
        at = length;
    }

    /** Begins a frame; {@link #endFrame} gives it its length. Returns what that needs. */
    public int beginFrame(byte kind) {
        ensure(Wire.HEADER_BYTES);
        int begin = at;
        bytes[at + Wire.LENGTH_BYTES] = kind;
        at += Wire.HEADER_BYTES;
        return begin;
    }

    /** Ends a frame. */
    public void endFrame(int begin) {
        int length = at - begin - Wire.LENGTH_BYTES;
        bytes[begin] = (byte) (length >>> 24);
        bytes[begin + 1] = (byte) (length >>> 16);
        bytes[begin + 2] = (byte) (length >>> 8);
        bytes[begin + 3] = (byte) length;
    }

    /** Begins a message that is a field; {@link #end} gives it its length. Returns what that needs. */
    int begin(int tag) {
        ensure(2);
        bytes[at] = (byte) tag;
        at += 2;
        return at;
    }

    /** Ends a message. */
    void end(int begin) {
        int length = at - begin;
        if (length <= ONE_BYTE) {
            bytes[begin - 1] = (byte) length;
        } else {
            endLong(begin, length);
        }
    }

    private void endLong(int begin, int length) {
        int more = varintBytes(length) - 1;
        ensure(more);
        System.arraycopy(bytes, begin, bytes, begin + more, length);
        at = begin - 1;
        varint(length);
        at += length;
    }

    private static int varintBytes(int value) {
        return (Integer.SIZE - Integer.numberOfLeadingZeros(value | 1) + 6) / 7;
    }

    /** A field with an unsigned number. Not written where it is 0, which is what its absence says. */
    void number(int tag, long value) {
        if (value != 0) {
            always(tag, value);
        }
    }

    /** The same, written even where it is 0. */
    void always(int tag, long value) {
        ensure(1 + MAX_VARINT);
        bytes[at++] = (byte) tag;
        varint(value);
    }

    /** A field with a signed number, written even where it is 0. */
    void signed(int tag, long value) {
        always(tag, value << 1 ^ value >> 63);
    }

    /** A field with a double, written even where it is 0. */
    void fixed(int tag, double value) {
        ensure(1 + Double.BYTES);
        bytes[at] = (byte) tag;
        LITTLE_LONG.set(bytes, at + 1, Double.doubleToRawLongBits(value));
        at += 1 + Double.BYTES;
    }

    /** A field with a string, written even where it is empty. */
    void text(int tag, String value) {
        byte[] encoded = value.getBytes(StandardCharsets.UTF_8);
        bytes(tag, encoded, 0, encoded.length);
    }

    /** A field with bytes, written even where there are none. */
    void bytes(int tag, byte[] value, int from, int length) {
        ensure(1 + MAX_VARINT + length);
        bytes[at++] = (byte) tag;
        varint(length);
        System.arraycopy(value, from, bytes, at, length);
        at += length;
    }

    /** Appends the bytes of another writer from a place on. */
    void append(MessageWriter other, int from) {
        append(other, from, other.at);
    }

    /** Appends the bytes of another writer between two places. */
    public void append(MessageWriter other, int from, int to) {
        int length = to - from;
        ensure(length);
        System.arraycopy(other.bytes, from, bytes, at, length);
        at += length;
    }

    /** Appends bytes as they are. */
    public void raw(byte[] value) {
        raw(value, 0, value.length);
    }

    /** The same with a part of an array. */
    void raw(byte[] value, int from, int length) {
        ensure(length);
        System.arraycopy(value, from, bytes, at, length);
        at += length;
    }

    /** One element of a packed field. */
    void packedSigned(long value) {
        ensure(MAX_VARINT);
        varint(value << 1 ^ value >> 63);
    }

    /** One element of a packed field. */
    void packedFixed(double value) {
        ensure(Double.BYTES);
        LITTLE_LONG.set(bytes, at, Double.doubleToRawLongBits(value));
        at += Double.BYTES;
    }

    /** Room is the caller's to make. */
    private void varint(long value) {
        byte[] to = bytes;
        int place = at;
        long rest = value;
        while ((rest & -0x80L) != 0) {
            to[place++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        to[place] = (byte) rest;
        at = place + 1;
    }

    private void ensure(int more) {
        if (bytes.length - at < more) {
            grow(more);
        }
    }

    private void grow(int more) {
        long needed = Math.max((long) at + more, 2L * bytes.length);
        if ((long) at + more > Integer.MAX_VALUE - 16) {
            throw new IllegalStateException("a message would be longer than 2 GiB");
        }
        bytes = Arrays.copyOf(bytes, (int) Math.min(needed, Integer.MAX_VALUE - 16));
    }
}
