package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.RecordKind;
import io.reprise.redo.DivergedReplayException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A clean close notes a hash of the data; the next opening compares it and does not serve a difference. */
final class StateHashTest {
    private static final LogSettings LOG =
            LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 16, 32 << 10).withSegmentBytes(128 << 10);

    /** Two tables: id, rows, hash. */
    private static final String GOLDEN = "0102000000"
            + "01000000" + "1e00000000000000" + "948f3d3cc5a32d96"
            + "02000000" + "0100000000000000" + "b7dc6b184c621334";

    private final SimulatedClock clock = new SimulatedClock();
    private final SimulatedFileStore files = new SimulatedFileStore(1);

    @ParameterizedTest
    @CsvSource({"COMMAND, 2, 3, false", "PHYSIOLOGICAL, 3, 1, true", "COMMAND, 1, 2, true"})
    void shouldCompareWithAnyNumberOfPartitionsWhenItWasClosedCleanly(
            LoggingMethod method, int before, int after, boolean snapshot) {
        try (Reprise engine = open(method, before)) {
            fill(engine);
            if (snapshot) {
                assertThat(engine.snapshot().succeeded()).isTrue();
            }
            engine.call("Transfer", 1, 2, 7);
        }

        try (Reprise again = open(method, after)) {
            assertThat(again.recovery().stateCompared()).isTrue();
            assertThat(again.recovery().snapshot().isPresent()).isEqualTo(snapshot);
        }
        try (Reprise twice = open(method, before)) {
            assertThat(twice.recovery().stateCompared()).isTrue();
        }
    }

    @Test
    void shouldNotCompareWhenTransactionsCameAfterTheLastClose() {
        try (Reprise engine = open(LoggingMethod.COMMAND, 2)) {
            fill(engine);
        }
        Reprise crashed = open(LoggingMethod.COMMAND, 2);
        crashed.call("Transfer", 1, 2, 7);

        try (Reprise again = open(files.kill(), LoggingMethod.COMMAND, 2)) {
            assertThat(again.recovery().stateCompared()).isFalse();
            assertThat(again.call("Balance", 2).longValue()).isEqualTo(1007);
        }
    }

    @Test
    void shouldRefuseToOpenWhenTheDataAreOthers() {
        try (Reprise engine = open(LoggingMethod.COMMAND, 2)) {
            fill(engine);
        }
        StateHash last = StateHash.decode(lastStateHash());
        StateHash.TableState account = last.tables().getFirst();

        logStateHash(new StateHash.TableState(account.id(), account.rows(), account.hash() + 1), last);

        assertThatThrownBy(() -> open(LoggingMethod.COMMAND, 1))
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageContaining("table ACCOUNT has as many rows as before, 30, but other values")
                .hasMessageContaining("the engine is not opened");
    }

    @Test
    void shouldSayHowManyRowsDifferWhenSomeAreMissing() {
        try (Reprise engine = open(LoggingMethod.PHYSIOLOGICAL, 2)) {
            fill(engine);
        }
        StateHash last = StateHash.decode(lastStateHash());
        StateHash.TableState account = last.tables().getFirst();

        logStateHash(new StateHash.TableState(account.id(), 31, account.hash()), last);

        assertThatThrownBy(() -> open(LoggingMethod.PHYSIOLOGICAL, 2))
                .hasMessageContaining("table ACCOUNT had 31 rows and has 30");
    }

    @Test
    void shouldWriteTheReleasedFormatToTheByte() {
        StateHash state = new StateHash(
                List.of(new StateHash.TableState(1, 30, 0x0102030405060708L), new StateHash.TableState(258, 0, -1)));

        assertThat(HexFormat.of().formatHex(state.encode()))
                .isEqualTo("01" + "02000000" + "01000000" + "1e00000000000000" + "0807060504030201" + "02010000"
                        + "0000000000000000" + "ffffffffffffffff");
        assertThat(StateHash.decode(state.encode())).isEqualTo(state);
        assertThatThrownBy(() -> StateHash.decode(new byte[] {1, 9, 0, 0, 0})).hasMessageContaining("9 tables");
        assertThatThrownBy(() -> StateHash.decode(new byte[] {2})).hasMessageContaining("format 2");
        assertThatThrownBy(() -> StateHash.decode(new byte[] {1, 0})).hasMessageContaining("in the middle");
    }

    /** Values of a fixed database: a change of the hash would make every database that was closed before refuse to open. */
    @Test
    void shouldHashTheSameAsWhenItWasReleased() {
        try (Reprise engine = open(LoggingMethod.COMMAND, 2)) {
            fill(engine);
        }

        assertThat(HexFormat.of().formatHex(lastStateHash())).isEqualTo(GOLDEN);
    }

    private byte[] lastStateHash() {
        List<String> lines = new ArrayList<>();
        byte[][] last = new byte[1][];
        try (LogReader reader = LogTail.find(files, LOG, 0).read(0);
                LogFrame frame = new LogFrame()) {
            LogRecords records = new LogRecords();
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    lines.add(records.kind().name());
                    if (records.kind() == RecordKind.STATE_HASH) {
                        last[0] = records.memory()
                                .segment()
                                .asSlice(records.payload(), records.payloadBytes())
                                .toArray(ValueLayout.JAVA_BYTE);
                    }
                }
            }
        }
        assertThat(lines).endsWith("STATE_HASH");
        return last[0];
    }

    /** Adds a record as a close does, with another first table. */
    private void logStateHash(StateHash.TableState first, StateHash rest) {
        List<StateHash.TableState> tables = new ArrayList<>(rest.tables());
        tables.set(0, first);
        LogEnd.append(
                files,
                LOG,
                log -> log.begin(RecordKind.STATE_HASH, LogEnd.FIRST_ID, -1, 0)
                        .putBytes(new StateHash(tables).encode())
                        .end());
    }

    private static void fill(Reprise engine) {
        for (int i = 0; i < 30; i++) {
            engine.call("OpenAccount", i, 1000, "owner " + i);
        }
        engine.call("SetRate", "base", 3);
    }

    private Reprise open(LoggingMethod method, int partitions) {
        return open(files, method, partitions);
    }

    private Reprise open(SimulatedFileStore disk, LoggingMethod method, int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(Bank.DDL)
                .files(disk)
                .durability(Durability.standard().with(method).with(LOG).with(SmallDurability.snapshots(2)))
                .open();
    }
}
