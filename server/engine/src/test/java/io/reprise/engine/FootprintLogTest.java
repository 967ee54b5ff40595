package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.footprint.AccessTable;
import io.reprise.footprint.Footprint;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintReader;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An engine logs the footprints of its transactions behind them. */
final class FootprintLogTest {
    private static final String DDL = """
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT NOT NULL);
            PARTITION TABLE t ON COLUMN id;
            CREATE TABLE r (id BIGINT NOT NULL PRIMARY KEY);
            CREATE PROCEDURE Put AS INSERT INTO t VALUES (?, 0);
            CREATE PROCEDURE Raise AS UPDATE t SET a = a + 1 WHERE id = ?;
            CREATE PROCEDURE Remove AS DELETE FROM t WHERE id = ?;
            CREATE PROCEDURE RaiseAll AS UPDATE t SET a = a + 1;
            CREATE PROCEDURE Everywhere AS INSERT INTO r VALUES (?);
            """;

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private final SimulatedClock clock = new SimulatedClock();

    private Reprise open(LoggingMethod method, int partitions, int passWords) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(disk)
                .footprints(new FootprintBuffer.Settings(2, 512, 64, passWords))
                .durability(Durability.standard()
                        .with(method)
                        .withFootprints(true)
                        .with(SmallDurability.logOfSchemas(64 << 10))
                        .with(SmallDurability.snapshots(2)))
                .open();
    }

    /** By transaction: kinds of rows, or "coarse"; "missing" if there is no footprint. */
    private List<String> footprints() {
        List<Long> transactions = new ArrayList<>();
        Map<Long, Map<Integer, String>> footprints = new TreeMap<>();
        LogRecords records = new LogRecords();
        FootprintReader reader = new FootprintReader();
        try (LogReader log = LogTail.find(disk, SmallDurability.logOfSchemas(64 << 10), 0)
                        .read(0);
                LogFrame frame = new LogFrame()) {
            while (log.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.kind() == RecordKind.COMMAND || records.kind() == RecordKind.DATA) {
                        transactions.add(records.transactionId());
                    } else if (records.kind() == RecordKind.FOOTPRINT) {
                        reader.over(records.payloadCopy());
                        while (reader.next()) {
                            footprints
                                    .computeIfAbsent(reader.footprint().transactionId(), id -> new TreeMap<>())
                                    .put(reader.partition(), text(reader.footprint()));
                        }
                    }
                }
            }
        }
        return transactions.stream()
                .map(id -> String.join(
                        "", footprints.getOrDefault(id, Map.of(0, "missing")).values()))
                .toList();
    }

    private static String text(Footprint footprint) {
        StringBuilder text = new StringBuilder(footprint.isCoarse() ? "coarse" : "");
        for (int i = 0; i < footprint.size(); i++) {
            int flags = footprint.flags(i);
            text.append(flags == 16 ? "(" + AccessTable.ofParts(footprint.table(i)) + ")" : flags);
        }
        return text.toString();
    }

    private void run(Reprise engine) {
        engine.call("Put", 7);
        engine.call("Put", 8);
        engine.call("Raise", 7);
        engine.call("RaiseAll");
        engine.call("Everywhere", 5);
        engine.sql("UPDATE t SET a = 5 WHERE id = 8");
        engine.call("Raise", 99);
        engine.call("Remove", 7);
    }

    @ParameterizedTest
    @CsvSource({"1", "3"})
    void shouldLogTheFootprintOfEachCommand(int partitions) {
        Map<String, List<String>> expected;
        try (Reprise engine = open(LoggingMethod.COMMAND, partitions, 1)) {
            run(engine);
            expected = Dump.of(engine);
        }

        // 2 insert, 1 update, 4 delete, 8 a write to a replicated table, (n) the number of partitions
        List<String> found = partitions == 1
                ? List.of("2", "2", "1", "11", "8", "coarse", "4")
                : List.of("2", "2", "1", "1(3)(3)1(3)", "8(3)8(3)8(3)", "coarse", "4");
        assertThat(footprints()).isEqualTo(found);
        try (Reprise again = open(LoggingMethod.COMMAND, 4 - partitions, 1)) {
            assertThat(Dump.of(again)).isEqualTo(expected);
        }
    }

    @Test
    void shouldLogTheWritesOfDataRecordsOnly() {
        try (Reprise engine = open(LoggingMethod.PHYSIOLOGICAL, 2, 1)) {
            run(engine);
        }

        assertThat(footprints()).containsExactly("2", "2", "1", "1(2)1(2)", "8(2)8(2)", "1", "4");
    }

    @Test
    void shouldLogWhatIsLeftWhenItCloses() {
        try (Reprise engine = open(LoggingMethod.COMMAND, 2, 1 << 20)) {
            run(engine);
        }

        assertThat(footprints()).containsExactly("2", "2", "1", "1(2)1(2)", "8(2)8(2)", "coarse", "4");
    }

    @Test
    void shouldRecoverWithoutFootprintsThatACrashHasLost() {
        Reprise engine = open(LoggingMethod.COMMAND, 2, 1 << 20);
        run(engine);
        Map<String, List<String>> expected = Dump.of(engine);
        SimulatedFileStore left = disk.kill();

        try (Reprise again = Options.create()
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .files(left)
                .durability(Durability.standard().with(SmallDurability.logOfSchemas(64 << 10)))
                .open()) {
            assertThat(Dump.of(again)).isEqualTo(expected);
        }
    }
}
