package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotReport;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * An engine on a disk that is full or read-only. Its callers' messages, word for word, the calls that still work, its
 * recovery by itself, and the survival of all acknowledged data.
 */
final class FullDiskTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(30000));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put AS UPSERT INTO note (id, text) VALUES (?, ?);
            CREATE PROCEDURE PutAll AS UPDATE note SET text = ?;
            CREATE PROCEDURE Read AS SELECT text FROM note WHERE id = ?;
            """;
    private static final String TEXT = "0123456789".repeat(25);
    private static final long SEGMENT = 64 << 10;
    private static final int LARGEST = 40 << 10;
    private static final int CYCLES_TO_PREPARE = 20;
    private static final long RETRY_NS = 100_000_000;
    private static final String WHY =
            "can't preallocate 65536 bytes (log/0000000000020000.prepared): no space left; free some or enlarge the disk";

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);
    private LoggingMethod method = LoggingMethod.COMMAND;
    private UnaryOperator<LogSettings> log = settings -> settings;

    /** The acknowledged notes. */
    private final TreeMap<Long, String> notes = new TreeMap<>();

    /** The segment that follows the first one is there, however much the opening did. */
    private Reprise open() {
        Reprise engine = Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(log.apply(LogSettings.DEFAULTS
                                .withSizes(2048, 4096, 1 << 14, 16 << 10)
                                .withSegmentBytes(SEGMENT)
                                .withCompression(Compression.NONE)))
                        .with(SmallDurability.snapshots(1)))
                .open();
        for (int i = 0; i < CYCLES_TO_PREPARE; i++) {
            engine.runSites();
        }
        return engine;
    }

    private void put(Reprise engine, long id, String text) {
        engine.call("Put", id, text);
        notes.put(id, text);
    }

    /** Writes until a write is refused. Returns that refusal. */
    private ProcedureException fillUp(Reprise engine) {
        for (long id = 0; id < 10_000; id++) {
            try {
                put(engine, id % 50, id + TEXT);
            } catch (ProcedureException refusal) {
                return refusal;
            }
        }
        throw new AssertionError("the disk never got full");
    }

    private static ProcedureException refusal(Runnable call) {
        ProcedureException refusal = catchThrowableOfType(ProcedureException.class, call::run);
        assertThat(refusal).isNotNull();
        return refusal;
    }

    private static TreeMap<Long, String> read(Reprise engine) {
        TreeMap<Long, String> found = new TreeMap<>();
        Rows rows = engine.sql("SELECT id, text FROM note").rows();
        while (rows.next()) {
            found.put(rows.longAt(0), rows.textAt(1).toString());
        }
        return found;
    }

    /** Lets the log's writer try again. */
    private void retry(Reprise engine) {
        clock.advance(RETRY_NS);
        engine.runSites();
    }

    /** The process ends in this way; the engine's memory is given back. */
    private void endWith(Reprise engine, UnaryOperator<SimulatedFileStore> end) {
        disk = end.apply(disk);
        try {
            engine.close();
        } catch (IllegalStateException | SimulatedPowerLoss expected) {
            // There is no disk to close anything on.
        }
    }

    private DurabilityStats.LogState state(Reprise engine) {
        return engine.durabilityStats().orElseThrow().log();
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldRefuseWritersByNameAndAnswerReadersAndGoOnByItselfWhenTheDiskIsFull(LoggingMethod with) {
        method = with;
        try (Reprise engine = open()) {
            disk.faults().budget(2 * SEGMENT + 20_000);

            ProcedureException refusal = fillUp(engine);

            assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(refusal.code().retryable()).isTrue();
            assertThat(refusal)
                    .hasMessage("the transaction was rolled back, because what it wrote can't be logged: " + WHY
                            + ". Reads go on, and writes when the log can be written again; it is tried ten times a"
                            + " second");
            assertThat(state(engine).refusesBecause()).hasValue(WHY);
            assertThat(state(engine).blocked()).isFalse();
            assertThat(state(engine).durable()).isEqualTo(state(engine).position());
            assertThat(read(engine)).isEqualTo(notes);
            assertThat(refusal(() -> engine.call("PutAll", "x")).code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(refusal(() -> engine.sql("DELETE FROM note WHERE id = 1"))
                            .code())
                    .isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(refusal(() -> engine.ddl("CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY)")))
                    .hasMessage("nothing was changed, because the log can't be written: " + WHY)
                    .extracting(ProcedureException::code)
                    .isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(engine.catalog().tables()).hasSize(1);
            assertThat(read(engine)).isEqualTo(notes);
            for (int i = 0; i < 200; i++) {
                assertThat(engine.call("Read", (long) (i % 50)).rows().next()).isTrue();
            }

            disk.faults().budget(Long.MAX_VALUE);
            retry(engine);

            assertThat(state(engine).refusesBecause()).isEmpty();
            put(engine, 1, "after");
            engine.ddl("CREATE TABLE more (id BIGINT NOT NULL PRIMARY KEY)");
        }
        try (Reprise again = open()) {
            assertThat(read(again)).isEqualTo(notes);
            assertThat(again.catalog().tables()).hasSize(2);
        }
    }

    @Test
    void shouldHaveWhatWasAcknowledgedWhenItIsClosedOrKilledOrLosesPowerOnAFullDisk() {
        Reprise engine = open();
        disk.faults().budget(2 * SEGMENT + 20_000);
        fillUp(engine);
        engine.close();

        try (Reprise closed = open()) {
            assertThat(read(closed)).isEqualTo(notes);
        }
        endWith(open(), SimulatedFileStore::kill);
        try (Reprise killed = open()) {
            assertThat(read(killed)).isEqualTo(notes);
        }
        endWith(open(), SimulatedFileStore::crash);
        try (Reprise crashed = open()) {
            assertThat(read(crashed)).isEqualTo(notes);
        }
    }

    @Test
    void shouldMakeRoomByASnapshotWhenThatStillFits() {
        try (Reprise engine = open()) {
            disk.faults().budget(3 * SEGMENT + SEGMENT / 2);
            fillUp(engine);
            assertThat(state(engine).position()).isGreaterThan(2 * SEGMENT);

            SnapshotReport report = engine.snapshot();
            retry(engine);

            assertThat(report.problem()).isEmpty();
            assertThat(state(engine).refusesBecause()).isEmpty();
            put(engine, 1, "there is room now");
        }
        try (Reprise again = open()) {
            assertThat(read(again)).isEqualTo(notes);
        }
    }

    @Test
    void shouldGiveTheRoomOfSpareSegmentsToSnapshotsWhenOneHasFailed() {
        try (Reprise engine = open()) {
            for (long i = 0; state(engine).position() < 5 * SEGMENT; i++) {
                put(engine, i % 50, i + TEXT);
            }
            assertThat(engine.snapshot().problem()).isEmpty();
            assertThat(spareSegments()).isGreaterThan(3);
            disk.faults().budget(Long.MAX_VALUE);
            disk.faults().budget(Long.MAX_VALUE - disk.usableBytes(""));

            SnapshotReport first = engine.snapshot();
            SnapshotReport second = engine.snapshot();

            assertThat(first.problem()).contains("no space left");
            assertThat(spareSegments()).isZero();
            assertThat(second.problem()).isEmpty();
            put(engine, 1, "after");
        }
        try (Reprise again = open()) {
            assertThat(read(again)).isEqualTo(notes);
        }
    }

    private long spareSegments() {
        return disk.list("log").stream().filter(name -> name.endsWith(".spare")).count();
    }

    @Test
    void shouldRefuseWritersAndReadersOfWhatIsNotOnDiskWhenTheDiskTurnsReadOnly() {
        long[] ids = idsByPartition();
        try (Reprise engine = open()) {
            put(engine, ids[0], "before");
            put(engine, ids[1], "before");
            disk.faults().readOnly(true);

            ProcedureException waiting = refusal(() -> engine.call("Put", ids[0], "in doubt"));
            ProcedureException writer = refusal(() -> engine.call("Put", ids[1], "refused"));
            ProcedureException reader = refusal(() -> engine.call("Read", ids[0]));

            String why = state(engine).refusesBecause().orElseThrow();
            assertThat(why)
                    .matches(
                            "can't write \\d+ bytes at \\d+ \\(log/0000000000000000.log\\): the file system is read-only;"
                                    + " look into the system log for disk errors before you remount it");
            assertThat(waiting.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN);
            assertThat(waiting.code().retryable()).isFalse();
            assertThat(waiting)
                    .hasMessage(
                            "PUT has no answer yet, because the log can't be written: " + why
                                    + ". It may still take effect when the engine is run again (by runSites, or the next call)");
            assertThat(writer.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(writer)
                    .hasMessage("the transaction was rolled back, because what it wrote can't be logged: " + why
                            + ". Reads go on, and writes when the log can be written again; it is tried ten times a"
                            + " second");
            assertThat(reader.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
            assertThat(reader)
                    .hasMessage("the transaction may have read what is not on disk yet, because the log can't be"
                            + " written: " + why + ". It is tried again ten times a second");
            assertThat(state(engine).blocked()).isTrue();
            // Nothing there waits for the disk, and no snapshot makes it wait.
            assertThat(engine.call("Read", ids[1]).rows().next()).isTrue();
            assertThat(engine.snapshot().problem()).contains("the log can't be written: " + why);
            assertThat(engine.call("Read", ids[1]).rows().next()).isTrue();
            // However many come: none waits, and none is told only that there are too many.
            for (int i = 0; i < 500; i++) {
                assertThat(refusal(() -> engine.call("Put", ids[0], "x")).code())
                        .isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
                engine.call("Read", ids[1]);
            }

            disk.faults().readOnly(false);
            retry(engine);

            notes.put(ids[0], "in doubt");
            assertThat(state(engine).refusesBecause()).isEmpty();
            assertThat(read(engine)).isEqualTo(notes);
            put(engine, ids[1], "after");
        }
        try (Reprise again = open()) {
            assertThat(read(again)).isEqualTo(notes);
        }
    }

    /** An id of each partition. */
    private long[] idsByPartition() {
        long[] ids = {-1, -1};
        SimulatedFileStore disk = this.disk;
        this.disk = new SimulatedFileStore(2);
        try (Reprise engine = open()) {
            for (long id = 0; ids[0] < 0 || ids[1] < 0; id++) {
                ids[engine.call("Read", id).partition()] = id;
            }
        }
        this.disk = disk;
        return ids;
    }

    @Test
    void shouldRefuseWritersWhenTheLogIsAsynchronousAndTheDiskIsReadOnly() {
        log = settings -> settings.asynchronous(10_000_000);
        Reprise engine = open();
        put(engine, 1, "before");
        disk.faults().readOnly(true);

        ProcedureException refusal = fillUp(engine);

        assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(read(engine)).isEqualTo(notes);
        disk.faults().readOnly(false);
        retry(engine);
        put(engine, 2, "after");
        engine.close();
        try (Reprise again = open()) {
            assertThat(read(again)).isEqualTo(notes);
        }
    }

    /** Its earlier calls are on the disk. */
    private Reprise asynchronousOnADiskThatTurnsReadOnly() {
        log = settings -> settings.asynchronous(10_000_000);
        Reprise engine = open();
        put(engine, 1, "written");
        clock.advance(20_000_000);
        engine.runSites();
        disk.faults().readOnly(true);
        return engine;
    }

    @Test
    void shouldTellThatWhatWasAnsweredLastIsLostWhenAnAsynchronousLogIsClosedWithoutIt() {
        Reprise engine = asynchronousOnADiskThatTurnsReadOnly();
        engine.call("Put", 2, "answered and lost");

        assertThatThrownBy(engine::close)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageStartingWith(
                        "The last answered transactions are lost: the log is asynchronous, and could not be written to its end: ")
                .hasMessageContaining("(log/0000000000000000.log): the file system is read-only");
        assertThat(engine.lost()).isPresent();

        disk.faults().readOnly(false);
        try (Reprise again = open()) {
            assertThat(read(again)).isEqualTo(notes);
        }
    }

    @Test
    void shouldEndQuietlyWhenAnAsynchronousLogIsClosedThatHasEverything() {
        Reprise engine = asynchronousOnADiskThatTurnsReadOnly();

        assertThatCode(engine::close).doesNotThrowAnyException();
    }

    /** The disk gets full at every amount in turn, with records that may be larger than what is kept back for them: a quarter of a segment. */
    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldLoseNothingAcknowledgedHoweverMuchRoomThereIs(LoggingMethod with) {
        method = with;
        log = settings -> settings.withSizes(2048, 4096, 1 << 14, LARGEST);
        int refused = 0;
        int inDoubt = 0;
        for (long budget = 2 * SEGMENT + 2_000; budget <= 3 * SEGMENT + SEGMENT / 2; budget += 9_000) {
            notes.clear();
            disk = new SimulatedFileStore(budget);
            Reprise engine = open();
            disk.faults().budget(budget);
            SeededRandomness random = new SeededRandomness(budget);
            TreeMap<Long, String> perhaps = null;
            for (int i = 0; i < 700 && perhaps == null; i++) {
                TreeMap<Long, String> next = new TreeMap<>(notes);
                long id = random.nextInt(8);
                String text = i + TEXT.substring(0, random.nextInt(250));
                if (i % 25 == 24) {
                    text = text.repeat(1 + random.nextInt(LARGEST / 2 / text.length()));
                }
                try {
                    if (i % 11 == 10) {
                        String same = text;
                        next.replaceAll((key, value) -> same);
                        engine.call("PutAll", text);
                    } else {
                        next.put(id, text);
                        engine.call("Put", id, text);
                    }
                    notes.clear();
                    notes.putAll(next);
                } catch (ProcedureException e) {
                    if (e.code() == ErrorCode.OUTCOME_UNKNOWN) {
                        perhaps = next;
                        inDoubt++;
                    } else {
                        assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
                        refused++;
                    }
                }
                clock.advance(RETRY_NS / 3);
            }
            endWith(engine, budget / 1000 % 2 == 0 ? SimulatedFileStore::kill : SimulatedFileStore::crash);
            disk.faults().none();
            try (Reprise again = open()) {
                TreeMap<Long, String> found = read(again);
                if (!found.equals(perhaps)) {
                    assertThat(found)
                            .as("room for %d bytes, which is the seed too", budget)
                            .isEqualTo(notes);
                }
            }
        }
        assertThat(refused).isPositive();
        assertThat(inDoubt).as("what is kept back should do for what has run").isZero();
    }
}
