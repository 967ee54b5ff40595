package io.reprise.storage.row;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;

/**
 * The strings of one table that are too long to lie in their rows. A block is written once and not changed until it is
 * freed; its size class follows from the string's length, so blocks have no header.
 *
 * <p>Size classes are 8 bytes apart up to 128 bytes and then about an eighth of the size, so that at most an eighth is
 * wasted.
 */
public final class StringHeap {
    private static final int FINE_LIMIT = 128;
    private static final int CLASSES = 16 + 8 * 13;

    private final AddressSpace space;
    private final Memory memory;
    private final MemoryAccount account;
    private Region region;
    private long end;
    private long[] freeHeads;
    private long bytesInUse;

    /** An empty heap. */
    public StringHeap(AddressSpace space, MemoryAccount account) {
        this.space = space;
        this.memory = space.memory();
        this.account = account;
        reset();
    }

    private void reset() {
        region = space.region(account);
        end = region.start();
        freeHeads = new long[CLASSES];
        bytesInUse = 0;
    }

    /** The size class of a length from 1: eight classes between a power of two and the next. */
    static int sizeClass(int length) {
        if (length <= FINE_LIMIT) {
            return (length + 7) / 8 - 1;
        }
        int log = 31 - Integer.numberOfLeadingZeros(length - 1);
        int eighth = (length - 1) >>> (log - 3) & 7;
        return 16 + (log - 7) * 8 + eighth;
    }

    /** The bytes of a block of that class. */
    static int blockSize(int sizeClass) {
        if (sizeClass < 16) {
            return (sizeClass + 1) * 8;
        }
        int log = 7 + (sizeClass - 16) / 8;
        int eighth = (sizeClass - 16) % 8;
        return (8 + eighth + 1) << (log - 3);
    }

    /** The bytes that a string of that length (at least 1) takes. */
    public static int bytesFor(int length) {
        return blockSize(sizeClass(length));
    }

    /** A block for a string of that length (at least 1). Throws MEMORY_LIMIT. */
    public long allocate(int length) {
        int sizeClass = sizeClass(length);
        int size = blockSize(sizeClass);
        long block = freeHeads[sizeClass];
        if (block != 0) {
            freeHeads[sizeClass] = memory.getLong(block);
        } else {
            block = end;
            region.growTo(block + size);
            end = block + size;
        }
        bytesInUse += size;
        return block;
    }

    /** Copies a string (at least one byte) into the heap. Returns a reference to the copy. Throws MEMORY_LIMIT. */
    public long store(long ref) {
        int length = Ref.length(ref);
        long block = allocate(length);
        memory.copy(Ref.address(ref), block, length);
        return Ref.of(block, length);
    }

    /** Frees the block of a string. */
    public void free(long ref) {
        int sizeClass = sizeClass(Ref.length(ref));
        long block = Ref.address(ref);
        memory.putLong(block, freeHeads[sizeClass]);
        freeHeads[sizeClass] = block;
        bytesInUse -= blockSize(sizeClass);
        if (bytesInUse == 0) {
            java.util.Arrays.fill(freeHeads, 0);
            end = region.start();
        }
    }

    /** Bytes in blocks that are not free. */
    public long bytesInUse() {
        return bytesInUse;
    }

    /** All strings, set aside so that the table can begin anew. */
    public Detached detach() {
        Detached detached = new Detached(region, end, freeHeads, bytesInUse);
        reset();
        return detached;
    }

    /** Puts back what was detached and drops what is here now. */
    public void restore(Detached detached) {
        region.drop();
        region = detached.region;
        end = detached.end;
        freeHeads = detached.freeHeads;
        bytesInUse = detached.bytesInUse;
    }

    /** Gives everything back. */
    public void drop() {
        region.drop();
    }

    /** Strings that were set aside. */
    public static final class Detached {
        private final Region region;
        private final long end;
        private final long[] freeHeads;
        private final long bytesInUse;

        private Detached(Region region, long end, long[] freeHeads, long bytesInUse) {
            this.region = region;
            this.end = end;
            this.freeHeads = freeHeads;
            this.bytesInUse = bytesInUse;
        }

        /** Gives the memory back. */
        public void drop() {
            region.drop();
        }
    }
}
