package io.reprise.torture;

import io.reprise.engine.Backup;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Restores a backup that a killed process had made, and compares it with what had been answered when it was begun. */
final class BackupChecker {
    private final VictimLoad load;
    private final Path directory;

    /**
     * For backups of this load.
     *
     * @param directory the target of restores
     */
    BackupChecker(VictimLoad load, Path directory) {
        this.load = load;
        this.directory = directory;
    }

    /** Returns what is wrong. */
    List<String> check(Path backup, int partitions, WriteCounts answered) throws IOException {
        Directories.remove(directory);
        Backup.restore(backup, directory);
        List<String> problems = new ArrayList<>();
        try (Reprise engine = Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(64 << 20)
                .directory(directory)
                .open()) {
            if (!load.isFilled(engine)) {
                problems.add("it is not full");
            }
            problems.addAll(load.check(engine));
            WriteCounts found = VictimChecker.found(load, engine, problems);
            problems.addAll(answered.lost(found, load.kinds()));
        }
        Directories.remove(directory);
        return problems;
    }
}
