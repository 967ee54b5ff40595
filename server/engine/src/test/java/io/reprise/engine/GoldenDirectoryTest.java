package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.id.DatabaseId;
import io.reprise.log.Compression;
import io.reprise.log.LogRewriting;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.UnknownLogFormatException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Golden data directories with every kind of record and a snapshot: today's server opens them, and writes the same bytes. A log of
 * another format is refused. A failure means that the change is wrong, or that a format needs a new number.
 *
 * <p>{@code -Dreprise.golden=DIRECTORY} writes them anew.
 */
final class GoldenDirectoryTest {
    private static final String DDL = """
            CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY, c1 TINYINT, c2 SMALLINT, c3 INTEGER,
              c4 DECIMAL, c5 FLOAT, name VARCHAR(40), c7 VARBINARY(20), c8 TIMESTAMP, c9 TIME, c10 INTEGER[], c11 TEXT[],
              c12 NUMERIC(38,4));
            PARTITION TABLE thing ON COLUMN id;
            CREATE TABLE event (id BIGINT NOT NULL, what VARCHAR(20));
            PARTITION TABLE event ON COLUMN id;
            CREATE TABLE rate (name VARCHAR(20) NOT NULL PRIMARY KEY, pct INTEGER NOT NULL);
            CREATE INDEX thing_name ON thing (name);
            CREATE PROCEDURE Put AS UPSERT INTO thing (id, c1, c2, c3, c4, c5, name, c7, c8, c9, c10, c11, c12)
              VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);
            CREATE PROCEDURE Note AS INSERT INTO event (id, what) VALUES (?, ?);
            CREATE PROCEDURE Rename AS UPDATE thing SET name = ? WHERE id = ?;
            CREATE PROCEDURE RaiseAll AS UPDATE thing SET c3 = c3 + ?;
            CREATE PROCEDURE Remove AS DELETE FROM thing WHERE id = ?;
            CREATE PROCEDURE SetRate AS UPSERT INTO rate (name, pct) VALUES (?, ?);
            """;

    private static final LogSettings LOG =
            SmallDurability.logOfSchemas(48 << 10).withCompression(Compression.NONE);

    private final SimulatedClock clock = new SimulatedClock();

