package io.reprise.footprint;

import java.util.Arrays;

/** Bytes that grow. */
final class FootprintBytes {
    private static final int LONGEST_VARINT = 10;

    private byte[] bytes = new byte[1 << 12];
    private int size;

    void clear() {
        size = 0;
    }

    int size() {
        return size;
    }

    byte[] bytes() {
        return bytes;
    }

    void putVarint(long value) {
        ensure(LONGEST_VARINT);
        long rest = value;
        while ((rest & -0x80L) != 0) {
            bytes[size++] = (byte) (rest | 0x80);
            rest >>>= 7;
        }
        bytes[size++] = (byte) rest;
    }

    void put(byte[] source, int count) {
        ensure(count);
        System.arraycopy(source, 0, bytes, size, count);
        size += count;
    }

    private void ensure(int more) {
        if (bytes.length - size < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, size + more));
        }
    }
}
