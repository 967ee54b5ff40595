package io.reprise.runtime.memory;

import io.reprise.runtime.Invariants;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.NavigableSet;
import java.util.concurrent.ConcurrentSkipListSet;

/**
 * A large reserved range of off-heap memory, addressed by offsets from its start. Reserving costs nothing: the
 * operating system gives pages when they are first touched, and {@link #discard} returns them.
 *
 * <p>Numbers are little endian on every machine. Owned by one thread at a time; not synchronised. Offset 0 is never
 * given out: it stands for "none".
 *
 * <p>{@link RawAccess} reads and writes numbers at {@code base + address}: one addition and the load or store. The
 * price is that an address outside the reservation is not noticed as such, so {@code assert}s check it in tests. Long
 * stretches are copied by way of a constant segment that covers the whole address space.
 */
public final class Memory implements AutoCloseable {
    /** Addresses have at most this many bits, because a string reference holds one beside its length. */
    public static final int ADDRESS_BITS = 44;

    /** The unit of {@link #discard} and of huge page advice. */
    public static final int PAGE = 4096;

    /** The size and alignment of a huge page. */
    public static final int HUGE_PAGE = 2 << 20;

    private static final long LEAST_BYTES = 1L << 30;

    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);
    private static final ValueLayout.OfByte BYTE = ValueLayout.JAVA_BYTE;
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Below this a loop of words is faster than a call of the copying routine. */
    private static final int SMALL = 160;

    /** The same for filling, which needs a view of the range besides. */
    private static final int SMALL_TO_ZERO = 1024;

    private final long base;
    private final long size;
    private final long mappedAt;
    private final long mappedBytes;
    private final MemorySegment segment;
    private final Arena views = Arena.ofShared();

    /** Held while the range must stay mapped; the owner's accesses need nothing. */
    private final Object mapping = new Object();

    private boolean closed;

    /**
     * The addresses of reserved huge pages. Several threads use it when rows are loaded: one for rows, one for
     * indexes.
     */
    private final NavigableSet<Long> reserved = new ConcurrentSkipListSet<>();

    private volatile ReservedPages reservedPages;

    private Memory(long mappedAt, long mappedBytes) {
        this.mappedAt = mappedAt;
        this.mappedBytes = mappedBytes;
        this.base = (mappedAt + HUGE_PAGE - 1) & -HUGE_PAGE;
        this.size = mappedAt + mappedBytes - base;
        this.segment = MemorySegment.ofAddress(base).reinterpret(size, views, null);
    }

    /**
     * Reserves address space (not memory). If the system refuses the amount, half of it is tried, and so on down to 1
     * GiB; {@link #size} says how much was granted.
     */
    public static Memory reserve(long bytes) {
        long wanted = Math.min(bytes, 1L << ADDRESS_BITS);
        long least = Math.min(wanted, LEAST_BYTES);
        for (long attempt = wanted; attempt >= least; attempt /= 2) {
            long address = VirtualMemory.map(attempt);
            if (address != 0) {
                return new Memory(address, attempt);
            }
        }
        throw new IllegalStateException("The operating system refuses to reserve even " + least
                + " bytes of address space for a partition. Reserving takes no memory, so look for a limit on address"
                + " space (ulimit -v) or strict overcommit (vm.overcommit_memory=2) and lift it.");
    }

    /** The number of bytes that can be addressed. */
    public long size() {
        return size;
    }

    public byte getByte(long address) {
        assert inRange(address, 1);
        return RawAccess.getByte(base + address);
    }

    public short getShort(long address) {
        assert inRange(address, 2);
        return RawAccess.getShort(base + address);
    }

    public int getInt(long address) {
        assert inRange(address, 4);
        return RawAccess.getInt(base + address);
    }

    public long getLong(long address) {
        assert inRange(address, 8);
        return RawAccess.getLong(base + address);
    }

    public double getDouble(long address) {
        assert inRange(address, 8);
        return RawAccess.getDouble(base + address);
    }

    public void putByte(long address, byte value) {
        assert inRange(address, 1);
        RawAccess.putByte(base + address, value);
    }

    public void putShort(long address, short value) {
        assert inRange(address, 2);
        RawAccess.putShort(base + address, value);
    }

    public void putInt(long address, int value) {
        assert inRange(address, 4);
        RawAccess.putInt(base + address, value);
    }

    public void putLong(long address, long value) {
        assert inRange(address, 8);
        RawAccess.putLong(base + address, value);
    }

    public void putDouble(long address, double value) {
        assert inRange(address, 8);
        RawAccess.putDouble(base + address, value);
    }

    private boolean inRange(long address, long length) {
        return address > 0 && length >= 0 && address + length <= size && !closed;
    }

    /** Copies within this memory; the two ranges must not overlap. */
    public void copy(long from, long to, long length) {
        if (length > SMALL) {
            assert inRange(from, length) && inRange(to, length);
            MemorySegment.copy(ALL, base + from, ALL, base + to, length);
            return;
        }
        if (length < 8) {
            copyFew(from, to, length);
            return;
        }
        long last = length - 8;
        for (long at = 0; at < last; at += 8) {
            putLong(to + at, getLong(from + at));
        }
        putLong(to + last, getLong(from + last));
    }

    private void copyFew(long from, long to, long length) {
        if (length >= 4) {
            putInt(to, getInt(from));
            putInt(to + length - 4, getInt(from + length - 4));
            return;
        }
        for (long at = 0; at < length; at++) {
            putByte(to + at, getByte(from + at));
        }
    }

    /** Copies within this memory; the two ranges may overlap. */
    public void move(long from, long to, long length) {
        if (length > 0) {
            assert inRange(from, length) && inRange(to, length);
            MemorySegment.copy(ALL, base + from, ALL, base + to, length);
        }
    }

    /** Copies in from elsewhere. */
    public void copyIn(MemorySegment source, long sourceOffset, long to, long length) {
        MemorySegment.copy(source, sourceOffset, segment, to, length);
    }

    /** Copies in from another memory, or from a place of this one that doesn't overlap. */
    public void copyFrom(Memory source, long from, long to, long length) {
        assert length == 0 || source.inRange(from, length) && inRange(to, length);
        if (length > SMALL) {
            MemorySegment.copy(ALL, source.base + from, ALL, base + to, length);
            return;
        }
        if (length < 8) {
            copyFewFrom(source, from, to, length);
            return;
        }
        long last = length - 8;
        for (long at = 0; at < last; at += 8) {
            putLong(to + at, source.getLong(from + at));
        }
        putLong(to + last, source.getLong(from + last));
    }

    private void copyFewFrom(Memory source, long from, long to, long length) {
        if (length >= 4) {
            putInt(to, source.getInt(from));
            putInt(to + length - 4, source.getInt(from + length - 4));
            return;
        }
        for (long at = 0; at < length; at++) {
            putByte(to + at, source.getByte(from + at));
        }
    }

    /** Fills with zeros. */
    public void zero(long address, long length) {
        if (length > SMALL_TO_ZERO) {
            segment.asSlice(address, length).fill((byte) 0);
            return;
        }
        long at = 0;
        for (; at + 8 <= length; at += 8) {
            putLong(address + at, 0);
        }
        for (; at < length; at++) {
            putByte(address + at, (byte) 0);
        }
    }

    /** Compares two byte strings as unsigned bytes: negative, 0 or positive. */
    public int compare(long addressA, int lengthA, long addressB, int lengthB) {
        int common = Math.min(lengthA, lengthB);
        int at = 0;
        for (; at + 8 <= common; at += 8) {
            long a = getLong(addressA + at);
            long b = getLong(addressB + at);
            if (a != b) {
                return Long.compareUnsigned(Long.reverseBytes(a), Long.reverseBytes(b));
            }
        }
        for (; at < common; at++) {
            int difference = Byte.compareUnsigned(getByte(addressA + at), getByte(addressB + at));
            if (difference != 0) {
                return difference;
            }
        }
        return lengthA - lengthB;
    }

    /** Whether two byte strings of the same length are equal. */
    public boolean sameBytes(long addressA, long addressB, int length) {
        int at = 0;
        for (; at + 8 <= length; at += 8) {
            if (getLong(addressA + at) != getLong(addressB + at)) {
                return false;
            }
        }
        for (; at < length; at++) {
            if (getByte(addressA + at) != getByte(addressB + at)) {
                return false;
            }
        }
        return true;
    }

    /** The 64-bit hash of a byte string; the same on every machine and in every run, because buckets depend on it. */
    public long hash(long address, int length) {
        assert length == 0 || inRange(address, length);
        return hash(ALL, base + address, length);
    }

    private static final long K0 = 0x9E3779B185EBCA87L;
    private static final long K1 = 0xC2B2AE3D27D4EB4FL;
    private static final long K2 = 0x165667B19E3779F9L;
    private static final long K3 = 0xD6E8FEB86659FD93L;

    /**
     * The same hash for bytes that lie elsewhere.
     *
     * <p>Eight bytes at a time; from 64 bytes on in four lanes that don't wait for each other's multiplications. The last
     * word overlaps the one before it rather than being gathered byte by byte; the length is part of the hash, so that
     * this is unambiguous.
     */
    public static long hash(MemorySegment source, long offset, int length) {
        long h = K2 ^ (length * K0);
        long at = offset;
        long end = offset + length;
        if (length >= 64) {
            long a = h;
            long b = h ^ K1;
            long c = h ^ K2;
            long d = h ^ K3;
            for (; at + 32 <= end; at += 32) {
                a = lane(a, source.get(LONG, at));
                b = lane(b, source.get(LONG, at + 8));
                c = lane(c, source.get(LONG, at + 16));
                d = lane(d, source.get(LONG, at + 24));
            }
            h = step(step(step(a, b), c), d);
        }
        for (; at + 8 < end; at += 8) {
            h = step(h, source.get(LONG, at));
        }
        if (length >= 8) {
            return finish(step(h, source.get(LONG, end - 8)));
        }
        if (length >= 4) {
            long low = source.get(INT, offset) & 0xFFFFFFFFL;
            return finish(step(h, low | ((long) source.get(INT, end - 4) << 32)));
        }
        if (length > 0) {
            long first = source.get(BYTE, offset) & 0xFF;
            long middle = source.get(BYTE, offset + (length >> 1)) & 0xFF;
            long last = source.get(BYTE, end - 1) & 0xFF;
            return finish(step(h, first | (middle << 8) | (last << 16)));
        }
        return finish(h);
    }

    private static long lane(long h, long word) {
        return Long.rotateLeft(h + word * K1, 31) * K0;
    }

    private static long step(long h, long word) {
        return Long.rotateLeft(h ^ (Long.rotateLeft(word * K1, 31) * K0), 27) * K0 + K3;
    }

    private static long finish(long hash) {
        long h = hash;
        h = (h ^ (h >>> 33)) * K1;
        h = (h ^ (h >>> 29)) * K2;
        return h ^ (h >>> 32);
    }

    /** Gives the pages that lie wholly within the range back to the operating system; they read as zero afterwards. */
    public void discard(long address, long length) {
        long from = (address + PAGE - 1) & -PAGE;
        long to = (address + length) & -PAGE;
        if (to > from) {
            // Memory beyond the range has another owner, and would become zeros unnoticed.
            Invariants.check(inRange(from, to - from), "memory is given back that isn't this one's, from", from);
            long ordinary = from;
            for (long start : reserved.subSet(from - HUGE_PAGE + 1, to)) {
                long end = start + HUGE_PAGE;
                discardOrdinary(ordinary, start);
                if (start >= from && end <= to) {
                    takeReservedPage(start);
                } else {
                    long zeroFrom = Math.max(start, from);
                    zero(zeroFrom, Math.min(end, to) - zeroFrom);
                }
                ordinary = end;
            }
            discardOrdinary(ordinary, to);
        }
    }

    private void discardOrdinary(long from, long to) {
        if (to > from && !VirtualMemory.advise(base + from, to - from, VirtualMemory.DONT_NEED)) {
            throw new IllegalStateException(
                    "the operating system refuses to take back " + (to - from) + " bytes of memory");
        }
    }

    /**
     * Asks for huge pages for a range that is going to be accessed at random. The touched part, {@code [address,
     * touched)}, is converted at once. Refusal does no harm.
     */
    public void adviseHugePages(long address, long length, long touched) {
        long from = (address + HUGE_PAGE - 1) & -HUGE_PAGE;
        long to = (address + length) & -HUGE_PAGE;
        if (to > from && VirtualMemory.advise(base + from, to - from, VirtualMemory.HUGE_PAGE)) {
            long collapseTo = touched & -HUGE_PAGE;
            if (collapseTo > from) {
                VirtualMemory.advise(base + from, collapseTo - from, VirtualMemory.COLLAPSE);
            }
        }
    }

    /**
     * Puts a reserved huge page, if there is one, where nothing has been touched yet. The owner's thread.
     *
     * @param address a multiple of {@link #HUGE_PAGE}
     * @param atOnce whether it is about to be touched
     * @return whether it is there
     */
    boolean putReservedPage(long address, ReservedPages pages, boolean atOnce) {
        assert inRange(address, HUGE_PAGE) && (address & HUGE_PAGE - 1) == 0;
        if (!pages.mapOne(base + address, atOnce)) {
            return false;
        }
        reservedPages = pages;
        reserved.add(address);
        return true;
    }

    private void takeReservedPage(long address) {
        if (!VirtualMemory.mapAgain(base + address, HUGE_PAGE)) {
            throw new IllegalStateException("the operating system refuses to take back a huge page");
        }
        // As it was asked for the whole range that this lies in.
        VirtualMemory.advise(base + address, HUGE_PAGE, VirtualMemory.HUGE_PAGE);
        reserved.remove(address);
        reservedPages.unmapped(1);
    }

    /**
     * Has the system give the pages of a range, as if they were written to, without changing what is in them. Any thread, at any
     * time: when this memory has been closed, nothing happens. Refusal does no harm.
     */
    void touch(long address, long length) {
        synchronized (mapping) {
            if (!closed) {
                assert inRange(address, length);
                VirtualMemory.advise(base + address, length, VirtualMemory.POPULATE);
            }
        }
    }

    /** The whole range, for views such as {@code Text}: one that outlives this memory fails, and does no harm. */
    public MemorySegment segment() {
        return segment;
    }

    @Override
    public void close() {
        synchronized (mapping) {
            if (!closed) {
                closed = true;
                views.close();
                VirtualMemory.unmap(mappedAt, mappedBytes);
                if (reservedPages != null) {
                    reservedPages.unmapped(reserved.size());
                }
            }
        }
    }
}
