package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.MemoryAccount;
import io.reprise.runtime.memory.Region;
import java.util.function.LongConsumer;

/**
 * The buckets of a {@link LinearTable} and the chains that hang from them. A bucket is one cache line of 8 slots, an
 * overflow bucket half of one; a chain is filled from its front and never has a free slot before a used one:
 *
 * <pre>
 *  63             32 31 30 29         0
 * +-----------------+--+--+------------+
 * | hash            | 0| 0| row + 1    |    a row, by its number
 * | hash            | 0| 1| count      |    so many rows with this hash, which are kept elsewhere (see SharedKeys)
 * | 0               | 1| bucket number |    in the last slot only: the chain goes on in that overflow bucket
 * | 0               | 0| 0| 0          |    free
 * +-----------------+--+--+------------+
 * </pre>
 */
final class BucketChains {
    static final int BUCKET = 64;
    static final int OVERFLOW = 32;

    private static final int ELSEWHERE = 1 << 30;
    private static final int RESERVED_OVERFLOW = 8;

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

    BucketChains(AddressSpace space, MemoryAccount account) {
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
    }

    static long entry(int hash, int row) {
        return (long) hash << 32 | (row + 1);
    }

    /** The entry for rows that are kept elsewhere. */
    static long elsewhere(int hash, int count) {
        return (long) hash << 32 | ELSEWHERE | count;
    }

    /** Whether an entry is about rows that are kept elsewhere. */
    static boolean isElsewhere(long entry) {
        return (entry & ELSEWHERE) != 0;
    }

    /** The number of rows that are kept elsewhere. */
    static int countElsewhere(long entry) {
        return (int) entry & (ELSEWHERE - 1);
    }

    /** The row of any other entry. */
    static int row(long entry) {
        return (int) entry - 1;
    }

    static int hash(long entry) {
        return (int) (entry >>> 32);
    }

    long bucket(int index) {
        return start + (long) index * BUCKET;
    }

    /** The next bucket of a chain; the slot is the last of its bucket and negative as an int. */
    long overflowBucket(long slot) {
        return overflowOrigin + (slot & Integer.MAX_VALUE) * OVERFLOW;
    }

    /** Makes room for so many buckets, and for the overflow that one insertion may need. Throws MEMORY_LIMIT. */
    void reserve(int buckets) {
        primary.growTo(bucket(buckets));
        overflow.growTo(overflowOrigin + (overflowTop + 1L + RESERVED_OVERFLOW) * OVERFLOW);
    }

    /** Whether so many buckets would take no more than half of the memory that the partition may still take. */
    boolean hasToSpare(int buckets) {
        return primary.hasToSpare(bucket(buckets));
    }

    /** Makes room for so many buckets, whatever the limit. */
    void growTo(int buckets) {
        primary.growAnyway(bucket(buckets));
    }

    /** Gives memory back if there is much more than so many buckets take. */
    void shrinkTo(int buckets) {
        if (primary.taken() > 2L * buckets * BUCKET + 16 * Memory.PAGE) {
            primary.shrinkTo(bucket(buckets));
        }
    }

    /** Gives back all memory but that of so many buckets. */
    void trimTo(int buckets) {
        primary.shrinkTo(bucket(buckets));
    }

    /** The same but for a little, if it is much. */
    void trimIfMuch(int buckets) {
        primary.trimTo(bucket(buckets));
    }

    long bytesInUse(int buckets) {
        return (long) buckets * BUCKET + (long) overflowInUse * OVERFLOW;
    }

