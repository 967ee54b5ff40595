package io.reprise.simulation;

import java.util.Arrays;

/** Bytes from 0 to a size, zero where nothing was written; large preallocated files cost nothing. */
final class SparseBytes {
    private static final int PAGE = 4096;

    private byte[][] pages = new byte[4][];
    private long size;

    long size() {
        return size;
    }

    /** Grows with zeros or cuts off. */
    void resize(long newSize) {
        if (newSize < size) {
            clearTail(newSize);
        }
        size = newSize;
    }

    byte at(long position) {
        byte[] page = page(position);
        return page == null ? 0 : page[(int) (position % PAGE)];
    }

    /** Writes one byte; grows up to it. */
    void put(long position, byte value) {
        writablePage(position)[(int) (position % PAGE)] = value;
        size = Math.max(size, position + 1);
    }

    /** Writes a part of an array; grows up to its end. */
    void put(long position, byte[] source, int offset, int length) {
        int done = 0;
        while (done < length) {
            int inPage = (int) ((position + done) % PAGE);
            int piece = Math.min(PAGE - inPage, length - done);
            System.arraycopy(source, offset + done, writablePage(position + done), inPage, piece);
            done += piece;
        }
        if (length > 0) {
            size = Math.max(size, position + length);
        }
    }

    byte[] copy(long position, int length) {
        byte[] copy = new byte[length];
        int done = 0;
        while (done < length) {
            int inPage = (int) ((position + done) % PAGE);
            int piece = Math.min(PAGE - inPage, length - done);
            byte[] page = page(position + done);
            if (page != null) {
                System.arraycopy(page, inPage, copy, done, piece);
            }
            done += piece;
        }
        return copy;
    }

    SparseBytes copy() {
        SparseBytes copy = new SparseBytes();
        copy.pages = new byte[pages.length][];
        for (int i = 0; i < pages.length; i++) {
            copy.pages[i] = pages[i] == null ? null : pages[i].clone();
        }
        copy.size = size;
        return copy;
    }

    private byte[] page(long position) {
        int index = Math.toIntExact(position / PAGE);
        return index < pages.length ? pages[index] : null;
    }

    private byte[] writablePage(long position) {
        int index = Math.toIntExact(position / PAGE);
        if (index >= pages.length) {
            pages = Arrays.copyOf(pages, Math.max(pages.length * 2, index + 1));
        }
        if (pages[index] == null) {
            pages[index] = new byte[PAGE];
        }
        return pages[index];
    }

    private void clearTail(long from) {
        for (int index = Math.toIntExact(from / PAGE); index < pages.length; index++) {
            if (pages[index] != null) {
                int keep = (int) Math.max(0, from - (long) index * PAGE);
                if (keep == 0) {
                    pages[index] = null;
                } else {
                    Arrays.fill(pages[index], keep, PAGE, (byte) 0);
                }
            }
        }
    }
}
