package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;
import java.util.Arrays;

/**
 * A hash table of rows that grows and shrinks by one bucket at a time: linear hashing with two partial expansions. There
 * is no pause in which everything is rehashed and never twice the memory.
 *
 * <p>A bucket is one cache line of 8 slots, an overflow bucket half of one; they are filled from the front:
 *
 * <pre>
 *  63             32 31 30            0
 * +-----------------+--+---------------+
 * | hash            | 0| row number + 1|    an entry
 * | 0               | 1| bucket number |    in the last slot only: the chain goes on in that overflow bucket
 * | 0               | 0| 0             |    free
 * +-----------------+--+---------------+
 * </pre>
 *
 * <p><b>Growth.</b> With n buckets (a power of two), buckets j and j + n/2 form group j. In phase 0 each group in turn
 * gets a third bucket n + j, in phase 1 a fourth, n + n/2 + j; then there are 2n buckets and the entries lie where the
 * hash modulo 2n says. In between, of the entries that are to move in the end (bit n of the hash is set), 11/16 move to
 * the third bucket at once: about an even third for each of the three. So the fullest group is at most half again as full
 * as the emptiest; plain linear hashing, where a bucket is split in two, has twice as full ones and far more overflow.
 *
 * <p>All this is decided by the 32 bits of hash that an entry holds, so growing never reads a row.
 */
final class LinearTable {
    static final int BUCKET = 64;
    static final int OVERFLOW = 32;

    private static final int LEAST_BUCKETS = 2;
    private static final int MOST_BUCKETS = 1 << 27;
    private static final int THIRD_SHIFT = 28;
    private static final int THIRD_OF_16 = 11;
    private static final int RESERVED_OVERFLOW = 8;

    /** Mean entries in a bucket, times 16, above which it grows and below which it shrinks. */
    private static final long GROW_ABOVE = 80;

    private static final long SHRINK_BELOW = 64;

    private final AddressSpace space;
    private final MemoryAccount account;
    private final Memory memory;

    private Region primary;
    private Region overflow;
    private long start;
    private long overflowOrigin;
    private int overflowTop;
    private int overflowFree;
    private int overflowInUse;

    private int base;
    private int phase;
    private int next;
    private int buckets;
    private long size;

    private long[] moving = new long[64];

    LinearTable(AddressSpace space, MemoryAccount account) {
        this.space = space;
        this.account = account;
        this.memory = space.memory();
        reset();
    }

    private void reset() {
        primary = space.region(account);
        overflow = space.region(account);
        start = primary.start();
        overflowOrigin = overflow.start() - OVERFLOW;
        overflowTop = 0;
        overflowFree = 0;
        overflowInUse = 0;
        base = LEAST_BUCKETS;
        phase = 0;
        next = 0;
        buckets = LEAST_BUCKETS;
        size = 0;
        primary.growAnyway(bucket(buckets));
    }

    long size() {
        return size;
    }

    long bytesInUse() {
        return (long) buckets * BUCKET + (long) overflowInUse * OVERFLOW;
    }

    /** The bucket in which entries with this hash begin. */
    long bucketFor(int hash) {
        return bucket(indexFor(hash));
    }

    private int indexFor(int hash) {
        int low = hash & (base - 1);
        if ((hash & base) == 0) {
            return low;
        }
        int group = low & (base / 2 - 1);
        int expansions = phase + (group < next ? 1 : 0);
        if (expansions == 0) {
            return low;
        }
        if (expansions == 2) {
            return low + base;
        }
        return hash >>> THIRD_SHIFT < THIRD_OF_16 ? base + group : low;
    }

    private long bucket(int index) {
        return start + (long) index * BUCKET;
    }

    /** Where a chain goes on; the slot is the last of its bucket and negative as an int. */
    long overflowBucket(long slot) {
        return overflowOrigin + (slot & Integer.MAX_VALUE) * OVERFLOW;
    }

    static long entry(int hash, int row) {
        return (long) hash << 32 | (row + 1);
    }

