package io.reprise.runtime.memory;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * A partition's {@link Memory}, divided into {@link Region}s, with a count of what they take against the partition's limit.
 *
 * <p>Address space is plentiful and memory is not: each structure that grows gets a region far larger than it will need,
 * and grows within it without ever moving. A region is as large as the limit (nothing can outgrow it then) unless that
 * would use up the reservation; then each new region gets a share of what is left, so that many tables make regions
 * smaller and do not make the reservation run out. Dropped regions are reused by size.
 *
 * <p>The same rows can take more memory after a recovery than before: keys that were inserted in ascending order fill an
 * index densely, and a snapshot has them in another order. So a recovery may take up to twice the limit; the limit then
 * holds for what is written afterwards.
 *
 * <p>Owned by the partition's thread; while rows are loaded, by the loader and the builder of indexes together, so that
 * counting is synchronised. A region asks for memory seldom.
 */
public final class AddressSpace {
    private static final long LEAST_REGION = 4L << 20;
    private static final int SHARE = 192;

    /** Memory is short with less than this part of the limit left. */
    private static final int LEAST_SHARE_TO_SPARE = 8;

    /**
     * It is also short with less than this left, or with less than half of a small limit, but {@link #LEAST_TO_SPARE}. Memory for likely
     * rows may be taken some megabytes ahead, and comes back late.
     */
    private static final long MUCH_TO_SPARE = 128L << 20;

    private static final long LEAST_TO_SPARE = 8L << 20;

    private final Memory memory;
    private final long limit;
    private final long regionAtMost;
    private final PageSources pages;
    private final LimitErrors errors;
    private final TreeMap<Long, List<Long>> dropped = new TreeMap<>();
    private long top = Memory.HUGE_PAGE;
    private long used;
    private long allowed;

    private boolean recovers;
    private boolean follows;

    /** Bytes kept for committed rows that are not loaded yet. */
    private long reserved;

    /** Requests that were rejected since the partition was opened; only the owner's thread writes it. */
    private long refusals;

    /** The last refusal that the running transaction got; null if it got all that it asked for. */
    private RuntimeException refusal;

    /** A space that takes at most {@code limit} bytes of the memory, whose pages come when they are touched. */
    public AddressSpace(Memory memory, long limit, LimitErrors errors) {
        this(memory, limit, errors, PageSources.NONE);
    }

    /**
     * The same.
     *
     * @param errors makes the exceptions
     * @param pages have pages ready before they are needed
     */
    public AddressSpace(Memory memory, long limit, LimitErrors errors, PageSources pages) {
        this.memory = memory;
        this.limit = limit;
        this.allowed = limit;
        this.errors = errors;
        this.pages = pages;
        long atMost = Math.max(limit, LEAST_REGION);
        this.regionAtMost = atMost > 1L << 40 ? 1L << 40 : ceilingPowerOfTwo(atMost) * 2;
    }

    public Memory memory() {
        return memory;
    }

    /** The number of counted bytes that are taken. */
    public synchronized long used() {
        return used;
    }

    /** The number of bytes that may be taken. */
    public long limit() {
        return limit;
    }

    /** Whether memory is short, so that none should be taken for rows which only may come. */
    public boolean isShort() {
        long least = Math.clamp(limit / 2, LEAST_TO_SPARE, MUCH_TO_SPARE);
        return left() < Math.max(limit / LEAST_SHARE_TO_SPARE, least);
    }

    /** A recovery begins, which may exceed the limit. */
    public synchronized void beginRecovery() {
        recovers = true;
        allow();
    }

    /** The recovery has ended: the limit is enforced, unless the owner follows another one. */
    public synchronized void endRecovery() {
        recovers = false;
        allow();
    }

    /**
     * Whether the owner follows another one, which keeps the limit of both. The same rows may take more memory here, where they came in
     * another order.
     */
    public synchronized void follow(boolean value) {
        follows = value;
        allow();
    }

    private void allow() {
        allowed = recovers || follows ? limit + Math.min(limit, Long.MAX_VALUE - limit) : limit;
    }

    /** Keeps bytes for committed rows that are still to be loaded, so that transactions do not take them; a negative number gives back. */
    public synchronized void reserve(long bytes) {
        reserved += bytes;
    }

    /** The number of requests for memory that were rejected. The owner's thread. */
    public long refusals() {
        return refusals;
    }

    /** The number of bytes that may still be taken. */
    public synchronized long left() {
        return Math.max(0, limit - used - reserved);
    }

    /** A transaction begins, which was refused nothing yet. */
    public void beginTransaction() {
        refusal = null;
    }

