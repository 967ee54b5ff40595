package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.Compression;
import io.reprise.log.DamagedLogException;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.file.FileStore;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** A failed site leaves its records in the log, and a seal, though the next segment is not ready. */
final class FailedSiteLogTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put AS INSERT INTO note (id, text) VALUES (?, ?);
            """;
    private static final String TEXT = "0123456789".repeat(25);

    /** Their records need more than the reserve of a segment, and less than the ring. */
    private static final int WAITING = 160;

    private static final LogSettings LOG = LogSettings.DEFAULTS
            .withSizes(2048, 8192, 1 << 16, 16 << 10)
            .withSegmentBytes(128 << 10)
            .withCompression(Compression.NONE);

    private final CountDownLatch stalled = new CountDownLatch(1);
    private final AtomicBoolean released = new AtomicBoolean();
    private final AtomicBoolean doomed = new AtomicBoolean();
    private final SimulatedFileStore disk = new SimulatedFileStore(new SeededRandomness(1), ns -> stall());

    /** Only those who make segments; others go on meanwhile. */
    private void stall() {
        if (!Thread.currentThread().getName().endsWith("log-ahead")) {
            return;
        }
        stalled.countDown();
        try {
            while (!released.get()) {
                disk.wait();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void release() {
        synchronized (disk) {
            released.set(true);
            disk.notifyAll();
        }
    }

    private Reprise open(FileStore files) {
        return Options.create()
                .name("failing")
                .sites(Sites.Settings.usual().withInboundCapacity(WAITING))
                .replies(Runnable::run)
                .memoryPerPartition(32 << 20)
                .ddl(DDL)
                .files(files)
                .durability(new Durability(
                        LoggingMethod.COMMAND,
                        true,
                        LOG,
                        WAITING,
                        SnapshotSettings.usual().onDemand(),
                        false,
                        true,
                        false,
                        AdaptiveSettings.DEFAULTS))
                .siteAgent((site, ports) -> new Doomed(doomed))
                .open();
    }

    private record Doomed(AtomicBoolean now) implements Agent {
        @Override
        public String roleName() {
            return "doomed";
        }

        @Override
        public int doWork(long nowNs) {
            if (now.get()) {
                throw new IllegalStateException("doomed");
            }
            return 0;
        }
    }

    /** Calls until those that were taken aren't answered, because the log waits for its next segment. */
    private static int fillSegment(Reprise engine) throws Exception {
        List<CompletableFuture<Reply>> calls = new ArrayList<>();
        while (true) {
            CompletableFuture<Reply> call = engine.callAsync("Put", (long) calls.size(), TEXT);
            if (call.isDone() && !call.join().committed()) {
                try {
                    calls.getLast().get(200, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    // Else it is a thread that has got no core for as long.
                    if (isReserveReached(engine) && waitingReplies(engine) > WAITING * 9 / 10) {
                        return (int)
                                calls.stream().filter(CompletableFuture::isDone).count();
                    }
                }
            } else {
                calls.add(call);
            }
        }
    }

    /** The last quarter of a segment is not written before the next one is made or refused. */
    private static boolean isReserveReached(Reprise engine) {
        return engine.durabilityStats().orElseThrow().log().position() >= LOG.segmentBytes() * 3 / 4 - 2 * 512;
    }

    private static long waitingReplies(Reprise engine) {
        return engine.metrics().partitions().getFirst().waitingReplies();
    }

    private static Thread thread(String role) {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("reprise-failing-" + role))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void shouldWriteAndSealWhatWasLoggedWhenASiteFailsWhileTheNextSegmentIsBeingMade() throws Exception {
        disk.faults().forceLatency(1, 1);
        Reprise engine = open(disk);
        Thread writer = thread("log");
        Thread site = thread("site-0");
        int answered = fillSegment(engine);
        assertThat(stalled.await(1, TimeUnit.MINUTES)).isTrue();

        doomed.set(true);
        site.join();
        writer.join(300);
        release();
        engine.close();

        doomed.set(false);
        SimulatedFileStore after = disk.kill();
        after.faults().none();
        LogTail tail = LogTail.find(after, LOG, 0);
        long last = 0;
        try (LogReader reader = tail.read(0);
                LogFrame frame = new LogFrame()) {
            while (reader.next(frame)) {
                last = frame.position();
            }
        }
        assertThat(last).as("the last frame is in the second segment").isGreaterThan(LOG.segmentBytes());
        long damaged = last - LOG.segmentBytes() + 60;
        after.flipBit("log/0000000000020000.log", damaged, 1);
        assertThatThrownBy(() -> LogTail.find(after, LOG, 0))
                .as("damage of the last frame")
                .isInstanceOf(DamagedLogException.class);
        after.flipBit("log/0000000000020000.log", damaged, 1);
        try (Reprise again = open(after)) {
            var rows = again.sql("SELECT COUNT(*) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isGreaterThan(answered);
        }
    }
}
