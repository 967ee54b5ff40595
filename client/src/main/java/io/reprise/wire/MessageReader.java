package io.reprise.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Reads fields of Protocol Buffers from an array. Never reads outside of the stretch that it was given, and says of bytes
 * that make no sense that they are malformed. One thread's at a time.
 */
public final class MessageReader {
    private static final VarHandle LITTLE_LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final byte[] NONE = {};

    private byte[] bytes = NONE;
    private int at;
    private int limit;

    /** Goes to the begin of a message. Returns this. */
    public MessageReader over(byte[] newBytes, int from, int length) {
        java.util.Objects.checkFromIndexSize(from, length, newBytes.length);
        bytes = newBytes;
        at = from;
        limit = from + length;
        return this;
    }

    /** The array that is read. */
    public byte[] array() {
        return bytes;
    }

    /** The position of the next byte. */
    int position() {
        return at;
    }

    /** The end of the message. */
    int limit() {
        return limit;
    }

    /** Whether there is another field in the message. */
    boolean hasMore() {
        return at < limit;
    }

    /** Enters a message that is a field; {@link #leave} with what this returns. */
    int enter() {
        int length = length();
        int outer = limit;
        limit = at + length;
        return outer;
    }

    /** Goes behind the message that was entered. */
    void leave(int outer) {
        at = limit;
        limit = outer;
    }

    /** Goes on at a place within the message; bytes behind its end are not there. */
    void move(int position, int newLimit) {
        at = position;
        limit = newLimit;
    }

    /** The next field's tag. */
    int tag() {
        if (at < limit && bytes[at] > 0) {
            return bytes[at++];
        }
        long tag = varint();
        if (tag < 1 << 3 || tag > 0xFFFF_FFFFL) {
            throw new MalformedMessageException("a field has the number 0, or none that exists");
        }
        return (int) tag;
    }

    /** The length of what follows, which is all there. */
    int length() {
        long length = varint();
        if (length < 0 || length > limit - at) {
            throw new MalformedMessageException("something is longer than what it is in");
        }
        return (int) length;
    }

    /** An unsigned number. */
    long varint() {
        if (at < limit) {
            byte first = bytes[at];
            if (first >= 0) {
                at++;
                return first;
            }
        }
        return longVarint();
    }

    private long longVarint() {
        byte[] from = bytes;
        int place = at;
        int end = limit;
        long value = 0;
        for (int shift = 0; shift < Long.SIZE && place < end; shift += 7) {
            byte group = from[place++];
            value |= (long) (group & 0x7F) << shift;
            if (group >= 0) {
                at = place;
                return value;
            }
        }
        throw new MalformedMessageException(place >= end ? "a message ends within a number" : "a number is too long");
    }

    /** A signed number. */
    long signed() {
        long value = varint();
        return value >>> 1 ^ -(value & 1);
    }

    /** A double. */
    double fixed() {
        if (limit - at < Long.BYTES) {
            throw new MalformedMessageException("a message ends within a number");
        }
        double value = Double.longBitsToDouble((long) LITTLE_LONG.get(bytes, at));
        at += Long.BYTES;
        return value;
    }

    /** A string. */
    String text() {
        int length = length();
        try {
            String text = Utf8.isAscii(bytes, at, length)
                    ? new String(bytes, at, length, StandardCharsets.ISO_8859_1)
                    : StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(ByteBuffer.wrap(bytes, at, length))
                            .toString();
            at += length;
            return text;
        } catch (CharacterCodingException e) {
            throw new MalformedMessageException("a string is not UTF-8");
        }
    }

    /** A copy of bytes. */
    byte[] copy() {
        int length = length();
        byte[] copy = java.util.Arrays.copyOfRange(bytes, at, at + length);
        at += length;
        return copy;
    }

    /** Skips an unknown field. */
    void skip(int tag) {
        switch (tag & 7) {
            case Wire.VARINT:
                varint();
                break;
            case Wire.FIXED64:
                skipBytes(Long.BYTES);
                break;
            case Wire.DELIMITED:
                skipBytes(length());
                break;
            case Wire.FIXED32:
                skipBytes(Integer.BYTES);
                break;
            default:
                throw new MalformedMessageException("a field is encoded in a way that does not exist: " + (tag & 7));
        }
    }

    private void skipBytes(int count) {
        if (limit - at < count) {
            throw new MalformedMessageException("a message ends within a field");
        }
        at += count;
    }
}