    /** Makes sure that the next insertion finds the memory it may need. Throws MEMORY_LIMIT. */
    void reserve() {
        primary.growTo(bucket(buckets + 1));
        overflow.growTo(overflowOrigin + (overflowTop + 1L + RESERVED_OVERFLOW) * OVERFLOW);
    }

    void insert(int hash, int row) {
        place(entry(hash, row), bucketFor(hash));
        size++;
        if (size * 16 > buckets * GROW_ABOVE && buckets < MOST_BUCKETS) {
            expand();
        }
    }

    private void place(long entry, long firstBucket) {
        long bucket = firstBucket;
        int bytes = BUCKET;
        while (true) {
            for (int at = 0; at < bytes; at += 8) {
                if (memory.getLong(bucket + at) == 0) {
                    memory.putLong(bucket + at, entry);
                    return;
                }
            }
            long lastSlot = bucket + bytes - 8;
            long last = memory.getLong(lastSlot);
            bytes = OVERFLOW;
            if ((int) last < 0) {
                bucket = overflowBucket(last);
            } else {
                int added = allocateOverflow();
                bucket = overflowBucket(added);
                memory.putLong(bucket, last);
                memory.putLong(lastSlot, added | 0x80000000L);
            }
        }
    }

    private int allocateOverflow() {
        overflowInUse++;
        int bucket = overflowFree;
        if (bucket != 0) {
            overflowFree = (int) memory.getLong(overflowBucket(bucket));
        } else {
            bucket = ++overflowTop;
            overflow.growAnyway(overflowBucket(bucket + 1));
        }
        memory.putLong(overflowBucket(bucket), 0);
        return bucket;
    }

    /** Frees an overflow bucket, all of whose slots are zero. */
    private void releaseOverflow(int bucket) {
        memory.putLong(overflowBucket(bucket), overflowFree);
        overflowFree = bucket;
        overflowInUse--;
    }

    /** Removes an entry. Returns whether it was there. */
    boolean remove(int hash, int row) {
        long wanted = entry(hash, row);
        long first = bucketFor(hash);
        long bucket = first;
        int bytes = BUCKET;
        while (true) {
            for (int at = 0; at < bytes; at += 8) {
                if (memory.getLong(bucket + at) == wanted) {
                    fillHole(first, bucket + at);
                    removed();
                    return true;
                }
            }
            long last = memory.getLong(bucket + bytes - 8);
            if ((int) last >= 0) {
                return false;
            }
            bucket = overflowBucket(last);
            bytes = OVERFLOW;
        }
    }

    private void removed() {
        size--;
        if (size * 16 < buckets * SHRINK_BELOW && buckets > LEAST_BUCKETS) {
            contract();
        }
        if (overflowInUse == 0 && overflowTop > 0) {
            overflowTop = 0;
            overflowFree = 0;
            overflow.shrinkTo(overflow.start() + 2 * Memory.PAGE);
        }
    }

    /** Moves the chain's last entry into the hole, so that free slots are at the chain's end only. */
    private void fillHole(long firstBucket, long hole) {
        long pointer = 0;
        long lastSlot = firstBucket + BUCKET - 8;
        long last = memory.getLong(lastSlot);
        long bucket = firstBucket;
        while ((int) last < 0) {
            pointer = lastSlot;
            bucket = overflowBucket(last);
            lastSlot = bucket + OVERFLOW - 8;
            last = memory.getLong(lastSlot);
        }
        long from = lastSlot;
        while (memory.getLong(from) == 0) {
            from -= 8;
        }
        memory.putLong(hole, memory.getLong(from));
        memory.putLong(from, 0);
        if (from == bucket && pointer != 0) {
            releaseOverflow((int) memory.getLong(pointer) & Integer.MAX_VALUE);
            memory.putLong(pointer, 0);
        }
    }

    private void expand() {
        int group = next;
        primary.growAnyway(bucket(buckets + 1));
        int moved = takeOut(group, 0);
        moved = takeOut(group + base / 2, moved);
        if (phase == 1) {
            moved = takeOut(group + base, moved);
        }
        buckets++;
        next++;
        if (next == base / 2) {
            next = 0;
            if (phase == 1) {
                base *= 2;
            }
            phase ^= 1;
        }
        putBack(moved);
    }

