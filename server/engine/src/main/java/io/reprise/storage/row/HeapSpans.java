package io.reprise.storage.row;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Region;
import java.util.Arrays;

/**
 * A region divided into spans, runs of units of 8 KiB; all blocks of a span are of one size class. A span without
 * used blocks becomes a free run, joined with free neighbours, unless its class has no other with room; at the
 * region's end it is given back.
 *
 * <p>Facts about a span are in arrays on the heap, at the index of its first unit (some 28 bytes for 8 KiB); only the
 * chain of free blocks is in the blocks themselves.
 */
final class HeapSpans {
    static final int UNIT = 8 << 10;

    private static final int FREE = -1;
    private static final int MOST_UNITS = 160;
    private static final long KEPT = 256 << 10;

    private final Memory memory;
    private final Region region;
    private final long start;

    /** First span of each class that has room, linked by {@link #after} and {@link #before}; unit + 1, 0: none. */
    private final int[] roomy;

    /** First free run of each length (the last: this length or longer), linked likewise. */
    private final int[] freeRuns = new int[MOST_UNITS + 1];

    /** Units of a span of each class. */
    private final int[] spanUnits;

    /** For each unit of a span its first unit; for the first and last unit of a free run its first unit too. */
    private int[] first = new int[16];

    /** Units of a span or free run. */
    private int[] units = new int[16];

    /** Its class, or {@link #FREE}. */
    private int[] spanClass = new int[16];

    private int[] used = new int[16];

    /** The number of blocks that have ever been given out; later ones are not in the free chain. */
    private int[] touched = new int[16];

    private int[] after = new int[16];
    private int[] before = new int[16];
    private long[] freeBlock = new long[16];
    private int top;
    private long bytesInUse;

    HeapSpans(Memory memory, Region region, int classes) {
        this.memory = memory;
        this.region = region;
        this.start = region.start();
        roomy = new int[classes];
        spanUnits = new int[classes];
    }

    long bytesInUse() {
        return bytesInUse;
    }

    /** As few units as waste at most a sixteenth. */
    private static int unitsFor(int blockSize) {
        int count = Math.max(1, (blockSize + UNIT - 1) / UNIT);
        while (count * UNIT % blockSize > count * UNIT / 16) {
            count++;
        }
        return count;
    }

    /** A block. Throws MEMORY_LIMIT. */
    long allocate(int sizeClass, int blockSize) {
        int span = roomy[sizeClass] - 1;
        if (span < 0) {
            span = newSpan(sizeClass, blockSize);
        }
        long block = freeBlock[span];
        if (block != 0) {
            freeBlock[span] = memory.getLong(block);
        } else {
            block = address(span) + (long) touched[span]++ * blockSize;
        }
        if (++used[span] == blocks(span, blockSize)) {
            unlink(roomy, sizeClass, span);
        }
        bytesInUse += blockSize;
        return block;
    }

    void free(int sizeClass, int blockSize, long block) {
        int span = first[(int) ((block - start) / UNIT)];
        memory.putLong(block, freeBlock[span]);
        freeBlock[span] = block;
        bytesInUse -= blockSize;
        if (used[span]-- == blocks(span, blockSize)) {
            link(roomy, sizeClass, span);
        }
        if (bytesInUse == 0) {
            clear();
        } else if (used[span] == 0 && (after[span] != 0 || before[span] != 0)) {
            unlink(roomy, sizeClass, span);
            release(span);
        }
    }

    private void clear() {
        Arrays.fill(roomy, 0);
        Arrays.fill(freeRuns, 0);
        top = 0;
        region.shrinkTo(start + KEPT);
    }

    private long address(int unit) {
        return start + (long) unit * UNIT;
    }

    private int blocks(int span, int blockSize) {
        return units[span] * UNIT / blockSize;
    }

    private int newSpan(int sizeClass, int blockSize) {
        if (spanUnits[sizeClass] == 0) {
            spanUnits[sizeClass] = unitsFor(blockSize);
        }
        int count = spanUnits[sizeClass];
        int span = takeRun(count);
        if (span < 0) {
            region.growTo(address(top + count));
            ensureCapacity(top + count);
            span = top;
            top += count;
        }
        units[span] = count;
        Arrays.fill(first, span, span + count, span);
        spanClass[span] = sizeClass;
        used[span] = 0;
        touched[span] = 0;
        freeBlock[span] = 0;
        link(roomy, sizeClass, span);
        return span;
    }

