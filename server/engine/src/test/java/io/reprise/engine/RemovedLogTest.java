package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogDirectory;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/**
 * Data directories that are inspected while an engine removes segments of the log and reuses them. An inspection
 * does not take this for damage.
 */
final class RemovedLogTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            CREATE PROCEDURE Put AS UPSERT INTO note (id, text) VALUES (?, ?);
            """;
    private static final int SEGMENT = 16 << 10;

    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private final List<String> lines = new ArrayList<>();
    private long snapshot;

    private void makeDatabase() {
        try (Reprise engine = Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard().withKeptLog(true).with(SmallDurability.log(SEGMENT)))
                .open()) {
            for (int i = 0; i < 120; i++) {
                engine.call("Put", (long) i, "text " + i);
            }
            SnapshotReport report = engine.snapshot();
            assertThat(report.problem()).isEmpty();
            snapshot = report.logPosition();
            engine.call("Put", 7L, "after");
        }
        assertThat(new LogDirectory(disk, "log").positions()).hasSizeGreaterThan(4);
    }

    /** The engine's actions when a snapshot is complete, and then when the log grows. */
    private void removeAndUseAgain() {
        new LogDirectory(disk, "log").removeBelow(snapshot, 100);
        for (String name : disk.list("log")) {
            if (name.endsWith(".spare")) {
                try (DataFile file = disk.open("log/" + name)) {
                    file.write(0, ByteBuffer.allocate(SEGMENT));
                }
                disk.delete("log/" + name);
            }
        }
    }

    @Test
    void shouldVerifyWhatIsLeftWheneverTheEngineRemovesSegments() {
        boolean removed = true;
        int reading = 1;
        for (; removed; reading++) {
            disk = new SimulatedFileStore(reading);
            makeDatabase();
            int[] left = {reading};
            FileStore watched = watched(new LogDirectory(disk, "log").path(SEGMENT), () -> {
                if (--left[0] == 0) {
                    removeAndUseAgain();
                }
            });
            lines.clear();

            boolean good = new Verification(DataDirectory.of(watched), lines::add).run();

            assertThat(good).as("removed at reading %d: %s", reading, lines).isTrue();
            assertThat(lines.getLast()).startsWith("Log of database ").contains(": good, ");
            removed = left[0] <= 0;
        }
        assertThat(reading).as("how often the segment is opened").isGreaterThan(3);
    }

    /** The same disk; before the file at the path is opened something else happens. */
    private FileStore watched(String path, Runnable happens) {
        return watched("openReadOnly", path, happens);
    }

    private FileStore watched(String call, String path, Runnable happens) {
        return watched((name, at) -> {
            if (name.equals(call) && at.equals(path)) {
                happens.run();
            }
        });
    }

    /** The same disk; before each call something is told of it. */
    private FileStore watched(BiConsumer<String, Object> told) {
        return (FileStore) Proxy.newProxyInstance(
                FileStore.class.getClassLoader(), new Class<?>[] {FileStore.class}, (proxy, method, arguments) -> {
                    if (arguments != null) {
                        told.accept(method.getName(), arguments[0]);
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    /** They take longer to be read than to be made. */
    @Test
    void shouldVerifySnapshotsThatReplacedThoseThatWereRead() {
        makeDatabase();
        try (Reprise engine = open()) {
            long first = new SnapshotDirectory(disk).list().getFirst();
            // The log is looked at when all snapshots that there were have been read.
            boolean[] replaced = {false};
            FileStore watched = watchedListing("log", () -> {
                if (!replaced[0]) {
                    replaced[0] = true;
                    for (int i = 0; i < 3; i++) {
                        fillAndSnapshot(engine);
                    }
                }
            });

            boolean good = new Verification(DataDirectory.of(watched), lines::add).run();

            assertThat(good).as(lines.toString()).isTrue();
            assertThat(replaced[0]).isTrue();
            assertThat(new SnapshotDirectory(disk).list()).doesNotContain(first);
            assertThat(new LogDirectory(disk, "log").positions().getFirst()).isPositive();
            assertThat(lines.getLast()).contains("has been removed; it can be exported or restored");
        }
    }

    @Test
    void shouldSayThatItCannotBeSeenWhenSnapshotsAreReplacedWheneverTheyHaveBeenRead() {
        makeDatabase();
        try (Reprise engine = open()) {
            // Each time that snapshots were listed, and before the log is.
            boolean[] due = {false};
            FileStore watched = watched((call, path) -> {
                due[0] |= call.equals("list") && path.equals(SnapshotDirectory.ROOT);
                if (due[0] && call.equals("list") && path.equals("log")) {
                    due[0] = false;
                    fillAndSnapshot(engine);
                    fillAndSnapshot(engine);
                }
            });

            assertThatThrownBy(() -> new Verification(DataDirectory.of(watched), lines::add).run())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("faster than they are read");
        }
    }

    /** It could not see all, but what it saw is enough for the answer. */
    @Test
    void shouldSayThatSomethingIsDamagedAlthoughSnapshotsAreReplaced() {
        makeDatabase();
        try (Reprise engine = open()) {
            boolean[] due = {false};
            boolean[] read = {false};
            FileStore watched = watched((call, path) -> {
                if (!read[0] && call.equals("openReadOnly") && path.toString().startsWith(SnapshotDirectory.ROOT)) {
                    read[0] = true;
                    throw new StorageException("read", path.toString(), "input or output error", null);
                }
                due[0] |= call.equals("list") && path.equals(SnapshotDirectory.ROOT);
                if (due[0] && call.equals("list") && path.equals("log")) {
                    due[0] = false;
                    fillAndSnapshot(engine);
                    fillAndSnapshot(engine);
                }
            });

            boolean good = new Verification(DataDirectory.of(watched), lines::add).run();

            assertThat(good).isFalse();
            assertThat(lines).anyMatch(line -> line.contains("DAMAGED"));
            assertThat(lines.getLast()).contains("not read to its end", "faster than they are read");
        }
    }

    private void fillAndSnapshot(Reprise engine) {
        for (int i = 0; i < 120; i++) {
            engine.call("Put", (long) i, "text " + i);
        }
        assertThat(engine.snapshot().problem()).isEmpty();
    }

    private Reprise open() {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard().with(SmallDurability.log(SEGMENT)))
                .open();
    }

    /** The same disk; before the folder is listed something else happens. */
    private FileStore watchedListing(String folder, Runnable happens) {
        return watched("list", folder, happens);
    }

    @Test
    void shouldStopPrintingWhenNobodyReadsAnyMore() {
        makeDatabase();
        List<String> all = new ArrayList<>();
        LogPrinting.print(DataDirectory.of(disk), LogPrinting.Range.all(), all::add);

        LogPrinting.print(DataDirectory.of(disk), LogPrinting.Range.all(), lines::add, () -> true);

        assertThat(lines).hasSizeLessThan(all.size()).isEqualTo(all.subList(0, lines.size()));
    }

    @Test
    void shouldSayThatTheEngineHasRemovedTheLogThatIsBeingPrinted() {
        makeDatabase();

        assertThatThrownBy(() -> LogPrinting.print(DataDirectory.of(disk), LogPrinting.Range.all(), line -> {
                    lines.add(line);
                    if (lines.size() == 3) {
                        removeAndUseAgain();
                    }
                }))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("has removed this part of the log")
                .hasMessageContaining("begin at a later position");
    }
}
