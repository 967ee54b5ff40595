package io.reprise.storage.image;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import io.reprise.storage.row.Ref;

/**
 * Reads bytes from front to back. Whatever the bytes are, nothing outside them is read: {@link DamagedImageException}
 * instead. Reused; owned by one thread.
 */
public final class ImageCursor {
    private final Memory memory;
    private long start;
    private long at;
    private long end;

    /** Reads bytes that lie in this memory. */
    public ImageCursor(Memory memory) {
        this.memory = memory;
    }

    /** Begins with the first of so many bytes. */
    public void over(long address, long length) {
        start = address;
        at = address;
        end = address + length;
    }

    /** The memory that the bytes are in. */
    public Memory memory() {
        return memory;
    }

    /** The address of the next byte. */
    public long at() {
        return at;
    }

    /** The address behind the last byte. */
    public long end() {
        return end;
    }

    /** Goes to the byte at an address where it has been before, or that was reached by other means. */
    public void backTo(long address) {
        at = address;
    }

    /** Whether the memory reaches so many bytes beyond the cursor, though they may be another's. */
    public boolean reaches(long bytes) {
        return memory.size() - at >= bytes;
    }

    /** Goes on behind bytes that were read by other means. Returns false, and stays, if there are not as many. */
    boolean advanceTo(long address) {
        if (address < at || address > end) {
            return false;
        }
        at = address;
        return true;
    }

    /** The number of bytes read. */
    public long position() {
        return at - start;
    }

    /** Whether there is another byte. */
    public boolean hasNext() {
        return at < end;
    }

    /** One byte, as a number from 0 to 255. */
    public int unsignedByte() {
        return signedByte() & 0xFF;
    }

    /** One byte, as a number from -128 to 127. */
    public byte signedByte() {
        if (at >= end) {
            throw cutOff();
        }
        return memory.getByte(at++);
    }

    /** Eight bytes, little endian. */
    public long eightBytes() {
        if (end - at < Long.BYTES) {
            throw cutOff();
        }
        long value = memory.getLong(at);
        at += Long.BYTES;
        return value;
    }

    /** A number written by {@link Varint#put}. */
    public long varint() {
        if (end - at < Long.BYTES) {
            return varintByBytes();
        }
        long word = memory.getLong(at);
        if ((byte) word >= 0) {
            at++;
            return word & 0x7F;
        }
        int size = Varint.sizeInWord(word);
        if (size > Long.BYTES) {
            return varintByBytes();
        }
        at += size;
        return Varint.ofWord(word, size);
    }

    private long varintByBytes() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = signedByte();
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw damaged("a number has more than " + Varint.MOST_BYTES + " bytes");
    }

    /** A number written by {@link Varint#putSigned}. */
    public long signedVarint() {
        return Varint.unfold(varint());
    }

    /** A number that must not be above a limit: a position, an id, a count. */
    public int varintUpTo(int limit, String what) {
        long value = varint();
        if (value < 0 || value > limit) {
            throw damaged(what + " is " + Long.toUnsignedString(value) + " where " + limit + " is the most");
        }
        return (int) value;
    }

    /** A length and so many bytes: a reference to them, valid as long as the bytes stay. */
    public long bytes(int most) {
        int length = varintUpTo(most, "a length");
        long address = skip(length);
        return Ref.of(address, length);
    }

    /** Passes over bytes and returns where they begin. */
    public long skip(long length) {
        if (length < 0 || length > end - at) {
            throw cutOff();
        }
        long address = at;
        at += length;
        return address;
    }

    private DamagedImageException cutOff() {
        return damaged("the bytes end in the middle of a value");
    }

    /** An exception that says where in the bytes something is wrong. */
    public DamagedImageException damaged(String what) {
        return new DamagedImageException("Damaged at byte " + position() + " of " + (end - start) + ": " + what + ".");
    }
}
