package io.reprise.benchmark.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;

/**
 * Terminals that run a workload as fast as they can, each on a thread and a connection of its own. A transaction with SQLSTATE 40001 runs
 * again with the same inputs, as its client would have it.
 */
final class PgRun {
    static final String CONFLICT = "40001";
    private static final String DEADLOCK = "40P01";

    private final PgWorkload workload;
    private final Target target;
    private final int terminals;
    private final LongAdder done = new LongAdder();
    private final LongAdder conflicts = new LongAdder();
    private final AtomicBoolean counting = new AtomicBoolean();
    private final AtomicBoolean over = new AtomicBoolean();
    private final AtomicReference<Exception> failure = new AtomicReference<>();

    /** A run that has not begun. */
    PgRun(PgWorkload workload, Target target, int terminals) {
        this.workload = workload;
        this.target = target;
        this.terminals = terminals;
    }

    /**
     * The figures of a run.
     *
     * @param tps transactions that ended a second
     * @param conflictPercent attempts that failed with 40001, of all
     * @param cpuUs the server's processor time for each
     */
    record Figures(double tps, double conflictPercent, double cpuUs) {}

    /** Runs for some seconds before anything counts, then for some that do. */
    Figures measure(int settlingMs, int seconds) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < terminals; i++) {
            int number = i;
            threads.add(Thread.ofPlatform().start(() -> work(number)));
        }
        Thread.sleep(settlingMs);
        counting.set(true);
        long cpuNs = target.cpu().toNanos();
        long beganNs = System.nanoTime();
        for (int i = 0; i < seconds * 10 && failure.get() == null; i++) {
            Thread.sleep(100);
        }
        counting.set(false);
        cpuNs = target.cpu().toNanos() - cpuNs;
        double elapsed = (System.nanoTime() - beganNs) / 1e9;
        over.set(true);
        for (Thread thread : threads) {
            thread.join();
        }
        if (failure.get() != null) {
            throw failure.get();
        }
        long ended = Math.max(1, done.sum());
        return new Figures(
                done.sum() / elapsed, 100.0 * conflicts.sum() / (conflicts.sum() + ended), cpuNs / 1e3 / ended);
    }

    private void work(int number) {
        try (Connection connection = target.connect()) {
            connection.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
            connection.setAutoCommit(false);
            PgTerminal terminal = workload.terminal(new Statements(connection), number);
            while (!over.get()) {
                terminal.choose();
                runToItsEnd(terminal, connection);
                if (counting.get()) {
                    done.increment();
                }
            }
        } catch (SQLException | RuntimeException e) {
            failure.compareAndSet(null, e);
        }
    }

    private void runToItsEnd(PgTerminal terminal, Connection connection) throws SQLException {
        while (true) {
            try {
                terminal.run();
                return;
            } catch (SQLException e) {
                if (!CONFLICT.equals(e.getSQLState()) && !DEADLOCK.equals(e.getSQLState())) {
                    throw e;
                }
                connection.rollback();
                if (counting.get()) {
                    conflicts.increment();
                }
            }
        }
    }
}
