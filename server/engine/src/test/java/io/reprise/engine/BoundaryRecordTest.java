package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.execution.durable.adaptive.LoggingStats;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.log.Compression;
import io.reprise.log.DamagedLogException;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogRewriting;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A transaction over several partitions leaves its call with the answers from elsewhere, and a replay needs no partition but its home. */
final class BoundaryRecordTest {
    private static final int ROWS = 40;
    private static final String TWO =
            " PARTITION ON TABLE thing COLUMN id PARAMETER 0 AND ON TABLE thing COLUMN id PARAMETER 1 FROM CLASS "
                    + "io.reprise.engine.BoundaryRecordTest$";
    private static final String DDL = """
            CREATE TABLE thing (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL, price DOUBLE, name VARCHAR(40));
            PARTITION TABLE thing ON COLUMN id;
            CREATE TABLE note (id BIGINT NOT NULL, text VARCHAR(60));
            PARTITION TABLE note ON COLUMN id;
            CREATE TABLE rate (id BIGINT NOT NULL PRIMARY KEY, n BIGINT NOT NULL);
            CREATE PROCEDURE Add PARTITION ON TABLE thing COLUMN id AS INSERT INTO thing VALUES (?, ?, ?, ?);
            CREATE PROCEDURE Bring""" + TWO + "Bring;\nCREATE PROCEDURE Try" + TWO + "Try;\n"
            + "CREATE PROCEDURE FROM CLASS io.reprise.engine.BoundaryRecordTest$Rate;\n"
            + TWO.replace(" PARTITION", "CREATE PROCEDURE Gather PARTITION")
                    .replace(" FROM CLASS", " AND ON TABLE thing COLUMN id PARAMETER 2 FROM CLASS")
            + "Gather;\n";

    private final SimulatedClock clock = new SimulatedClock();
    private SimulatedFileStore disk = new SimulatedFileStore(1);

    /** The bytes of the last record's payload that are rows changed elsewhere. */
    private final BitSet rowsElsewhere = new BitSet();

    /** Notes at home what is elsewhere, and counts there. */
    public static final class Bring extends Procedure {
        private final Statement read = sql("SELECT n, price, name FROM thing WHERE id = ?");
        private final Statement count = sql("UPDATE thing SET n = n + ? WHERE id = ?");
        private final Statement note = sql("INSERT INTO note VALUES (?, ?)");

        /** Returns the number that was elsewhere. */
        public long run(long home, long other, long more) {
            Rows queued = read.set(0, other).queue();
            Rows there = read.set(0, other).query();
            there.next();
            queued.next();
            long found = there.longAt(0) + queued.longAt(0);
            note.set(0, home)
                    .set(1, there.stringAt(2) + " at " + there.doubleAt(1))
                    .update();
            int mark = savepoint();
            count.set(0, more).set(1, other).update();
            if (more % 3 == 0) {
                rollbackTo(mark);
            }
            long counted = count.set(0, more).set(1, other).update();
            count.set(0, found + counted).set(1, home).update();
            return found;
        }
    }

    /** Reads and counts three rows in turn; two of them may be at home. */
    public static final class Gather extends Procedure {
        private final Statement read = sql("SELECT n, price, name FROM thing WHERE id = ?");
        private final Statement count = sql("UPDATE thing SET n = n + ? WHERE id = ?");

        /** Returns the sum of what was there. */
        public long run(long one, long two, long three) {
            long sum = 0;
            for (long id : new long[] {two, three, one, three, two}) {
                Rows rows = read.set(0, id).query();
                rows.next();
                sum += rows.longAt(0);
                sum += count.set(0, sum % 100).set(1, id).update();
                Rows queued = read.set(0, id).queue();
                queued.next();
                sum += queued.longAt(0);
            }
            return sum;
        }
    }

    /** Goes on when an insertion elsewhere fails. */
    public static final class Try extends Procedure {
        private final Statement add = sql("INSERT INTO thing VALUES (?, 0, NULL, NULL)");
        private final Statement count = sql("UPDATE thing SET n = n + 1 WHERE id = ?");

        /** Returns nothing. */
        public void run(long home, long other) {
            try {
                add.set(0, other).update();
            } catch (ProcedureException e) {
                if (e.code() != ErrorCode.CONSTRAINT_VIOLATION) {
                    throw e;
                }
            }
            count.set(0, home).update();
        }
    }

