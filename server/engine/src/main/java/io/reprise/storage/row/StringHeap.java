package io.reprise.storage.row;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;

/**
 * The strings of one table that are too long to lie in their rows. A block is written once and not changed until it is
 * freed; its size class follows from the string's length, so blocks have no header.
 *
 * <p>Size classes are 8 bytes apart up to 128 bytes and then about an eighth of the size, so that at most an eighth is
 * wasted. The blocks of a class lie in {@linkplain HeapSpans spans}, and a span whose blocks are all free can serve any
 * other class, so that a table whose strings change their lengths does not grow either.
 */
public final class StringHeap {
    private static final int FINE_LIMIT = 128;
    private static final int FINE_CLASSES = 16;
    private static final int CLASSES = FINE_CLASSES + 8 * 13;

    private final AddressSpace space;
    private final Memory memory;
    private final MemoryAccount account;
    private HeapSpans spans;

    /** An empty heap. */
    public StringHeap(AddressSpace space, MemoryAccount account) {
        this.space = space;
        this.memory = space.memory();
        this.account = account;
        spans = newSpans();
    }

    private HeapSpans newSpans() {
        return new HeapSpans(memory, space.region(account), CLASSES);
    }

    /** The size class of a length from 1: eight classes between a power of two and the next. */
    static int sizeClass(int length) {
        if (length <= FINE_LIMIT) {
            return (length + 7) / 8 - 1;
        }
        int log = 31 - Integer.numberOfLeadingZeros(length - 1);
        int eighth = (length - 1) >>> (log - 3) & 7;
        return FINE_CLASSES + (log - 7) * 8 + eighth;
    }

    /** The bytes of a block of that class. */
    static int blockSize(int sizeClass) {
        if (sizeClass < FINE_CLASSES) {
            return (sizeClass + 1) * 8;
        }
        int log = 7 + (sizeClass - FINE_CLASSES) / 8;
        int eighth = (sizeClass - FINE_CLASSES) % 8;
        return (8 + eighth + 1) << (log - 3);
    }

    /** The bytes that a string of that length (at least 1) takes. */
    public static int bytesFor(int length) {
        return blockSize(sizeClass(length));
    }

    /** Copies a string (at least one byte) into the heap. Returns a reference to the copy. Throws MEMORY_LIMIT. */
    public long store(long ref) {
        int length = Ref.length(ref);
        int sizeClass = sizeClass(length);
        long block = spans.allocate(sizeClass, blockSize(sizeClass));
        memory.copy(Ref.address(ref), block, length);
        return Ref.of(block, length);
    }

    /** Frees the block of a string. */
    public void free(long ref) {
        int sizeClass = sizeClass(Ref.length(ref));
        spans.free(sizeClass, blockSize(sizeClass), Ref.address(ref));
    }

    /** Bytes in blocks that are not free. */
    public long bytesInUse() {
        return spans.bytesInUse();
    }

    /** All strings, set aside so that the table can begin anew. */
    public Detached detach() {
        Detached detached = new Detached(spans);
        spans = newSpans();
        return detached;
    }

    /** Puts back what was detached, and detaches what is here now. */
    public Detached exchange(Detached detached) {
        Detached now = new Detached(spans);
        spans = detached.spans;
        return now;
    }

    /** Gives back memory that has not been needed since many strings were freed. */
    public void trim() {
        spans.trim();
    }

    /** Gives everything back. */
    public void drop() {
        spans.drop();
    }

    /** Checks spans and free chains. */
    public void verify() {
        spans.verify();
    }

    /** Strings that were set aside. */
    public static final class Detached {
        private final HeapSpans spans;

        private Detached(HeapSpans spans) {
            this.spans = spans;
        }

        /** Gives the memory back. */
        public void drop() {
            spans.drop();
        }
    }
}