    private Reprise open(SimulatedFileStore disk, String ddl, LoggingMethod method) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(ddl)
                .files(disk)
                .durability(Durability.standard().with(method).with(LOG).with(SmallDurability.snapshots(2)))
                .open();
    }

    private static SimulatedFileStore newDisk() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        LogTail.create(disk, LOG, new DatabaseId(0x0123456789ABCDEFL, 0x112233445566770AL));
        return disk;
    }

    private void put(Reprise engine, long id) {
        clock.advance(1_000_000);
        engine.call(
                "Put",
                id,
                (byte) id,
                (short) (100 * id),
                (int) -id,
                new java.math.BigDecimal("12.5").multiply(java.math.BigDecimal.valueOf(id)),
                0.25 * id,
                id % 3 == 0 ? null : "thing number " + id,
                id % 4 == 0 ? null : ("bytes " + id).getBytes(StandardCharsets.US_ASCII),
                1_700_000_000_000_000L + id,
                3_600_000_001L * id,
                id % 5 == 0 ? null : "{" + id + ",NULL,-" + id + "}",
                "{\"a,b\",NULL,text" + id + "}",
                new BigDecimal("-123456789012345678901234567890.25").add(BigDecimal.valueOf(id)));
    }

    /** Each kind of record, and each way to get one. */
    private SimulatedFileStore writePlain() {
        SimulatedFileStore disk = newDisk();
        try (Reprise engine = open(disk, DDL, LoggingMethod.COMMAND)) {
            for (long id = 1; id <= 12; id++) {
                put(engine, id);
                engine.call("Note", id % 3, "event " + id);
            }
            engine.call("SetRate", "usual", 7);
            assertThat(engine.snapshot().problem()).isEmpty();
            engine.call("RaiseAll", 1000);
            engine.ddl("ALTER TABLE thing ADD COLUMN note VARCHAR(10) DEFAULT 'none'; CREATE TABLE more (id BIGINT)");
            engine.sql("DELETE FROM event WHERE id = ?", 2);
            engine.call("Remove", 4);
        }
        try (Reprise engine = open(disk, DDL, LoggingMethod.PHYSIOLOGICAL)) {
            put(engine, 13);
            engine.call("Rename", "another name", 5);
            engine.call("RaiseAll", 1);
            engine.call("Remove", 6);
            engine.call("SetRate", "usual", 8);
            engine.call("SetRate", "other", 9);
            engine.call("Note", 1, "last");
        }
        return disk;
    }

    private SimulatedFileStore writeWithClasses() {
        SimulatedFileStore disk = newDisk();
        try (Reprise engine = open(disk, Bank.DDL, LoggingMethod.COMMAND)) {
            for (int id = 0; id < 6; id++) {
                engine.call("OpenAccount", id, 1000, "owner " + id);
            }
            engine.call("Transfer", 0, 1, 300);
            assertThat(engine.snapshot().problem()).isEmpty();
            engine.call("Transfer", 1, 5, 50);
        }
        return disk;
    }

    @Test
    void shouldWriteTheSameBytesAsEver() throws IOException {
        Map<String, byte[]> written = GoldenFiles.of(writePlain(), "");
        // OlderLogTest has its bytes; its position changes with the log's format.
        assertThat(written.remove(DurablePosition.FILE)).isNotNull();
        GoldenFiles.writeIfAsked("plain-log-3.zip", written);

        Map<String, byte[]> golden = GoldenFiles.load("plain-log-3.zip");
        assertThat(written).containsOnlyKeys(golden.keySet());
        written.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(golden.get(path)));
    }

    private Map<String, ?> dumpOfPlain() {
        try (Reprise engine = open(writePlain(), DDL, LoggingMethod.COMMAND)) {
            return Dump.of(engine);
        }
    }

    @Test
    void shouldOpenWhatWasWrittenOnceUponATime() throws IOException {
        Map<String, ?> expected = dumpOfPlain();
        Map<String, byte[]> golden = GoldenFiles.load("plain-log-3.zip");

        try (Reprise engine = open(GoldenFiles.disk(golden), "", LoggingMethod.COMMAND)) {
            assertThat(Dump.of(engine)).isEqualTo(expected);
            assertThat(engine.recovery().snapshot()).isPresent();
            assertThat(engine.recovery().stateCompared()).isTrue();
            assertThat(Dump.of(engine).get("RATE")).containsExactly("NAME='other' PCT=9 ", "NAME='usual' PCT=8 ");
            put(engine, 14);
        }
        golden.keySet().removeIf(path -> path.startsWith("snapshot/"));
        try (Reprise engine = open(GoldenFiles.disk(golden), "", LoggingMethod.COMMAND)) {
            assertThat(Dump.of(engine)).isEqualTo(expected);
            assertThat(engine.recovery().snapshot()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 9})
    void shouldRefuseALogOfAnotherFormatAndChangeNothing(int version) {
        SimulatedFileStore disk = writePlain();
        LogRewriting.toVersion(disk, version);
        Map<String, byte[]> before = GoldenFiles.of(disk, "");

        assertThatThrownBy(() -> open(disk, "", LoggingMethod.COMMAND))
                .isInstanceOf(UnknownLogFormatException.class)
                .hasMessageContaining("has format " + version + ", and this server reads format 3 only")
                .hasMessageContaining("Nothing has been changed.");

        Map<String, byte[]> after = GoldenFiles.of(disk, "");
        assertThat(after).containsOnlyKeys(before.keySet());
        after.forEach((path, bytes) -> assertThat(bytes).as(path).isEqualTo(before.get(path)));
    }

    @Test
    void shouldRunTheCodeThatWasLoggedOnceUponATime() throws IOException {
        GoldenFiles.writeIfAsked("classes-log-3.zip", GoldenFiles.of(writeWithClasses(), ""));

        try (Reprise engine =
                open(GoldenFiles.disk(GoldenFiles.load("classes-log-3.zip")), "", LoggingMethod.COMMAND)) {
            assertThat(engine.call("Balance", 0).longValue()).isEqualTo(700);
            assertThat(engine.call("Balance", 1).longValue()).isEqualTo(1250);
            assertThat(engine.call("Balance", 5).longValue()).isEqualTo(1050);
            assertThat(engine.call("Transfer", 5, 0, 1050).longValue()).isZero();
        }
    }
}