    /** Writes a row of all partitions, and counts in one bucket. */
    public static final class Rate extends Procedure {
        private final Statement rate = sql("INSERT INTO rate VALUES (?, ?)");
        private final Statement count = sql("UPDATE thing SET n = n + 1 WHERE id = ?");

        /** Returns nothing. */
        public void run(long home, long n) {
            rate.set(0, home).set(1, n).update();
            count.set(0, home).update();
        }
    }

    private Reprise open(LoggingMethod method, int partitions, ReplaySettings.Order order) {
        return options(method, partitions, order).open();
    }

    private Options options(LoggingMethod method, int partitions, ReplaySettings.Order order) {
        return options(method, partitions, order, AdaptiveSettings.DEFAULTS);
    }

    private Options options(
            LoggingMethod method, int partitions, ReplaySettings.Order order, AdaptiveSettings adaptive) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(DDL)
                .files(disk)
                .replay(new ReplaySettings(1).with(order))
                .footprints(new FootprintBuffer.Settings(4, 1 << 12, 1 << 10, 1 << 6))
                .durability(Durability.standard()
                        .with(method)
                        .with(adaptive)
                        .withFootprints(true)
                        .with(SmallDurability.logOfSchemas(256 << 10).withCompression(Compression.NONE))
                        .with(SmallDurability.snapshots(2)));
    }

    private Reprise filled(int partitions) {
        Reprise engine = open(LoggingMethod.BOUNDARY, partitions, ReplaySettings.Order.LOG);
        fill(engine);
        return engine;
    }

    private static void fill(Reprise engine) {
        for (long id = 0; id < ROWS; id++) {
            engine.call("Add", id, 10 * id, id % 5 == 0 ? 0.5 : id, "thing " + id);
        }
    }

    private static void fetch(Reprise engine) {
        for (long id = 0; id < ROWS; id++) {
            engine.call("Bring", id, (id * 7 + 1) % ROWS, id);
        }
    }

    private void kill(Reprise engine) {
        disk = disk.kill();
        try {
            engine.close();
        } catch (RuntimeException | SimulatedPowerLoss e) {
            // It has lost its disk.
        }
    }

    private List<String> log() {
        List<String> found = new ArrayList<>();
        rowsElsewhere.clear();
        LogRecords records = new LogRecords();
        try (LogReader reader = LogTail.find(disk, SmallDurability.logOfSchemas(256 << 10), 0)
                        .read(0);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.kind().isTransaction()) {
                        found.add(records.kind() + " " + HexFormat.of().formatHex(records.payloadCopy()));
                        noteRows(records);
                    }
                }
            }
        }
        return found;
    }

    private void noteRows(LogRecords records) {
        rowsElsewhere.clear();
        if (records.parts() > 1) {
            long payload = records.payload();
            records.showPart(1);
            int from = (int) (records.payload() - payload);
            rowsElsewhere.set(from, from + records.payloadBytes());
        }
    }

    private static long idOf(Reprise engine, int partition, long from) {
        for (long id = from; id < ROWS; id++) {
            if (engine.partitionOf("SELECT n FROM thing WHERE id = ?", id) == partition) {
                return id;
            }
        }
        throw new AssertionError();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 5})
    void shouldReplayWithAnyNumberOfPartitionsWhatThreeHaveLogged(int partitions) {
        Reprise engine = filled(3);
        fetch(engine);

        assertReplay(engine, partitions);
    }

    /** A log that has been cut is replayed in each order, and gives what was there. */
    private void assertReplay(Reprise engine, int partitions) {
        Map<String, List<String>> expected = Dump.of(engine);
        kill(engine);
        assertThat(log()).filteredOn(line -> line.startsWith("BOUNDARY")).hasSizeGreaterThan(ROWS / 3);
        for (ReplaySettings.Order order : ReplaySettings.Order.values()) {
            Reprise replayed = open(LoggingMethod.COMMAND, partitions, order);
            assertThat(Dump.of(replayed)).as(order.name()).isEqualTo(expected);
            kill(replayed);
        }
    }

    /** The buckets that were one home are in several partitions when it is replayed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 7})
    void shouldReplayWhereTheHomeIsDivided(int partitions) {
        Reprise engine = filled(2);
        for (long id = 0; id < ROWS; id++) {
            engine.call("Gather", id, (id * 3 + 1) % ROWS, (id * 11 + 5) % ROWS);
        }

        assertReplay(engine, partitions);
    }

    /** The first transaction of a class is logged as data, and the second one cut, so that the sizes are known. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCutSomeTransactionsWhenTheFormIsChosen(boolean byChance) {
        AdaptiveSettings settings = byChance ? AdaptiveSettings.random(0.7) : AdaptiveSettings.within(1 << 20);
        Reprise engine = options(LoggingMethod.ADAPTIVE, 3, ReplaySettings.Order.LOG, settings)
                .open();
        fill(engine);
        fetch(engine);
        LoggingStats stats = engine.loggingStats("Bring", true).orElseThrow();
        Map<String, List<String>> expected = Dump.of(engine);
        kill(engine);

        long cut = log().stream().filter(line -> line.startsWith("BOUNDARY")).count();
        assertThat(cut).isEqualTo(stats.boundaries()).isGreaterThanOrEqualTo(byChance ? 5 : 1);
        assertThat(stats.data()).isPositive();
        engine = open(LoggingMethod.ADAPTIVE, 2, ReplaySettings.Order.BUCKETS);
        assertThat(Dump.of(engine)).isEqualTo(expected);
        engine.close();
    }

    @Test
    void shouldNeedNothingOfOtherPartitionsToRebuildOne() {
        try (Reprise engine = filled(3)) {
            assertThat(engine.snapshot().problem()).isEmpty();
            fetch(engine);
            long[] before = engine.contentHashes();

            CompletableFuture<RebuildReport> rebuild = engine.rebuildAsync(1);
            for (int i = 0; i < 10_000 && !rebuild.isDone(); i++) {
                clock.advance(1_000_000);
                engine.runSites();
            }

            RebuildReport report = rebuild.join();
            assertThat(engine.contentHashes()).isEqualTo(before);
            assertThat(report.foreignRows()).isZero();
            assertThat(report.commands()).isBetween(1L, ROWS - 1L);
            assertThat(report.dataRecords()).isPositive();
        }
    }

    @Test
    void shouldHoldAnswersChangesElsewhereAndCall() {
        Reprise engine = filled(2);
        long home = idOf(engine, 0, 0);
        long other = idOf(engine, 1, 0);
        engine.call("Bring", home, other, 4);
        kill(engine);

        String record = log().getLast();
        assertThat(record).startsWith("BOUNDARY 01");
        // Both queries got the row with its name, and the changes elsewhere counted one row each.
        String name = HexFormat.of().formatHex(("thing " + other).getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        assertThat(record).contains(name);
        assertThat(record.length()).isLessThan(2 * 120);
    }

    @Test
    void shouldLogACommandWhenAStatementFailedElsewhere() {
        Reprise engine = filled(2);
        long home = idOf(engine, 0, 0);
        long other = idOf(engine, 1, 0);
        engine.call("Try", home, other);
        Map<String, List<String>> expected = Dump.of(engine);
        kill(engine);

        assertThat(log().getLast()).startsWith("COMMAND");
        engine = open(LoggingMethod.BOUNDARY, 2, ReplaySettings.Order.LOG);
        assertThat(Dump.of(engine)).isEqualTo(expected);
        engine.close();
    }

    @Test
    void shouldReplayWritesToReplicatedTables() {
        Reprise engine = filled(3);
        for (long id = 0; id < ROWS; id++) {
            engine.call("Rate", id, 7 * id);
        }
        Map<String, List<String>> expected = Dump.of(engine);
        kill(engine);

        engine = open(LoggingMethod.BOUNDARY, 3, ReplaySettings.Order.BUCKETS);
        assertThat(Dump.of(engine)).isEqualTo(expected);
        engine.close();
    }

    /** The bytes that have been written since the format was made: a new number is due when they change. */
    @Test
    void shouldWriteTheSameBytesAsEver() {
        Reprise engine = filled(2);
        engine.call("Bring", idOf(engine, 0, 0), idOf(engine, 1, 0), 6);
        kill(engine);

        assertThat(log().getLast()).isEqualTo("BOUNDARY " + GOLDEN);
    }

    private static final String GOLDEN =
            "01400100131979a7010014000000000000f03f077468696e6720310100131979a7010014000000000000f03f"
                    + "077468696e6720310201c69e26bb010101c69e26bb0108000000010df8040202200002101116";

    /**
     * Each byte of a record is damaged under right checksums: the recovery refuses the log, or the rows are the same. A damaged value among
     * the rows changed elsewhere is no contradiction to anything.
     */
    @Test
    void shouldRefuseADamagedRecordOrGiveTheSameRows() {
        Reprise engine = filled(2);
        engine.call("Bring", idOf(engine, 0, 0), idOf(engine, 1, 0), 6);
        Map<String, List<String>> expected = Dump.of(engine);
        kill(engine);
        byte[] record = HexFormat.of().parseHex(log().getLast().substring("BOUNDARY ".length()));
        int refused = 0;

        for (int at = 0; at < record.length; at++) {
            byte[] damaged = record.clone();
            damaged[at] ^= (byte) (1 << at % Byte.SIZE);
            assertThat(LogRewriting.replace(disk, record, damaged)).isOne();
            boolean ofRows = rowsElsewhere.get(at);
            try (Reprise again = open(LoggingMethod.BOUNDARY, 2, ReplaySettings.Order.LOG)) {
                assertThat(ofRows || Dump.of(again).equals(expected))
                        .as("byte %s of %s", at, record.length)
                        .isTrue();
            } catch (DivergedReplayException | DamagedLogException refusal) {
                refused++;
            }
            disk = disk.kill();
            if (LogRewriting.replace(disk, damaged, record) == 0) {
                throw new AssertionError("byte " + at);
            }
        }

        assertThat(refused).isGreaterThan(record.length / 2);
    }

    /** The outcome is with the partition of the first bucket, and not with that of the rows changed elsewhere. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKnowTheOutcomeOfACallWhenItComesAgain(boolean onDemand) {
        Reprise engine = filled(3);
        assertThat(engine.snapshot().problem()).isEmpty();
        Callers callers = new Callers();
        List<Callers.Call> calls = new ArrayList<>();
        for (long id = 0; id < ROWS; id++) {
            calls.add(new Callers.Call(0, 77, id + 1, 1, "Bring", id, (id * 7 + 1) % ROWS, id));
        }
        kill(engine);
        engine = options(LoggingMethod.BOUNDARY, 3, ReplaySettings.Order.LOG)
                .siteAgent(callers::at)
                .open();
        List<Callers.Answer> answers = callers.run(engine, calls);
        Map<String, List<String>> expected = Dump.of(engine);
        kill(engine);

        Callers others = new Callers();
        engine = options(LoggingMethod.BOUNDARY, 3, ReplaySettings.Order.LOG)
                .siteAgent(others::at)
                .recoverOnDemand(onDemand)
                .open();
        List<Callers.Answer> again = others.run(engine, calls);

        for (int i = 0; i < calls.size(); i++) {
            assertThat(again.get(i).value())
                    .as("%s", calls.get(i))
                    .isEqualTo(answers.get(i).value());
            assertThat(again.get(i).wrote()).isFalse();
        }
        assertThat(Dump.of(engine)).isEqualTo(expected);
        engine.close();
    }

    @Test
    void shouldExplainTheFormOfAProcedure() {
        try (Reprise engine = filled(2)) {
            Rows rows = engine.sql("EXPLAIN LOGGING PROCEDURE Bring").rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.stringAt(0)).contains("answers from elsewhere").contains("log.method is boundary");
            rows = engine.sql("EXPLAIN LOGGING PROCEDURE Add").rows();
            assertThat(rows.next()).isTrue();
            assertThat(rows.stringAt(0)).isEqualTo("Each transaction is logged as a command: log.method is boundary.");
        }
    }

    @Test
    void shouldTellInTheLogsTextWhatItHolds() {
        Reprise engine = filled(2);
        engine.call("Bring", idOf(engine, 0, 0), idOf(engine, 1, 0), 4);
        kill(engine);
        List<String> lines = new ArrayList<>();

        LogPrinting.print(DataDirectory.of(disk), LogPrinting.Range.all(), lines::add);

        assertThat(lines.stream().filter(line -> line.contains(RecordKind.BOUNDARY.name())))
                .singleElement()
                .asString()
                .contains("BRING (version 2): ")
                .contains("bytes of answers from elsewhere, and there: ")
                .contains("UPDATE");
    }
}