    /**
     * At a procedure's end: throws once more the refusal that it may have caught. A transaction that went on without the
     * memory would not do the same when it is run again under another limit, or where rows lie more densely.
     */
    public void checkNotRefused() {
        if (refusal != null) {
            throw refusal;
        }
    }

    /** The MEMORY_LIMIT to be thrown. */
    public RuntimeException refusal(String message) {
        refusals++;
        refusal = errors.memoryLimit(message);
        return refusal;
    }

    /** A region for a structure that grows. Throws MEMORY_LIMIT if no address space is left. */
    public synchronized Region region(MemoryAccount account) {
        Region region = regionOrNull(account);
        if (region == null) {
            throw noAddressSpace(account);
        }
        return region;
    }

    /** Whether as many regions could be had now, one after the other. */
    public synchronized boolean hasRegions(int count, MemoryAccount account) {
        List<Region> taken = new ArrayList<>(count);
        Region region = regionOrNull(account);
        while (region != null && taken.size() < count - 1) {
            taken.add(region);
            region = regionOrNull(account);
        }
        if (region != null) {
            recycle(region);
        }
        // A later taker finds these large enough, even when shares are smaller by then.
        taken.forEach(this::recycle);
        return region != null;
    }

    /**
     * For who needs several regions: throws MEMORY_LIMIT unless it will get as many. So it need not give some back because there is no
     * further one.
     */
    public void requireRegions(int count, MemoryAccount account) {
        if (!hasRegions(count, account)) {
            throw noAddressSpace(account);
        }
    }

    private RuntimeException noAddressSpace(MemoryAccount account) {
        return refusal("No address space is left for " + account.owner() + ": " + memory.size()
                + " bytes are reserved and in use. Drop tables or indexes, or allow the process more address space.");
    }

    private Region regionOrNull(MemoryAccount account) {
        long share = Long.highestOneBit(Math.max(1, (memory.size() - top) / SHARE));
        long size = Math.max(LEAST_REGION, Math.min(regionAtMost, share));
        Map.Entry<Long, List<Long>> reusable = dropped.ceilingEntry(size);
        if (reusable != null) {
            long start = reusable.getValue().removeLast();
            if (reusable.getValue().isEmpty()) {
                dropped.remove(reusable.getKey());
            }
            return new Region(this, account, start, reusable.getKey());
        }
        if (top + size > memory.size()) {
            return null;
        }
        Region region = new Region(this, account, top, size);
        top += size;
        return region;
    }

    synchronized void recycle(Region region) {
        dropped.computeIfAbsent(region.size(), _ -> new ArrayList<>()).add(region.start());
    }

    synchronized void take(MemoryAccount account, long bytes, boolean anyway) {
        if (!account.isLimited()) {
            account.add(bytes);
            return;
        }
        if (used + bytes > (allowed > limit ? allowed : limit - reserved) && !anyway) {
            throw refusal("The memory limit of the partition is reached: " + account.owner() + " needs more, " + used
                    + " of " + limit + " bytes are in use. " + advice());
        }
        used += bytes;
        account.add(bytes);
    }

    private String advice() {
        return allowed == limit
                ? "Delete rows (space of deleted rows is used again), drop what is"
                        + " not needed, or raise the limit; reads and deletes still work."
                : "Raise the limit (engine.memoryPerPartition): recoveries and followers may take twice as much, and the data"
                        + " need more.";
    }

    synchronized void giveBack(MemoryAccount account, long bytes) {
        used -= account.isLimited() ? bytes : 0;
        account.add(-bytes);
    }

    /**
     * Puts a reserved huge page where a region is going to grow, if there is one and the limit lets the region have
     * it.
     *
     * @param address an address that nothing has touched yet
     * @param atOnce whether it is about to be touched
     */
    synchronized boolean putReservedPage(long address, boolean atOnce) {
        return Memory.HUGE_PAGE <= left() && pages.put(memory, address, atOnce);
    }

    /**
     * Has pages made for a region that is growing, but none that the limit would not let it have.
     *
     * @param wanted whether they still are; asked later, on another thread
     * @return the end of the pages that will be there; {@code from} if none are made
     */
    synchronized long touchAhead(long from, long to, BooleanSupplier wanted) {
        long room = left();
        long end = (to - from <= room ? to : from + room) & -Memory.HUGE_PAGE;
        return end > from && pages.wish(memory, from, end, wanted) ? end : from;
    }

    private static long ceilingPowerOfTwo(long value) {
        return value <= 1 ? 1 : Long.highestOneBit(value - 1) << 1;
    }
}
