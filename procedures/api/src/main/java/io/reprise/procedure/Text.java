package io.reprise.procedure;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A view of UTF-8 (or binary) bytes that lie elsewhere: in a partition's memory or in a byte array. Reading one and
 * passing it on to a statement allocates nothing. A view that the engine handed out is valid as long as its giver says.
 */
public final class Text {
    /** Up to so many bytes, copying words is faster than calling the copying routine; the last word overlaps. */
    private static final int FEW = 128;

    private static final VarHandle WORD = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.nativeOrder());

    private MemorySegment segment;
    private long offset;
    private int length;

    /** An empty text. */
    public Text() {
        this(MemorySegment.NULL, 0, 0);
    }

    private Text(MemorySegment segment, long offset, int length) {
        this.segment = segment;
        this.offset = offset;
        this.length = length;
    }

    /** A text with a copy of the string's UTF-8 bytes. */
    public static Text of(String value) {
        byte[] bytes = value.getBytes(StandardCharsets.UTF_8);
        return new Text(MemorySegment.ofArray(bytes), 0, bytes.length);
    }

    /** Points this view at other bytes. */
    public Text wrap(MemorySegment newSegment, long newOffset, int newLength) {
        segment = newSegment;
        offset = newOffset;
        length = newLength;
        return this;
    }

    /** The memory that holds the bytes. */
    public MemorySegment segment() {
        return segment;
    }

    /** The offset of the bytes in the memory. */
    public long offset() {
        return offset;
    }

    /** The number of bytes. */
    public int length() {
        return length;
    }

    /** One byte. */
    public byte byteAt(int index) {
        return segment.get(ValueLayout.JAVA_BYTE, offset + java.util.Objects.checkIndex(index, length));
    }

    /** Whether the bytes are those of the other text. */
    public boolean contentEquals(Text other) {
        return length == other.length
                && MemorySegment.mismatch(
                                segment, offset, offset + length, other.segment, other.offset, other.offset + length)
                        < 0;
    }

    /** The index of the first occurrence of the other text's bytes, or -1. */
    public int indexOf(Text other) {
        outer:
        for (int at = 0; at + other.length <= length; at++) {
            for (int i = 0; i < other.length; i++) {
                if (byteAt(at + i) != other.byteAt(i)) {
                    continue outer;
                }
            }
            return at;
        }
        return -1;
    }

    /** Copies some of the bytes into an array. */
    public void copyTo(int from, byte[] target, int at, int count) {
        java.util.Objects.checkFromIndexSize(from, count, length);
        if (count < Long.BYTES || count > FEW) {
            MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset + from, target, at, count);
            return;
        }
        long source = offset + from;
        int last = count - Long.BYTES;
        for (int i = 0; i < last; i += Long.BYTES) {
            WORD.set(target, at + i, segment.get(ValueLayout.JAVA_LONG_UNALIGNED, source + i));
        }
        WORD.set(target, at + last, segment.get(ValueLayout.JAVA_LONG_UNALIGNED, source + last));
    }

    /** A copy of the bytes. */
    public byte[] toBytes() {
        byte[] bytes = new byte[length];
        MemorySegment.copy(segment, ValueLayout.JAVA_BYTE, offset, bytes, 0, length);
        return bytes;
    }

    /** The bytes decoded as UTF-8. */
    @Override
    public String toString() {
        return new String(toBytes(), StandardCharsets.UTF_8);
    }
}
