package io.reprise.runtime.memory;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.Waker;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Huge pages that the operator has had the system set aside ({@code vm.nr_hugepages}). The system never gives them to other
 * processes nor back to a host, so that none has to be found or put together when a table grows; it only fills them with zeros.
 *
 * <p>A few lie ready, filled by this agent's thread: a {@link Region} that grows takes one and puts it where it is going to need it, in
 * microseconds. One that needs more at once than lie ready fills them itself. Until it is mapped a page is a file in memory, because that
 * is where one can be had before there is an address for it, and where the system says so if there is none, rather than ending the process
 * when it is touched. Each is a file of its own, because filling one and mapping one both take the file's lock. If none is left, memory is
 * the usual one.
 *
 * <p>Each page is a mapping, and may divide another one, of which the system allows a process only so many ({@code
 * vm.max_map_count}); half of these are left to others.
 */
public final class ReservedPages implements Agent {
    private static final int READY = 16;
    private static final long PAUSE_NS = 1_000_000_000;
    private static final Path MAPPINGS = Path.of("/proc/sys/vm/max_map_count");
    private static final int USUAL_MAPPINGS = 65_530;

    /** Its own, and what is left behind it of the one that it divides. */
    private static final int MAPPINGS_FOR_EACH = 2;

    private final int kind;
    private final int most;
    private final Waker waker;

    /** Numbers of files that have a page each. */
    private final Queue<Integer> ready = new ArrayBlockingQueue<>(READY);

    private final AtomicInteger inUse = new AtomicInteger();
    private volatile boolean wanted;

    /** Notes that no page was available. The next request waits for the pause: many machines never have such pages. */
    private volatile boolean exhausted;

    private volatile boolean closed;
    private long pauseUntil;

    private ReservedPages(int kind, int most, Waker waker) {
        this.kind = kind;
        this.most = most;
        this.waker = waker;
    }

    /**
     * Those of the system, which may have none, or have some only later.
     *
     * @param waker wakes the thread that this runs on
     */
    public static ReservedPages ofSystem(Waker waker) {
        return new ReservedPages(VirtualMemory.RESERVED_HUGE_PAGES, mappingsAllowed() / 2 / MAPPINGS_FOR_EACH, waker);
    }

    /** The same of ordinary memory, at most so many. */
    static ReservedPages ofOrdinaryMemory(int most, Waker waker) {
        return new ReservedPages(VirtualMemory.ORDINARY_MEMORY, most, waker);
    }

    private static int mappingsAllowed() {
        // In one piece, as such files want to be read: they have an end after the first.
        try (BufferedReader reader = Files.newBufferedReader(MAPPINGS)) {
            return Integer.parseInt(reader.readLine());
        } catch (IOException | NumberFormatException _) {
            return USUAL_MAPPINGS;
        }
    }

    @Override
    public String roleName() {
        return "reserved-pages";
    }

    /**
     * Any thread: maps a page there, and returns whether there was one. Former content at that address is gone.
     *
     * @param atOnce the page is about to be touched: if none is ready the caller fills one, because it would have to
     *     fill another page otherwise, and perhaps wait until it is found
     */
    boolean mapOne(long absoluteAddress, boolean atOnce) {
        if (closed || inUse.get() >= most) {
            return false;
        }
        Integer file = ready.poll();
        if (!exhausted) {
            wanted = true;
            waker.wake();
            if (file == null && atOnce) {
                file = filled();
            }
        }
        if (file == null) {
            return false;
        }
        boolean mapped = VirtualMemory.mapFile(absoluteAddress, Memory.HUGE_PAGE, file);
        VirtualMemory.close(file);
        if (mapped) {
            inUse.incrementAndGet();
        } else if (!VirtualMemory.mapAgain(absoluteAddress, Memory.HUGE_PAGE)) {
            throw new IllegalStateException(
                    "the operating system has taken address space away and refuses to give it back");
        }
        return mapped;
    }

    /** Any thread: so many that were mapped are no more. The system has them back. */
    void unmapped(int count) {
        inUse.addAndGet(-count);
    }

    /** The number of bytes under tables. Any thread. */
    public long bytesInUse() {
        return (long) inUse.get() * Memory.HUGE_PAGE;
    }

    /** One more, if it will be wanted. */
    @Override
    public int doWork(long nowNs) {
        if (exhausted && nowNs - pauseUntil >= 0) {
            exhausted = false;
        }
        if (exhausted || !wanted || ready.size() == READY) {
            return 0;
        }
        Integer file = filled();
        if (file == null) {
            // There may be some later: tables become smaller, and operators set more aside.
            pauseUntil = nowNs + PAUSE_NS;
            wanted = false;
            exhausted = true;
            return 0;
        }
        ready.add(file);
        return 1;
    }

    /** The number of a file that has a page; null if none is to be had. */
    private Integer filled() {
        int file = VirtualMemory.memoryFile(kind);
        if (file >= 0 && !VirtualMemory.allocate(file, Memory.HUGE_PAGE)) {
            VirtualMemory.close(file);
            return null;
        }
        return file < 0 ? null : file;
    }

    /** From here on there are none. Those that are mapped stay where they are. */
    @Override
    public void onClose() {
        closed = true;
        for (Integer file = ready.poll(); file != null; file = ready.poll()) {
            VirtualMemory.close(file);
        }
    }
}