    /** Adds an entry at the end of a chain. */
    void add(int index, long entry) {
        long bucket = bucket(index);
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

    /** The content of a slot: an entry, 0, or in a bucket's last one the next bucket of its chain. */
    long get(long slot) {
        return memory.getLong(slot);
    }

    /** Whether the chain that begins with this bucket goes on in another one. */
    boolean overflows(long bucket) {
        return (int) memory.getLong(bucket + BUCKET - 8) < 0;
    }

    /** Puts an entry into a slot. */
    void put(long slot, long entry) {
        memory.putLong(slot, entry);
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

    /** Starts anew with overflow buckets when none is in use. */
    void trimOverflow() {
        if (overflowInUse == 0 && overflowTop > 0) {
            overflowTop = 0;
            overflowFree = 0;
            overflow.shrinkTo(overflow.start() + 2 * Memory.PAGE);
        }
    }

    /** Puts all entries of a chain that have this hash into an array long enough for them. Returns how many there are. */
    int collect(int index, int hash, long[] into) {
        int found = 0;
        long bucket = bucket(index);
        int bytes = BUCKET;
        while (true) {
            long slot = 0;
            for (int at = 0; at < bytes; at += 8) {
                slot = memory.getLong(bucket + at);
                if (hash(slot) == hash && (int) slot > 0) {
                    into[found++] = slot;
                }
            }
            if ((int) slot >= 0) {
                return found;
            }
            bucket = overflowBucket(slot);
            bytes = OVERFLOW;
        }
    }

    /** The address of an entry, or 0. */
    long find(int index, long entry) {
        long bucket = bucket(index);
        int bytes = BUCKET;
        while (true) {
            for (int at = 0; at < bytes; at += 8) {
                if (memory.getLong(bucket + at) == entry) {
                    return bucket + at;
                }
            }
            long last = memory.getLong(bucket + bytes - 8);
            if ((int) last >= 0) {
                return 0;
            }
            bucket = overflowBucket(last);
            bytes = OVERFLOW;
        }
    }

    /** Replaces an entry by another with the same hash. */
    void replace(int index, long entry, long by) {
        memory.putLong(find(index, entry), by);
    }

    /** Moves the chain's last entry to where one is to be removed. */
    void removeAt(int index, long hole) {
        long pointer = 0;
        long bucket = bucket(index);
        long lastSlot = bucket + BUCKET - 8;
        long last = memory.getLong(lastSlot);
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

    /** Empties a chain and adds its entries to those that move. */
    void takeOut(int index, MovingEntries moving) {
        long bucket = bucket(index);
        int bytes = BUCKET;
        int overflowNumber = 0;
        while (true) {
            long[] taken = moving.room();
            int count = moving.count();
            long last = 0;
            for (int at = 0; at < bytes; at += 8) {
                last = memory.getLong(bucket + at);
                memory.putLong(bucket + at, 0);
                if ((int) last > 0) {
                    taken[count++] = last;
                }
            }
            moving.count(count);
            if (overflowNumber != 0) {
                releaseOverflow(overflowNumber);
            }
            if ((int) last >= 0) {
                return;
            }
            overflowNumber = (int) last & Integer.MAX_VALUE;
            bucket = overflowBucket(last);
            bytes = OVERFLOW;
        }
    }

    /** Checks that a chain is dense and calls back for each entry. Returns its overflow buckets. */
    int visit(int index, LongConsumer visitor) {
        int chained = 0;
        long bucket = bucket(index);
        int bytes = BUCKET;
        boolean ended = false;
        while (true) {
            long last = 0;
            for (int at = 0; at < bytes; at += 8) {
                last = memory.getLong(bucket + at);
                if (ended && last != 0) {
                    throw new IllegalStateException("hash bucket " + index + " has an entry behind a free slot");
                }
                ended |= last == 0;
                if ((int) last > 0) {
                    visitor.accept(last);
                }
            }
            if ((int) last >= 0) {
                return chained;
            }
            chained++;
            bucket = overflowBucket(last);
            bytes = OVERFLOW;
        }
    }

    int overflowInUse() {
        return overflowInUse;
    }

    Detached detach() {
        Detached detached = new Detached(primary, overflow, overflowTop, overflowFree, overflowInUse);
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
    }

    void drop() {
        primary.drop();
        overflow.drop();
    }

    /** Buckets that were set aside. */
    record Detached(Region primary, Region overflow, int overflowTop, int overflowFree, int overflowInUse) {
        void drop() {
            primary.drop();
            overflow.drop();
        }
    }
}
