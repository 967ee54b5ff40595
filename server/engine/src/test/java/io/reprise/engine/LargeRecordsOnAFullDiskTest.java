package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The log has no room for another segment, and records come that are larger than what is kept of this one: they are refused
 * while there is room for others, and nobody waits for the disk.
 */
@Timeout(300)
final class LargeRecordsOnAFullDiskTest {
    private static final long SEGMENT = 64 << 10;
    private static final int LARGEST = 40 << 10;
    private static final String SMALL = "0123456789".repeat(25);
    private static final String LARGE = SMALL.repeat(120);
    private static final long RETRY_NS = 100_000_000;

    /** With a record of some 30 KB. */
    private static final String LARGE_SCRIPT = IntStream.range(0, 6)
            .mapToObj(i -> "CREATE PROCEDURE More" + i + " AS SELECT text FROM note WHERE text = '" + SMALL.repeat(20)
                    + "';\n")
            .collect(Collectors.joining());

    private final SimulatedClock clock = new SimulatedClock();
    private final SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open(LoggingMethod method) {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl("""
                        CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(30000));
                        CREATE PROCEDURE Put AS UPSERT INTO note (id, text) VALUES (?, ?);
                        """)
                .files(disk)
                .durability(Durability.standard()
                        .with(method)
                        .with(LogSettings.DEFAULTS
                                .withSizes(2048, 4096, 1 << 14, LARGEST)
                                .withSegmentBytes(SEGMENT)
                                .withCompression(Compression.NONE))
                        .with(SmallDurability.snapshots(1)))
                .open();
    }

    private static ProcedureException refusal(Runnable call) {
        ProcedureException refusal = catchThrowableOfType(ProcedureException.class, call::run);
        assertThat(refusal).isNotNull();
        assertThat(refusal.code()).as(refusal.getMessage()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        return refusal;
    }

    private static String text(Reprise engine, long id) {
        var rows = engine.sql("SELECT text FROM note WHERE id = ?", id).rows();
        return rows.next() ? rows.textAt(0).toString() : "";
    }

    private static DurabilityStats.LogState state(Reprise engine) {
        return engine.durabilityStats().orElseThrow().log();
    }

    @ParameterizedTest
    @EnumSource(LoggingMethod.class)
    void shouldRefuseWhatDoesNotFitBesideWhatIsKeptAndTakeWhatDoes(LoggingMethod method) {
        try (Reprise engine = open(method)) {
            disk.faults().budget(2 * SEGMENT + 20_000);
            for (int i = 0; state(engine).position() < SEGMENT + SEGMENT * 5 / 8; i++) {
                engine.call("Put", 1L, i + SMALL);
            }

            ProcedureException transaction = refusal(() -> engine.call("Put", 2L, LARGE));
            ProcedureException change = refusal(() -> engine.ddl(LARGE_SCRIPT));

            assertThat(transaction.getMessage())
                    .matches("the transaction was rolled back, because what it wrote can't be logged: it takes 3\\d{4}"
                            + " bytes of log, for which there is no room besides what is kept for what has run; can't .*"
                            + "\\. Reads go on, and so do writes that need less; this one can be made when the log has"
                            + " room again; it is tried ten times a second");
            assertThat(change.getMessage())
                    .matches("nothing was changed, because it can't be logged: it takes 3\\d{4} bytes of log, .*");
            assertThat(engine.procedures()).hasSize(1);
            assertThat(state(engine).refusesBecause()).isEmpty();
            assertThat(state(engine).refusesLargeBecause().orElseThrow()).contains("no space left");
            assertThat(text(engine, 2)).isEmpty();

            engine.call("Put", 3L, SMALL);
            for (int i = 0; state(engine).refusesBecause().isEmpty(); i++) {
                try {
                    engine.call("Put", 4L, i + SMALL);
                } catch (ProcedureException expected) {
                    assertThat(expected.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
                }
            }

            assertThat(state(engine).blocked()).isFalse();
            assertThat(state(engine).refusesLargeBecause()).isEmpty();
            assertThat(text(engine, 3)).isEqualTo(SMALL);
            disk.faults().budget(Long.MAX_VALUE);
            clock.advance(RETRY_NS);
            engine.runSites();
            engine.call("Put", 2L, LARGE);
            engine.ddl(LARGE_SCRIPT);
        }
        try (Reprise again = open(method)) {
            assertThat(text(again, 2)).isEqualTo(LARGE);
            assertThat(again.procedures()).hasSize(7);
        }
    }
}
