package io.reprise.engine;

import io.reprise.execution.SlowTransaction;
import io.reprise.execution.SlowTransactions;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes transactions that took long into the program's log, with where their time went, and keeps the last ones for
 * reports. It has a slow thread of its own, so that no site waits for the log's disk. When thousands are slow, as when the
 * disk is, some lines a second say as much as all of them.
 */
final class SlowTransactionLog implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.slow");
    private static final int KEPT = 100;
    private static final int LINES_A_SECOND = 20;
    private static final long SECOND_NS = 1_000_000_000;
    private static final double MS = 1e6;

    private final SlowTransactions slow;
    private final Consumer<SlowTransaction> listener;
    private final AtomicReference<List<SlowTransaction>> last = new AtomicReference<>(List.of());
    private long secondBeganNs;
    private int lines;
    private long unwritten;

    /**
     * A log of slow transactions.
     *
     * @param listener takes each of them, on this agent's thread
     */
    SlowTransactionLog(SlowTransactions slow, Consumer<SlowTransaction> listener) {
        this.slow = slow;
        this.listener = listener;
    }

    @Override
    public String roleName() {
        return "slow-transactions";
    }

    @Override
    public int doWork(long nowNs) {
        if (nowNs - secondBeganNs >= SECOND_NS) {
            secondBeganNs = nowNs;
            lines = 0;
            if (unwritten > 0) {
                LOG.warn("{} more slow transactions in about a second.", unwritten);
                unwritten = 0;
            }
        }
        List<SlowTransaction> taken = new ArrayList<>();
        for (SlowTransaction next = slow.poll(); next != null; next = slow.poll()) {
            taken.add(next);
            listener.accept(next);
            if (lines < LINES_A_SECOND) {
                lines++;
                LOG.warn("{}", describe(next));
            } else {
                unwritten++;
            }
        }
        if (!taken.isEmpty()) {
            keep(taken);
        }
        return taken.size();
    }

    private void keep(List<SlowTransaction> taken) {
        List<SlowTransaction> all = new ArrayList<>(last.get());
        all.addAll(taken);
        last.set(List.copyOf(all.subList(Math.max(0, all.size() - KEPT), all.size())));
    }

    /** Any thread: the last ones, the oldest first. */
    List<SlowTransaction> last() {
        return last.get();
    }

    static String describe(SlowTransaction slow) {
        return String.format(
                Locale.ROOT,
                "Slow: %s, transaction 0x%x, took %.1f ms: queued %.1f, executing %s%.1f, waiting for the log %.1f;"
                        + " partition %d%s, %s",
                slow.procedure(),
                slow.id(),
                slow.tookNs() / MS,
                slow.queuedNs() / MS,
                slow.timed() ? "" : "at most ",
                slow.executingNs() / MS,
                slow.loggingNs() / MS,
                slow.partition(),
                slow.participants() > 1 ? " of " + slow.participants() + " participants" : "",
                slow.error().map(ErrorCode::name).orElse("committed"));
    }
}
