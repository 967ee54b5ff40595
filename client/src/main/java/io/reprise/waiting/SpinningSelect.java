package io.reprise.waiting;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * The waiting of Netty's loop: while its {@link SpinBudget} allows, it looks into its sockets without blocking and
 * lets others have the core between two looks; then it blocks. A task that comes meanwhile finds the loop awake,
 * which saves the system call that wakes it.
 *
 * <p>Nothing is lost between the last look and the block: the loop says that it is going to block before it looks for
 * tasks once more, and a socket that is ready ends the block at once. Owned by the loop's thread.
 */
public final class SpinningSelect implements SelectStrategy {
    private static final long MOST_NS = 250_000;

    private final SpinBudget budget = new SpinBudget(MOST_NS);
    private boolean blocked;

    @Override
    public int calculateStrategy(IntSupplier selectNow, boolean hasTasks) throws Exception {
        if (blocked) {
            blocked = false;
            budget.found(System.nanoTime());
        }
        int ready = selectNow.get();
        if (hasTasks || ready > 0) {
            if (budget.isWaiting()) {
                budget.found(System.nanoTime());
            }
            return ready;
        }
        if (budget.spins(System.nanoTime())) {
            Thread.yield();
            return CONTINUE;
        }
        blocked = true;
        return SELECT;
    }
}
