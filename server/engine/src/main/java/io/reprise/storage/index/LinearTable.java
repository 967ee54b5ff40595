package io.reprise.storage.index;

import io.reprise.runtime.memory.AddressSpace;
import io.reprise.runtime.memory.MemoryAccount;

/**
 * A hash table of rows that grows and shrinks by one bucket at a time: linear hashing with two partial expansions. There
 * is no pause in which everything is rehashed and never twice the memory. {@link BucketChains} says what a bucket is.
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
    private static final int LEAST_BUCKETS = 2;
    private static final int MOST_BUCKETS = 1 << 27;
    private static final int THIRD_SHIFT = 28;
    private static final int THIRD_OF_16 = 11;

    /**
     * Mean entries in a bucket, times 16, above which it grows and below which it shrinks. Five of eight slots: at seven,
     * an entry takes 11 bytes instead of 13, but one in six lies in an overflow bucket and costs a second cache miss.
     */
    private static final long GROW_ABOVE = 80;

    private static final long SHRINK_BELOW = 64;

    /** From so many times as many buckets on, all entries are looked at once, and buckets are not split one by one. */
    private static final int SPREAD_TIMES = 2;

    /** The table makes room for at most so many times its entries: a guess can be wrong. */
    private static final int MOST_TIMES = 4;

    /** Of how many splits the buckets are read together. */
    private static final int TOUCHED = 16;

    private final BucketChains chains;
    private final MovingEntries moving = new MovingEntries();
    private int base;

    /** By how much a hash is shifted to the left for bit n to become its sign. */
    private int baseShift;

    private int phase;
    private int next;
    private int buckets;
    private long entries;

    /** The number of entries about rows that are kept elsewhere. */
    private long groups;

    /** Takes the values read, so that the compiler can't leave the reading out. */
    @SuppressWarnings("UnusedVariable")
    private long read;

    LinearTable(AddressSpace space, MemoryAccount account) {
        chains = new BucketChains(space, account);
        reset();
    }

    private void reset() {
        setBase(LEAST_BUCKETS);
        phase = 0;
        next = 0;
        buckets = LEAST_BUCKETS;
        entries = 0;
        groups = 0;
        chains.growTo(buckets);
    }

    private void setBase(int newBase) {
        base = newBase;
        baseShift = Integer.numberOfLeadingZeros(newBase);
    }

    /** The number of rows in the table, without those that are kept elsewhere. */
    long rows() {
        return entries - groups;
    }

    /** The number of entries. */
    long entries() {
        return entries;
    }

    long bytesInUse() {
        return chains.bytesInUse(buckets);
    }

    /** The bucket in which entries with this hash begin. */
    long bucketFor(int hash) {
        return chains.bucket(indexFor(hash));
    }

    /**
     * Without jumps, because hashes are random and a processor would guess wrong every other time. In words: an entry
     * whose bit n is not set stays in its group's first two buckets; of the others, those of a group that has been
     * expanded twice are in its fourth bucket, those of one that has been expanded once in the third, or stay.
     */
    private int indexFor(int hash) {
        int low = hash & (base - 1);
        int group = low & (base / 2 - 1);
        int expansions = phase - (group - next >> 31);
        int toThird = ((hash >>> THIRD_SHIFT) - THIRD_OF_16 >> 31) & (base + group - low);
        int away = -(expansions & 1) & toThird | -(expansions >> 1) & base;
        return low + (away & hash << baseShift >> 31);
    }

    /** The next bucket of a chain; see {@link BucketChains}. */
    long overflowBucket(long slot) {
        return chains.overflowBucket(slot);
    }

    /** Makes sure that the next insertion finds the memory it may need. Throws MEMORY_LIMIT. */
    void reserve() {
        chains.reserve(buckets + 1);
    }

    /**
     * Grows at once for so many more entries.
     *
     * @param likely the number that will probably follow those. With memory to spare, the table grows for these too,
     *     to a multiple of its size: each entry is moved once then, and not in every split of its bucket
     */
    void expect(long more, long likely) {
        long count = entries + more;
        long needed = bucketsFor(count);
        if (needed <= buckets) {
            return;
        }
        long wished = bucketsFor(Math.min(count + likely, MOST_TIMES * count));
        if (wished >= SPREAD_TIMES * buckets && chains.hasToSpare((int) wished)) {
            spread((int) wished);
        } else if (needed >= SPREAD_TIMES * buckets) {
            spread((int) needed);
        } else {
            split((int) needed);
        }
    }

    private static long bucketsFor(long count) {
        return Math.min(MOST_BUCKETS, (count * 16 + GROW_ABOVE - 1) / GROW_ABOVE);
    }

    /** Takes one bucket after the other, once, and has its entries where they belong when there are so many buckets. */
    private void spread(int newBuckets) {
        int old = buckets;
        chains.reserve(newBuckets);
        buckets = newBuckets;
        setBase(Integer.highestOneBit(newBuckets));
        int beyondBase = newBuckets - base;
        phase = beyondBase < base / 2 ? 0 : 1;
        next = beyondBase - phase * (base / 2);
        for (int index = 0; index < old; index++) {
            sift(index);
            putBack();
        }
    }

    /**
     * Splits buckets until there are so many. Those that are split follow each other in memory, and some of them are read together
     * before they are split: otherwise each is waited for.
     */
    private void split(int newBuckets) {
        for (int splits = 0; buckets < newBuckets; splits++) {
            if (splits % TOUCHED == 0) {
                touch();
            }
            reserve();
            expand();
        }
    }

    /** Shrinks to what its entries need, if it was made larger for more. */
    void trim() {
        long needed = Math.max(LEAST_BUCKETS, bucketsFor(entries));
        while (buckets > needed) {
            contract();
        }
        chains.trimTo(buckets);
    }

    /** Gives back memory that its buckets don't need, where it is much. */
    void trimIfMuch() {
        chains.trimIfMuch(buckets);
    }

    /** Reads a word of each bucket that the next splits take entries from. */
    private void touch() {
        long sum = 0;
        int end = Math.min(next + TOUCHED, base / 2);
        for (int group = next; group < end; group++) {
            sum ^= chains.get(chains.bucket(group)) ^ chains.get(chains.bucket(group + base / 2));
            if (phase == 1) {
                sum ^= chains.get(chains.bucket(group + base));
            }
        }
        read ^= sum;
    }

    void insert(int hash, int row) {
        insertEntry(BucketChains.entry(hash, row));
    }

    /** The same into the slot that ends the chain of its bucket, which was found free. */
    void insertAt(long slot, int hash, int row) {
        chains.put(slot, BucketChains.entry(hash, row));
        entries++;
        growIfFull();
    }

    void insertEntry(long entry) {
        chains.add(indexFor(BucketChains.hash(entry)), entry);
        entries++;
        groups += BucketChains.isElsewhere(entry) ? 1 : 0;
        growIfFull();
    }

    private void growIfFull() {
        if (entries * 16 > buckets * GROW_ABOVE && buckets < MOST_BUCKETS) {
            expand();
        }
    }

    /** Puts all entries with this hash into an array that is long enough for them. Returns how many there are. */
    int collect(int hash, long[] into) {
        return chains.collect(indexFor(hash), hash, into);
    }

    /** Replaces an entry by another with the same hash. */
    void replace(long entry, long by) {
        chains.replace(indexFor(BucketChains.hash(entry)), entry, by);
    }

    boolean contains(int hash, int row) {
        return chains.find(indexFor(hash), BucketChains.entry(hash, row)) != 0;
    }

    /** Removes a row. Returns whether it was there. */
    boolean remove(int hash, int row) {
        return removeEntry(BucketChains.entry(hash, row));
    }

    boolean removeEntry(long entry) {
        int index = indexFor(BucketChains.hash(entry));
        long hole = chains.find(index, entry);
        if (hole == 0) {
            return false;
        }
        chains.removeAt(index, hole);
        entries--;
        groups -= BucketChains.isElsewhere(entry) ? 1 : 0;
        if (entries * 16 < buckets * SHRINK_BELOW && buckets > LEAST_BUCKETS) {
            contract();
        }
        chains.trimOverflow();
        return true;
    }

    /** Only what moves is taken out; an entry that stays lies where it did or nearer to the beginning of its bucket. */
    private void expand() {
        int group = next;
        int secondBucket = group + base / 2;
        int thirdBucket = phase == 0 ? -1 : group + base;
        int fresh = buckets;
        chains.growTo(buckets + 1);
        buckets++;
        next++;
        if (next == base / 2) {
            next = 0;
            if (phase == 1) {
                setBase(2 * base);
            }
            phase ^= 1;
        }
        sift(group);
        sift(secondBucket);
        if (thirdBucket >= 0) {
            sift(thirdBucket);
        }
        putInto(fresh);
    }

    /**
     * Takes those entries out of a bucket that belong elsewhere by now. Their choice is random, so there is no jump
     * for it: each entry is written both to its old and to its new place, and counts in one of the two.
     */
    private void sift(int index) {
        long bucket = chains.bucket(index);
        if (chains.overflows(bucket)) {
            chains.takeOut(index, moving);
            return;
        }
        long[] taken = moving.room();
        int count = moving.count();
        long end = bucket + BucketChains.BUCKET;
        long kept = bucket;
        long at = bucket;
        while (at < end) {
            long entry = chains.get(at);
            if (entry == 0) {
                break;
            }
            int difference = indexFor(BucketChains.hash(entry)) ^ index;
            int moves = (difference | -difference) >>> 31;
            taken[count] = entry;
            chains.put(kept, entry);
            count += moves;
            kept += Long.BYTES - Long.BYTES * moves;
            at += Long.BYTES;
        }
        for (long free = kept; free < at; free += Long.BYTES) {
            chains.put(free, 0);
        }
        moving.count(count);
    }

    /** Puts in what was taken out: most of it belongs to the bucket that is new, and empty until something is put there. */
    private void putInto(int fresh) {
        long free = chains.bucket(fresh);
        long end = free + BucketChains.BUCKET;
        for (long entry = moving.take(); entry != 0; entry = moving.take()) {
            int index = indexFor(BucketChains.hash(entry));
            if (index == fresh && free < end) {
                chains.put(free, entry);
                free += Long.BYTES;
            } else {
                chains.add(index, entry);
            }
        }
    }

    private void contract() {
        if (next == 0) {
            if (phase == 0) {
                setBase(base / 2);
            }
            phase ^= 1;
            next = base / 2;
        }
        next--;
        int group = next;
        chains.takeOut(group, moving);
        chains.takeOut(group + base / 2, moving);
        chains.takeOut(group + base, moving);
        if (phase == 1) {
            chains.takeOut(group + base + base / 2, moving);
        }
        buckets--;
        putBack();
        chains.shrinkTo(buckets);
    }

    private void putBack() {
        for (long entry = moving.take(); entry != 0; entry = moving.take()) {
            chains.add(indexFor(BucketChains.hash(entry)), entry);
        }
    }

    Detached detach() {
        Detached detached = new Detached(chains.detach(), base, phase, next, buckets, entries, groups);
        reset();
        return detached;
    }

    void restore(Detached detached) {
        chains.restore(detached.chains);
        setBase(detached.base);
        phase = detached.phase;
        next = detached.next;
        buckets = detached.buckets;
        entries = detached.entries;
        groups = detached.groups;
    }

    void drop() {
        chains.drop();
    }

    /**
     * Checks that entries are where their hash says, chains are dense, and counts are right. Returns how many rows are in
     * the table or kept elsewhere.
     */
    long verify(String name) {
        long[] seen = new long[2];
        int overflow = 0;
        for (int i = 0; i < buckets; i++) {
            int index = i;
            overflow += chains.visit(index, entry -> {
                check(indexFor(BucketChains.hash(entry)) == index, name, "has an entry in a wrong bucket");
                seen[0]++;
                seen[1] += BucketChains.isElsewhere(entry) ? BucketChains.countElsewhere(entry) : 1;
            });
        }
        check(seen[0] == entries, name, "has " + seen[0] + " entries, not " + entries);
        check(overflow == chains.overflowInUse(), name, "has lost overflow buckets");
        return seen[1];
    }

    private static void check(boolean holds, String name, String what) {
        if (!holds) {
            throw new IllegalStateException("index " + name + " " + what);
        }
    }

    /** A table's content that was set aside. */
    record Detached(
            BucketChains.Detached chains, int base, int phase, int next, int buckets, long entries, long groups) {}
}
