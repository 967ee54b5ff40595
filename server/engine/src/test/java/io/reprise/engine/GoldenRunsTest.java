package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.DatabaseId;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Golden data directories with runs of the sorted log, of commands and of their images: today's server opens them, and writes the same bytes. A failure
 * means that the change is wrong, or that the form of runs needs a new number.
 *
 * <p>{@code -Dreprise.golden=DIRECTORY} writes them anew.
 */
final class GoldenRunsTest {
    private static final LogSettings LOG =
            SmallDurability.logOfSchemas(48 << 10).withCompression(Compression.NONE);
    private static final String DDL = """
            CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(40), amount INTEGER);
            PARTITION TABLE thing ON COLUMN id;
            CREATE PROCEDURE Put AS UPSERT INTO thing (id, name, amount) VALUES (?, ?, ?);
            """;

    private final SimulatedClock clock = new SimulatedClock();

    private Reprise open(SimulatedFileStore disk, boolean images) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard()
                        .with(LoggingMethod.COMMAND)
                        .with(LOG)
                        .with(SmallDurability.snapshots(2)))
                .recoverOnDemand(true)
                .sortedLog(SmallDurability.runs(1000, 3).withImages(images))
                .open();
    }

    /** Runs of the log, and longer ones that were merged from these. */
    private SimulatedFileStore write(boolean images) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        LogTail.create(disk, LOG, new DatabaseId(0x0123456789ABCDEFL, 0x112233445566770AL));
        try (Reprise engine = open(disk, images)) {
            put(engine, 0, 10);
            assertThat(engine.snapshot().problem()).isEmpty();
            put(engine, 10, 60);
            engine.sql("DELETE FROM thing WHERE id = ?", 3L);
            engine.sql("UPDATE thing SET amount = amount + 1 WHERE amount > ?", 40);
            put(engine, 60, 90);
        }
        return disk;
    }

    private void put(Reprise engine, int from, int to) {
        for (int id = from; id < to; id++) {
            clock.advance(1_000_000);
            engine.call("Put", (long) (id % 37), id % 5 == 0 ? null : "thing number " + id, id);
        }
    }

    private static String golden(boolean images) {
        return images ? "runs-3-images.zip" : "runs-3-commands.zip";
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteTheSameRunsAsEver(boolean images) throws IOException {
        Map<String, byte[]> written = GoldenFiles.of(write(images), "");
        written.remove(DurablePosition.FILE);
        written.remove(RecoveryCosts.FILE);
        GoldenFiles.writeIfAsked(golden(images), written);

        Map<String, byte[]> golden = GoldenFiles.load(golden(images));
        Map<String, byte[]> runs = runs(golden);
        assertThat(runs).hasSizeGreaterThan(3);
        assertThat(runs(written)).containsOnlyKeys(runs.keySet());
        runs(written).forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(runs.get(path)));
    }

    private static Map<String, byte[]> runs(Map<String, byte[]> files) {
        Map<String, byte[]> runs = new TreeMap<>(files);
        runs.keySet().removeIf(path -> !path.startsWith("runs/"));
        return runs;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldOpenRunsThatWereWrittenOnceUponATime(boolean images) throws IOException {
        SimulatedFileStore disk = GoldenFiles.disk(GoldenFiles.load(golden(images)));
        Map<String, ?> expected;
        try (Reprise engine = open(write(images), images)) {
            engine.sql("SELECT COUNT(*) FROM thing");
            expected = Dump.of(engine);
        }

        try (Reprise engine = open(disk, images)) {
            assertThat(engine.load()).isPresent();
            engine.sql("SELECT COUNT(*) FROM thing");
            assertThat(Dump.of(engine)).isEqualTo(expected);
        }
    }
}
