package io.reprise.runtime.memory;

/**
 * A contiguous range of addresses in which one structure grows upwards without moving. Memory is taken from the account
 * in steps that grow with the region, so that small tables stay small and large ones seldom ask; and that shrink with what is left for all.
 */
public final class Region {
    private static final long LEAST_STEP = Memory.PAGE;
    private static final long MOST_STEP = 1 << 20;

    /** A step is at most such a share of what is left, for others to have it. */
    private static final int SHARE_OF_LEFT = 64;

    /** Memory kept for an owner that may soon grow again. */
    private static final long SLACK = 256 << 10;

    private static final long HUGE_PAGES_FROM = 4L << 20;

    /** Pages are made ahead of a large region's end for this share of its size, up to a bound. */
    private static final int AHEAD_SHARE = 8;

    private static final long MOST_AHEAD = 32L << 20;
    private static final long MUCH_AT_ONCE = 16L << 20;

    private final AddressSpace space;
    private final MemoryAccount account;
    private final long start;
    private final long size;
    private long end;
    private long touched;
    private boolean hugePages;

    /** Bytes that were given back in the midst of it. */
    private long missing;

    /** The number of times it has shrunk: earlier requests are void then. The owner's thread writes it. */
    private volatile int shrinks;

    private int shrinksSoFar;

    Region(AddressSpace space, MemoryAccount account, long start, long size) {
        this.space = space;
        this.account = account;
        this.start = start;
        this.size = size;
        this.end = start;
    }

    /** The first address. */
    public long start() {
        return start;
    }

    /** The largest size of the region. */
    public long size() {
        return size;
    }

    /** The number of bytes taken. */
    public long taken() {
        return end - start;
    }

    /** The end of what it has taken. */
    public long end() {
        return end;
    }

    /** Makes the addresses below {@code to} usable. Throws MEMORY_LIMIT, and nothing has changed then. */
    public void growTo(long to) {
        if (to > end) {
            grow(to, false);
        }
    }

    /**
     * The same without regard to the limit: for what must not fail, because it undoes or deletes and soon gives back the
     * little that it takes.
     */
    public void growAnyway(long to) {
        if (to > end) {
            grow(to, true);
        }
    }

    /** Whether the addresses below {@code to} would take no more than half of what the space may still take. */
    public boolean hasToSpare(long to) {
        return to <= start + size && to - end <= space.left() / 2;
    }

    private void grow(long to, boolean anyway) {
        if (to > start + size) {
            throw space.refusal(account.owner() + " fills the " + size
                    + " bytes of address space that it can have. Spread the table over more partitions, or allow the process"
                    + " more address space.");
        }
        long mostStep = Math.clamp(space.left() / SHARE_OF_LEFT, LEAST_STEP, MOST_STEP);
        long step = Math.clamp((end - start) / 8, LEAST_STEP, mostStep) & -Memory.PAGE;
        long wanted = (to - end + step - 1) / step * step;
        long bytes = Math.min(wanted, start + size - end);
        space.take(account, bytes, anyway);
        end += bytes;
        if (!hugePages && end - start >= HUGE_PAGES_FROM) {
            hugePages = true;
            space.memory().adviseHugePages(start, size, end - bytes);
        }
        if (hugePages) {
            pagesAhead(end - bytes);
        }
    }

    /** Puts reserved pages under the bytes just taken and some way on; other pages are requested for the rest. */
    private void pagesAhead(long usedTo) {
        long distance = Math.min((end - start) / AHEAD_SHARE, MOST_AHEAD);
        touched = Math.max(touched, usedTo + Memory.HUGE_PAGE - 1 & -Memory.HUGE_PAGE);
        while (touched - end < distance
                && touched + Memory.HUGE_PAGE <= start + size
                && space.putReservedPage(touched, touched < end)) {
            touched += Memory.HUGE_PAGE;
        }
        touchAhead(distance);
    }

    /**
     * One huge page for each step. More at once would keep a core from other threads: the system lets a thread with
     * so much work go on for some milliseconds. A region that grows by many pages at once asks for all of them,
     * because its owner would wait for each. It does not for a few: both threads would be at the same page.
     */
    private void touchAhead(long distance) {
        long whole = end & -Memory.HUGE_PAGE;
        int asked = shrinks;
        if (whole - touched >= MUCH_AT_ONCE) {
            space.touchAhead(touched, whole, () -> shrinks == asked);
        }
        touched = Math.max(touched, whole);
        if (touched - end < distance) {
            touched = space.touchAhead(
                    touched, Math.min(touched + Memory.HUGE_PAGE, start + size), () -> shrinks == asked);
        }
    }

    /** Gives back what lies above; it reads as zero when it is taken again. */
    public void shrinkTo(long to) {
        long newEnd = Math.max(start, (to + Memory.PAGE - 1) & -Memory.PAGE);
        if (newEnd < end) {
            shrinks = ++shrinksSoFar;
            space.memory().discard(newEnd, Math.max(end, touched) - newEnd);
            space.giveBack(account, end - newEnd - missing);
            missing = 0;
            end = newEnd;
            // The rest of a huge page that stays was touched too, and is given back with it.
            touched = Math.min(touched, newEnd + Memory.HUGE_PAGE - 1 & -Memory.HUGE_PAGE);
        }
    }

    /** Gives back what lies above but for a little, if it is much: for who has stopped needing it. */
    public void trimTo(long to) {
        if (end - to > 2 * SLACK) {
            shrinkTo(to + SLACK);
        }
    }

    /** Gives back the whole pages of a range that is not used any more. Nothing else can be done afterwards than to {@link #drop} all. */
    public void giveBack(long from, long to) {
        long first = from + Memory.PAGE - 1 & -Memory.PAGE;
        long last = Math.min(to, end) & -Memory.PAGE;
        if (last > first) {
            space.memory().discard(first, last - first);
            space.giveBack(account, last - first);
            missing += last - first;
        }
    }

    /** Gives back everything, the addresses included. */
    public void drop() {
        shrinkTo(start);
        space.recycle(this);
    }
}
