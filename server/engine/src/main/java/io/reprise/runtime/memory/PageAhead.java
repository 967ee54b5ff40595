package io.reprise.runtime.memory;

import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.BackgroundThread;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.function.BooleanSupplier;

/**
 * Has the operating system make pages before they are needed. The first touch of a page waits while it is found and
 * filled with zeros: a quarter of a millisecond for a huge one, and up to five in a virtual machine whose host has to
 * find it too. A partition's thread would wait in the middle of a transaction. So a growing {@link Region} announces
 * its next end, and this agent touches the pages up to there on its own thread. While transactions run, that thread
 * gets a core only when no other wants it: the system can't take it away again before a page is done.
 *
 * <p>A request is a wish: if there are too many, or the system refuses, pages are made at their first touch. If the
 * region shrinks first, the wish is void: its pages would be back, and no count would have them. One huge page may still be made
 * if it is under way at that moment; waiting for it could hold a partition's thread up for long.
 */
public final class PageAhead implements Agent {
    private static final int WISHES = 1024;

    /** A range of a memory that will be used soon, if it is still wanted then. */
    private record Wish(Memory memory, long from, long to, BooleanSupplier wanted) {}

    private final MpscRing<Wish> wishes;
    private volatile boolean inBackground;
    private boolean background;
    private Wish current;
    private long at;

    /**
     * Without wishes.
     *
     * @param waker wakes the thread that this runs on
     */
    public PageAhead(Waker waker) {
        wishes = new MpscRing<>(WISHES, waker);
    }

    @Override
    public String roleName() {
        return "pages";
    }

    /**
     * Any thread: the range will be used soon. Returns whether that is noted.
     *
     * @param wanted asked before each page, by this agent's thread
     */
    boolean wish(Memory memory, long from, long to, BooleanSupplier wanted) {
        return wishes.offer(new Wish(memory, from, to, wanted));
    }

    /** Any thread: from now on others come first. Before that, in recovery, they would wait for these pages. */
    public void giveWay() {
        inBackground = true;
    }

    /** One huge page at a time, so that it ends soon when it is told to. */
    @Override
    public int doWork(long nowNs) {
        if (inBackground && !background) {
            background = true;
            BackgroundThread.become();
        }
        if (current == null) {
            current = wishes.poll();
            if (current == null) {
                return 0;
            }
            at = current.from;
        }
        if (!current.wanted.getAsBoolean()) {
            current = null;
            return 1;
        }
        long to = Math.min(at + Memory.HUGE_PAGE, current.to);
        current.memory.touch(at, to - at);
        at = to;
        if (at >= current.to) {
            current = null;
        }
        return 1;
    }
}
