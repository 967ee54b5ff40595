package io.reprise.net.postgres;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing buffer of messages to a client. Owned by one thread. */
final class BodyWriter {
    private static final int FIRST_BYTES = 1024;
    private static final int MOST_KEPT = 1 << 16;

    private byte[] bytes = new byte[FIRST_BYTES];
    private int length;

    /** Begins a message. Returns its place for {@link #end}. */
    int begin(char kind) {
        room(5);
        bytes[length] = (byte) kind;
        int place = length + 1;
        length += 5;
        return place;
    }

    /** Ends a message: writes its length. */
    void end(int place) {
        put32(place, length - place);
    }

    /** A message without content. */
    void empty(char kind) {
        end(begin(kind));
    }

    /** Takes an unfinished message, or a part of it, back. */
    void cutTo(int newLength) {
        length = newLength;
    }

    BodyWriter int8(int value) {
        room(1);
        bytes[length++] = (byte) value;
        return this;
    }

    BodyWriter int16(int value) {
        room(2);
        bytes[length++] = (byte) (value >> 8);
        bytes[length++] = (byte) value;
        return this;
    }

    BodyWriter int32(int value) {
        room(4);
        put32(length, value);
        length += 4;
        return this;
    }

    BodyWriter int64(long value) {
        return int32((int) (value >> 32)).int32((int) value);
    }

    /** Writes an integer at a place that was left for it. */
    void put32(int place, int value) {
        bytes[place] = (byte) (value >> 24);
        bytes[place + 1] = (byte) (value >> 16);
        bytes[place + 2] = (byte) (value >> 8);
        bytes[place + 3] = (byte) value;
    }

    BodyWriter string(String value) {
        raw(value.getBytes(StandardCharsets.UTF_8));
        return int8(0);
    }

    BodyWriter raw(byte[] value) {
        return raw(value, 0, value.length);
    }

    BodyWriter raw(byte[] value, int from, int count) {
        room(count);
        System.arraycopy(value, from, bytes, length, count);
        length += count;
        return this;
    }

    /** A string of ASCII without a zero byte. */
    BodyWriter ascii(String value) {
        int count = value.length();
        room(count);
        for (int i = 0; i < count; i++) {
            bytes[length + i] = (byte) value.charAt(i);
        }
        length += count;
        return this;
    }

    private void room(int count) {
        if (bytes.length - length < count) {
            bytes = Arrays.copyOf(
                    bytes, Math.max(Math.addExact(length, count), (int) Math.min(2L * bytes.length, 1L << 30)));
        }
    }

    byte[] array() {
        return bytes;
    }

    int length() {
        return length;
    }

    void clear() {
        length = 0;
        if (bytes.length > MOST_KEPT) {
            bytes = new byte[FIRST_BYTES];
        }
    }
}
