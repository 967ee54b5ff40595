package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.engine.Callers.Call;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.redo.DivergedReplayException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Replay of data records, with executors on threads of their own and without. */
final class DataReplayTest {
    private static final LogSettings LOG =
            LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 16, 32 << 10).withSegmentBytes(1 << 20);

    private final SimulatedClock clock = new SimulatedClock();

    private Options options(SimulatedFileStore disk, LoggingMethod method, Options.Threads threads) {
        return Options.create()
                .partitions(2)
                .threads(threads)
                .clock(clock)
                .memoryPerPartition(64 << 20)
                .ddl(Medley.DDL)
                .replay(new ReplaySettings(8))
                .files(disk)
                .durability(Durability.standard().with(method).with(LOG).with(SmallDurability.snapshots(2)));
    }

    /** Commands stand between data records now and then. */
    @Test
    void shouldHoldTheSameAfterwards() {
        Seeds.forEach(2, seed -> {
            SeededRandomness random = new SeededRandomness(seed);
            SimulatedFileStore disk = new SimulatedFileStore(seed);
            RandomSteps steps = new RandomSteps(random, false, 9);
            NumberedCalls numbered = new NumberedCalls(random, 3);
            Callers callers = new Callers();
            long[] before = null;
            for (int life = 0; life < 5; life++) {
                LoggingMethod method = life == 2 ? LoggingMethod.COMMAND : LoggingMethod.PHYSIOLOGICAL;
                try (Reprise engine = options(disk, method, Options.Threads.SITE)
                        .siteAgent(callers::at)
                        .open()) {
                    if (before != null) {
                        assertThat(engine.contentHashes()).isEqualTo(before);
                        assertThat(engine.recovery().stateCompared()).isTrue();
                    }
                    numbered.makeAgain(engine, callers);
                    steps.numbered().makeAgain(engine, callers);
                    for (int i = 0; i < 40; i++) {
                        List<Call> calls = calls(random, numbered);
                        numbered.answered(calls, callers.run(engine, calls));
                        if (i % 8 == 0) {
                            steps.next().run(engine, callers, false);
                        }
                    }
                    before = engine.contentHashes();
                }
            }
        });
    }

    private static List<Call> calls(SeededRandomness random, NumberedCalls numbered) {
        List<Call> calls = new ArrayList<>();
        numbered.begin();
        for (int i = 0; i < 10; i++) {
            String text = "a text ".repeat(3 + random.nextInt(random.nextInt(40) + 1));
            long number = random.nextLong() >>> 1;
            calls.add(numbered.next(random.nextInt(2), "Near", (long) random.nextInt(1000), number, text, false));
        }
        return calls;
    }

    @Test
    void shouldNameTheRecordThatCannotBeRead() {
        SimulatedFileStore disk = filled();
        for (int i = 0; i < 20; i++) {
            addRecord(disk, i, i % 7 == 3 ? new byte[] {1, 99} : new byte[0]);
        }

        for (Options.Threads threads : Options.Threads.values()) {
            assertThatThrownBy(() ->
                            options(disk, LoggingMethod.PHYSIOLOGICAL, threads).open())
                    .isInstanceOf(DivergedReplayException.class)
                    .hasMessageContaining("The replay of transaction 0x" + Long.toHexString(LogEnd.FIRST_ID + 3)
                            + " (data record, in the log's frame")
                    .hasMessageContaining("it can't be read");
        }
    }

    /** A record that can be read, but not stored, among others of the same batch. */
    @Test
    void shouldNameTheTransactionWhoseRecordDoesNotFit() {
        SimulatedFileStore disk = filled();
        byte[] again = firstPayload(disk);
        for (int i = 0; i < 20; i++) {
            addRecord(disk, i, i == 7 ? again : new byte[0]);
        }

        for (Options.Threads threads : Options.Threads.values()) {
            assertThatThrownBy(() ->
                            options(disk, LoggingMethod.PHYSIOLOGICAL, threads).open())
                    .isInstanceOf(DivergedReplayException.class)
                    .hasMessageContaining("The replay of transaction 0x" + Long.toHexString(LogEnd.FIRST_ID + 7)
                            + " (data records, in the log's frame at position ")
                    .hasMessageContaining("it inserts a row that is there already");
        }
    }

    private SimulatedFileStore filled() {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        try (Reprise engine = options(disk, LoggingMethod.PHYSIOLOGICAL, Options.Threads.CALLER)
                .open()) {
            for (int i = 0; i < 100; i++) {
                engine.sql("INSERT INTO setting (name, val) VALUES (?, ?)", "name " + i, i);
            }
        }
        return disk;
    }

    private static byte[] firstPayload(SimulatedFileStore disk) {
        try (LogReader reader = LogTail.find(disk, LOG, 0).read(0);
                LogFrame frame = new LogFrame()) {
            LogRecords records = new LogRecords();
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (records.kind() == RecordKind.DATA) {
                        byte[] payload = new byte[records.payloadBytes()];
                        for (int i = 0; i < payload.length; i++) {
                            payload[i] = records.memory().getByte(records.payload() + i);
                        }
                        return payload;
                    }
                }
            }
        }
        throw new AssertionError("the log has no data record");
    }

    private static void addRecord(SimulatedFileStore disk, int number, byte... payload) {
        LogEnd.append(
                disk,
                LOG,
                log -> log.begin(RecordKind.DATA, LogEnd.FIRST_ID + number, -1, 0)
                        .putBytes(payload)
                        .end());
    }
}
