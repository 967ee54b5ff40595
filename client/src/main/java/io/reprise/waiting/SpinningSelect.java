package io.reprise.waiting;

import io.netty.channel.SelectStrategy;
import io.netty.util.IntSupplier;

/**
 * The waiting of Netty's loop. While its {@link SpinBudget} allows, it polls its sockets and yields the core between
 * two polls; then it blocks. A task that comes meanwhile finds the loop awake,
 * which saves the system call that wakes it.
 *
 * <p>No wakeup is lost between the last poll and the block. The loop announces that it will block before it looks for tasks
 * once more, and a ready socket ends the block at once. Owned by the loop's thread.
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
