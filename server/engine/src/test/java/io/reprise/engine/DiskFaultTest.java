package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.Compression;
import io.reprise.log.LogSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/** An engine with threads on a disk that stalls or fails: its callers' view, and the remaining data. */
final class DiskFaultTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put AS INSERT INTO note (id, text) VALUES (?, ?);
            """;
    private static final String TEXT = "0123456789".repeat(25);
    private static final long SEGMENT = 128 << 10;
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private SimulatedFileStore disk = new SimulatedFileStore(1);

    private Reprise open() {
        return open(progress -> {});
    }

    private Reprise open(Consumer<RecoveryProgress> listener) {
        Durability durability = new Durability(
                LoggingMethod.COMMAND,
                true,
                LogSettings.DEFAULTS
                        .withSizes(2048, 8192, 1 << 16, 16 << 10)
                        .withSegmentBytes(SEGMENT)
                        .withCompression(Compression.NONE),
                64,
                SnapshotSettings.usual().onDemand(),
                false,
                true,
                false,
                AdaptiveSettings.DEFAULTS);
        return Options.create()
                .sites(Sites.Settings.usual().withInboundCapacity(64))
                // At once, so that a refusal is seen before the next call.
                .replies(Runnable::run)
                .memoryPerPartition(32 << 20)
                .ddl(DDL)
                .files(disk)
                .durability(durability)
                .recoveryListener(listener)
                .open();
    }

    /** Calls until a call is refused; returns that refusal. Calls that nobody has answered yet stay in the list. */
    private static ProcedureException fillUp(Reprise engine, List<CompletableFuture<Reply>> calls) {
        for (long id = calls.size(); ; id++) {
            CompletableFuture<Reply> call = engine.callAsync("Put", id, TEXT);
            Reply refused = call.isDone() && !call.join().committed() ? call.join() : null;
            if (refused != null) {
                return new ProcedureException(refused.error(), refused.message());
            }
            calls.add(call);
        }
    }

    private static long count(Reprise engine) {
        var rows = engine.sql("SELECT COUNT(*) FROM note").rows();
        rows.next();
        return rows.longAt(0);
    }

    @Test
    void shouldAnswerEveryCallAndEndAndLoseNothingWhenItIsClosedWhileTheDiskIsFull() {
        Reprise engine = open();
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        disk.faults().budget(3 * SEGMENT);

        ProcedureException refusal = fillUp(engine, calls);
        while (refusal.code() == ErrorCode.OVERLOADED) {
            refusal = fillUp(engine, calls);
        }

        assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(refusal).hasMessageContaining("no space left; free some or enlarge the disk");
        long answered = calls.stream().filter(call -> call.join().committed()).count();
        assertThat(count(engine)).isEqualTo(answered);
        engine.close();
        disk = disk.kill();
        disk.faults().none();
        try (Reprise again = open()) {
            assertThat(answered).isPositive();
            assertThat(count(again)).isEqualTo(answered);
        }
    }

    @Test
    void shouldEndAndLoseNothingAnsweredWhenItIsClosedWhileTheDiskIsReadOnly() {
        Reprise engine = open();
        engine.call("Put", 1, TEXT);
        disk.faults().readOnly(true);
        CompletableFuture<Reply> waiting = engine.callAsync("Put", 2, TEXT);
        ProcedureException refusal = refusedOnce(engine);

        engine.close();

        assertThat(refusal.code()).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThatThrownBy(waiting::join)
                .hasRootCauseInstanceOf(ProcedureException.class)
                .hasMessageContaining("the engine ended before the call was answered; whether it ran is unknown");
        disk = disk.kill();
        disk.faults().none();
        try (Reprise again = open()) {
            assertThat(count(again)).isEqualTo(1);
        }
    }

    /** Calls that wait for the log hold back schema changes only if these have to wait too. */
    @Test
    void shouldAnswerStatementsAndRefuseChangesWhileAChangeOfTheSchemaWaitsForTheDisk() throws Exception {
        Reprise engine = open();
        engine.call("Put", 1, TEXT);
        disk.faults().readOnly(true);
        Thread changer = Thread.ofPlatform().daemon().start(() -> {
            try {
                engine.ddl("CREATE TABLE later (id BIGINT NOT NULL PRIMARY KEY)");
            } catch (ProcedureException ended) {
                // It is closed before there is an answer.
            }
        });
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!engine.durabilityStats().orElseThrow().log().blocked() && System.nanoTime() < deadline) {
            Thread.sleep(1);
        }

        CompletableFuture<ErrorCode> statement =
                CompletableFuture.supplyAsync(() -> refusedBy(() -> engine.sql("SELECT id FROM note WHERE id = 1")));
        CompletableFuture<ErrorCode> change = CompletableFuture.supplyAsync(
                () -> refusedBy(() -> engine.ddl("CREATE TABLE another (id BIGINT NOT NULL PRIMARY KEY)")));

        assertThat(statement.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(change.get(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isEqualTo(ErrorCode.STORAGE_UNAVAILABLE);
        assertThat(changer.isAlive()).isTrue();
        disk.faults().readOnly(false);
        changer.join(PATIENCE);
        assertThat(changer.isAlive()).isFalse();
        assertThat(engine.catalog().table("LATER")).isPresent();
        assertThat(engine.catalog().table("ANOTHER")).isEmpty();
        engine.close();
    }

    private static ErrorCode refusedBy(Runnable action) {
        try {
            action.run();
            return null;
        } catch (ProcedureException refusal) {
            return refusal.code();
        }
    }

    /** Calls until the writer has noticed and a call is refused; those before it wait, and are not answered. */
    private static ProcedureException refusedOnce(Reprise engine) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        for (long id = 10; System.nanoTime() < deadline; id++) {
            if (engine.durabilityStats().orElseThrow().log().blocked()) {
                try {
                    engine.call("Put", id, TEXT);
                } catch (ProcedureException refusal) {
                    return refusal;
                }
            }
            Thread.onSpinWait();
        }
        throw new AssertionError("no call was refused");
    }

    @Test
    void shouldLetRepliesWaitAndRefuseMoreAndGoOnWhenAForceStalls() throws InterruptedException {
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        disk = new SimulatedFileStore(new SeededRandomness(1), ns -> {
            stalled.countDown();
            await(release);
        });
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        try (Reprise engine = open()) {
            disk.faults().forceLatency(1, 1);

            ProcedureException refusal = fillUp(engine, calls);
            assertThat(stalled.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (!refusal.getMessage().contains("disk") && System.nanoTime() < deadline) {
                refusal = fillUp(engine, calls);
            }

            assertThat(refusal.code()).isEqualTo(ErrorCode.OVERLOADED);
            assertThat(refusal.getMessage())
                    .matches("64 calls wait for partition 0 already, and the log has been waiting for the disk for"
                            + " \\d+ ms; try again later");
            assertThat(calls).noneMatch(CompletableFuture::isDone);
            release.countDown();
            calls.forEach(call -> assertThat(call.join().committed()).isTrue());
            assertThat(count(engine)).isEqualTo(calls.size());
        }
    }

    /** After a force that failed, or a kill before it, what is recovered may be in the system's memory only. */
    @Test
    void shouldAnswerNobodyBeforeWhatWasRecoveredIsDurable() {
        CountDownLatch stalled = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        disk = new SimulatedFileStore(new SeededRandomness(1), ns -> {
            stalled.countDown();
            await(release);
        });
        try (Reprise engine = open()) {
            engine.call("Put", 1, TEXT);
        }
        CompletableFuture<Long> found = CompletableFuture.supplyAsync(() -> {
            try (Reprise engine = open(progress -> {
                if (progress.phase() == RecoveryProgress.Phase.DONE) {
                    disk.faults().forceLatency(1, 1);
                }
            })) {
                return count(engine);
            }
        });
        await(stalled);

        assertThatThrownBy(() -> found.get(300, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
        disk.faults().forceLatency(0, 0);
        release.countDown();
        assertThat(found.join()).isEqualTo(1);
    }

    /** The last thing before sites run. */
    @Test
    void shouldSayWhyAndGiveTheDirectoryBackWhenWhatWasRecoveredCanNotBeMadeDurable() {
        try (Reprise engine = open()) {
            engine.call("Put", 1, TEXT);
        }

        assertThatThrownBy(() -> open(progress -> {
                    if (progress.phase() == RecoveryProgress.Phase.DONE) {
                        disk.faults().fail(FileCall.FORCE, 1);
                    }
                }))
                .isInstanceOf(ForceFailedException.class)
                .hasMessageContaining("log/0000000000000000.log")
                .hasMessageContaining("simulated I/O error");

        try (Reprise again = open()) {
            assertThat(count(again)).isEqualTo(1);
            again.call("Put", 2, TEXT);
        }
        disk = disk.crash();
        try (Reprise again = open()) {
            assertThat(count(again)).isEqualTo(2);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void shouldSayWhyAndAcknowledgeNothingMoreWhenAForceFails() {
        Reprise engine = open();
        long answered;
        try {
            answered = callUntilNextSegmentIsMade(engine);
            disk.faults().fail(FileCall.FORCE, 1);

            assertThatThrownBy(() -> engine.call("Put", answered, TEXT))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OUTCOME_UNKNOWN))
                    .hasMessageContaining("PUT was answered; whether it ran is unknown")
                    .hasMessageContaining("simulated I/O error; what was written since the last force may be lost");
            assertThatThrownBy(() -> engine.call("Put", answered + 1, TEXT))
                    .hasMessageContaining("the engine is closed; the call was not run")
                    .hasMessageContaining("simulated I/O error");
        } finally {
            engine.close();
        }
        disk = disk.crash();
        try (Reprise again = open()) {
            assertThat(count(again)).isBetween(answered, answered + 1);
        }
    }

    /**
     * Calls until the next segment has its name: the thread that makes it forces its file before, and would meet the
     * failure instead of the writer. Returns the number of calls.
     */
    private long callUntilNextSegmentIsMade(Reprise engine) {
        long id = 0;
        while (disk.list("log").stream().filter(name -> name.endsWith(".log")).count() < 2) {
            engine.call("Put", id++, TEXT);
        }
        return id;
    }

    /** Each engine's log has 38 MB of address space for a batch. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void shouldGiveBackTheMemoryOfALogThatFailed() throws IOException {
        failAndClose();
        long before = addressSpaceKb();

        for (int i = 0; i < 20; i++) {
            failAndClose();
        }

        assertThat(addressSpaceKb() - before).as("KB more after 20 engines").isLessThan(10 * 38 << 10);
    }

    private static void failAndClose() {
        SimulatedFileStore failing = new SimulatedFileStore(1);
        try (Reprise engine = Options.create()
                .memoryPerPartition(32 << 20)
                .ddl(DDL)
                .files(failing)
                .open()) {
            // The thread that makes segments forces, too, and may have the failure instead.
            for (int id = 0; engine.failure().isEmpty(); id++) {
                failing.faults().fail(FileCall.FORCE, 1);
                try {
                    engine.call("Put", id, TEXT);
                } catch (ProcedureException e) {
                    assertThat(e).hasMessageContaining("simulated I/O error");
                }
            }
        }
    }

    private static long addressSpaceKb() throws IOException {
        String size = Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("VmSize:"))
                .findFirst()
                .orElseThrow();
        return Long.parseLong(size.replaceAll("\\D", ""));
    }

    @Test
    void shouldSayWhatFailedWhenTheDirectoryCantBeRead() {
        open().close();
        disk.faults().fail(FileCall.READ, 1);

        assertThatThrownBy(this::open)
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("log/0000000000000000.log")
                .hasMessageContaining("simulated I/O error");

        open().close();
    }

    @Test
    void shouldKeepTheEngineAndOlderSnapshotsWhenASnapshotFails() {
        try (Reprise engine = open()) {
            engine.call("Put", 1, TEXT);
            assertThat(engine.snapshot().succeeded()).isTrue();
            disk.faults().fail(FileCall.CREATE_DIRECTORY, 1);

            var report = engine.snapshot();

            assertThat(report.succeeded()).isFalse();
            assertThat(report.problem()).contains("simulated I/O error");
            engine.call("Put", 2, TEXT);
            assertThat(engine.snapshot().succeeded()).isTrue();
        }
        disk = disk.crash();
        try (Reprise again = open()) {
            assertThat(count(again)).isEqualTo(2);
        }
    }
}
