package io.reprise.engine;

import io.reprise.log.LogTail;
import io.reprise.recovery.closure.DependencyGraph;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.closure.OfflineChooser;
import io.reprise.runtime.SeededRandomness;
import io.reprise.snapshot.file.Manifest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reports on the transactions of a small log behind the newest snapshot: their graph, and the best choice of data records among them. */
public final class LogHistoryReport {
    /** The most transactions of a report. */
    public static final int MOST = 5_000;

    private static final int SEED = 1;

    private final LogTail tail;
    private final List<LoggedTransaction> transactions = new ArrayList<>();

    /**
     * Plans for data records.
     *
     * @param none the log as it is
     * @param greedy the greedy choice
     * @param random a choice by chance
     * @param exact the best one, if there are few transactions
     */
    public record Choices(
            OfflineChooser.Plan none,
            OfflineChooser.Plan greedy,
            OfflineChooser.Plan random,
            Optional<OfflineChooser.Plan> exact) {}

    /** Reads the log of a directory. Throws IllegalArgumentException if it has too many transactions. */
    public LogHistoryReport(DataDirectory directory) {
        tail = directory.tail();
        long from = directory
                .newestUpTo(Long.MAX_VALUE)
                .map(Manifest::origin)
                .map(origin -> origin.logPosition())
                .orElse(tail.firstPosition());
        new LogHistory(tail::read, from, LogHistory.BLOCK_BYTES).backward(new LogHistory.Visitor() {
            @Override
            public void transaction(LoggedTransaction transaction) {
                if (transactions.size() == MOST) {
                    throw new IllegalArgumentException("the log has more than " + MOST
                            + " transactions behind its newest snapshot, and this report is for small logs");
                }
                transactions.addFirst(transaction.copy());
            }

            @Override
            public void catalogChange() {
                // The graph of a small log spans it.
            }
        });
    }

    /** The transactions that the report is about. */
    public int size() {
        return transactions.size();
    }

    /** The dependency graph. Refuses transactions without a footprint. */
    public DependencyGraph graph() {
        DependencyGraph graph = new DependencyGraph();
        transactions.forEach(graph::add);
        return graph;
    }

    /** Choices of data records, for the recovery of a bucket, within so many bytes. */
    public Choices choices(int bucket, long budget) {
        int count = tail.database().buckets().count();
        if (bucket < 0 || bucket >= count) {
            throw new IllegalArgumentException(
                    "the database has buckets 0 to " + (count - 1) + ", no bucket " + bucket);
        }
        OfflineChooser chooser =
                new OfflineChooser(transactions, new int[] {bucket}, OfflineChooser.Costs.USUAL, (double) budget);
        return new Choices(
                chooser.none(),
                chooser.greedy(),
                chooser.random(new SeededRandomness(SEED)),
                size() <= OfflineChooser.MOST_EXACT ? Optional.of(chooser.exact()) : Optional.empty());
    }
}
