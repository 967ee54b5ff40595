package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogDirectory;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotReport;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Data directories that are looked at while an engine removes segments of the log, and uses them again: that is not taken for
 * damage.
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

    /** What an engine does when a snapshot is complete, and then when the log grows. */
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
        return (FileStore) Proxy.newProxyInstance(
                FileStore.class.getClassLoader(), new Class<?>[] {FileStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("openReadOnly") && arguments[0].equals(path)) {
                        happens.run();
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
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
