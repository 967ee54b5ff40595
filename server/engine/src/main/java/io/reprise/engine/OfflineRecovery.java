package io.reprise.engine;

import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.snapshot.SnapshotReport;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/**
 * Recovers a data directory whose log can't be run as it was, by the operator's choices. The choices are logged, and a snapshot of
 * the outcome is made, so that later starts don't meet the transactions any more. If the recovery fails nothing is changed.
 */
public final class OfflineRecovery {
    /** No limit: acknowledged data have to fit, whatever the limit of the node was. */
    private static final long MEMORY = 1L << 42;

    private OfflineRecovery() {}

    /**
     * Recovers.
     *
     * @param lines is told what was done
     */
    public static void run(Path directory, List<RecoveryChoice> choices, Consumer<String> lines) {
        // Throws if there is no database, in whose place a new one would be made.
        DataDirectory.at(directory);
        run(
                Options.create()
                        .name("recover")
                        .directory(directory)
                        .partitions(Runtime.getRuntime().availableProcessors())
                        .memoryPerPartition(MEMORY / Runtime.getRuntime().availableProcessors()),
                choices,
                lines);
    }

    static void run(Options options, List<RecoveryChoice> choices, Consumer<String> lines) {
        try (Reprise engine = options.recoveryChoices(choices).open()) {
            RecoveryReport report = engine.recovery();
            lines.accept("Recovered: " + report.rows() + " rows of a snapshot, " + report.transactions()
                    + " transactions of the log.");
            choices.forEach(choice -> lines.accept("Followed and logged the choice to " + choice.text() + "."));
            SnapshotReport snapshot = engine.snapshot();
            if (!snapshot.succeeded()) {
                throw new IllegalStateException("the choices are logged, but the snapshot of the outcome failed: "
                        + snapshot.problem() + "; later starts follow the choices again");
            }
            lines.accept("Snapshot " + snapshot.name() + " has the outcome. Start the node now.");
        }
    }
}