    private void contract() {
        if (next == 0) {
            if (phase == 0) {
                base /= 2;
            }
            phase ^= 1;
            next = base / 2;
        }
        next--;
        int group = next;
        int moved = takeOut(group, 0);
        moved = takeOut(group + base / 2, moved);
        moved = takeOut(group + base, moved);
        if (phase == 1) {
            moved = takeOut(group + base + base / 2, moved);
        }
        buckets--;
        putBack(moved);
        if (size == 0 || primary.taken() > 2 * (long) buckets * BUCKET + 16 * Memory.PAGE) {
            primary.shrinkTo(bucket(buckets));
        }
    }

    /** Empties a chain into {@link #moving}. */
    private int takeOut(int index, int movedBefore) {
        int moved = movedBefore;
        long bucket = bucket(index);
        int bytes = BUCKET;
        int overflowNumber = 0;
        while (true) {
            if (moved + BUCKET / 8 > moving.length) {
                moving = Arrays.copyOf(moving, 2 * moving.length);
            }
            long last = 0;
            for (int at = 0; at < bytes; at += 8) {
                last = memory.getLong(bucket + at);
                memory.putLong(bucket + at, 0);
                if ((int) last > 0) {
                    moving[moved++] = last;
                }
            }
            if (overflowNumber != 0) {
                releaseOverflow(overflowNumber);
            }
            if ((int) last >= 0) {
                return moved;
            }
            overflowNumber = (int) last & Integer.MAX_VALUE;
            bucket = overflowBucket(last);
            bytes = OVERFLOW;
        }
    }

    private void putBack(int moved) {
        for (int i = 0; i < moved; i++) {
            place(moving[i], bucketFor((int) (moving[i] >>> 32)));
        }
    }

    Detached detach() {
        Detached detached = new Detached(
                primary, overflow, overflowTop, overflowFree, overflowInUse, base, phase, next, buckets, size);
        reset();
        return detached;
    }

    void restore(Detached detached) {
        drop();
        primary = detached.primary;
        overflow = detached.overflow;
        start = primary.start();
        overflowOrigin = overflow.start() - OVERFLOW;
        overflowTop = detached.overflowTop;
        overflowFree = detached.overflowFree;
        overflowInUse = detached.overflowInUse;
        base = detached.base;
        phase = detached.phase;
        next = detached.next;
        buckets = detached.buckets;
        size = detached.size;
    }

    void drop() {
        primary.drop();
        overflow.drop();
    }

    /** Checks that entries are where their hash says, chains are dense, and counts are right. */
    void verify(String name) {
        long entries = 0;
        int chained = 0;
        for (int index = 0; index < buckets; index++) {
            long bucket = bucket(index);
            int bytes = BUCKET;
            boolean ended = false;
            while (bucket != 0) {
                long last = 0;
                for (int at = 0; at < bytes; at += 8) {
                    last = memory.getLong(bucket + at);
                    check(!ended || last == 0, name, "has an entry behind a free slot");
                    ended |= last == 0;
                    if ((int) last > 0) {
                        entries++;
                        check(indexFor((int) (last >>> 32)) == index, name, "has an entry in a wrong bucket");
                    }
                }
                bucket = (int) last < 0 ? overflowBucket(last) : 0;
                bytes = OVERFLOW;
                chained += bucket != 0 ? 1 : 0;
            }
        }
        check(entries == size, name, "has " + entries + " entries, not " + size);
        check(chained == overflowInUse, name, "has " + chained + " overflow buckets, not " + overflowInUse);
    }

    private static void check(boolean holds, String name, String what) {
        if (!holds) {
            throw new IllegalStateException("index " + name + " " + what);
        }
    }

    /** A table's content that was set aside. */
    record Detached(
            Region primary,
            Region overflow,
            int overflowTop,
            int overflowFree,
            int overflowInUse,
            int base,
            int phase,
            int next,
            int buckets,
            long size) {}
}