    /** A free run of at least this length, cut to it; or -1. */
    private int takeRun(int count) {
        for (int length = count; length <= MOST_UNITS; length++) {
            int run = freeRuns[length] - 1;
            if (run >= 0) {
                unlink(freeRuns, length, run);
                int rest = units[run] - count;
                if (rest > 0) {
                    addRun(run + count, rest);
                }
                return run;
            }
        }
        return -1;
    }

    private void addRun(int run, int count) {
        units[run] = count;
        spanClass[run] = FREE;
        first[run] = run;
        first[run + count - 1] = run;
        spanClass[run + count - 1] = FREE;
        link(freeRuns, Math.min(count, MOST_UNITS), run);
    }

    private void removeRun(int run) {
        unlink(freeRuns, Math.min(units[run], MOST_UNITS), run);
    }

    private void release(int span) {
        int run = span;
        int count = units[span];
        if (run > 0 && spanClass[first[run - 1]] == FREE) {
            run = first[run - 1];
            count += units[run];
            removeRun(run);
        }
        int next = run + count;
        if (next < top && spanClass[next] == FREE) {
            count += units[next];
            removeRun(next);
        }
        if (run + count == top) {
            top = run;
            if (region.taken() > KEPT + 2L * top * UNIT) {
                region.shrinkTo(address(top) + KEPT);
            }
        } else {
            addRun(run, count);
        }
    }

    private void link(int[] heads, int list, int span) {
        int head = heads[list];
        after[span] = head;
        before[span] = 0;
        if (head != 0) {
            before[head - 1] = span + 1;
        }
        heads[list] = span + 1;
    }

    private void unlink(int[] heads, int list, int span) {
        if (before[span] != 0) {
            after[before[span] - 1] = after[span];
        } else {
            heads[list] = after[span];
        }
        if (after[span] != 0) {
            before[after[span] - 1] = before[span];
        }
        after[span] = 0;
        before[span] = 0;
    }

    private void ensureCapacity(int count) {
        if (count > first.length) {
            int capacity = Math.max(count, first.length + first.length / 2);
            first = Arrays.copyOf(first, capacity);
            units = Arrays.copyOf(units, capacity);
            spanClass = Arrays.copyOf(spanClass, capacity);
            used = Arrays.copyOf(used, capacity);
            touched = Arrays.copyOf(touched, capacity);
            after = Arrays.copyOf(after, capacity);
            before = Arrays.copyOf(before, capacity);
            freeBlock = Arrays.copyOf(freeBlock, capacity);
        }
    }

    /** Gives back unneeded memory. An empty span that is kept for its class often holds the end back. */
    void trim() {
        while (top > 0 && used[first[top - 1]] == 0) {
            int span = first[top - 1];
            unlink(roomy, spanClass[span], span);
            release(span);
        }
        region.trimTo(address(top));
    }

    void drop() {
        region.drop();
    }

    /** Checks that spans and free runs cover everything, that no two free runs touch, and that free chains are right. */
    void verify() {
        long bytes = 0;
        boolean freeBefore = false;
        for (int unit = 0; unit < top; unit += units[unit]) {
            boolean free = spanClass[unit] == FREE;
            require(first[unit] == unit && first[unit + units[unit] - 1] == unit, unit, "has wrong borders");
            require(!free || !freeBefore, unit, "is free beside a free one");
            freeBefore = free;
            if (!free) {
                int blockSize = StringHeap.blockSize(spanClass[unit]);
                bytes += (long) used[unit] * blockSize;
                int freeBlocks = 0;
                for (long block = freeBlock[unit]; block != 0; block = memory.getLong(block)) {
                    require((block - address(unit)) % blockSize == 0, unit, "has a free block that is none");
                    require(++freeBlocks <= touched[unit], unit, "has a circular free chain");
                }
                require(freeBlocks + used[unit] == touched[unit], unit, "has lost blocks");
            }
        }
        require(bytes == bytesInUse, top, "ends with " + bytes + " bytes in use, not " + bytesInUse);
    }

    private static void require(boolean holds, int unit, String what) {
        if (!holds) {
            throw new IllegalStateException("string heap: span at unit " + unit + " " + what);
        }
    }
}
