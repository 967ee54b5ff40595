package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.net.reprise.PortSettings;
import io.reprise.runtime.time.Clock;
import io.reprise.runtime.time.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement whose client has gone is not planned to its end. */
@Timeout(300)
final class LostPlanningTest {
    private static final String LARGE = "SELECT " + "n + n, ".repeat(1000) + "n FROM t";
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final HoldingClock clock = new HoldingClock();

    /** The system's time. A planning asks for it when it begins and then to see its limit. The first one of a long text is held. */
    private static final class HoldingClock implements Clock {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        /** Questions by plannings, but for the one that is held. */
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public long nanoTime() {
            String thread = Thread.currentThread().getName();
            boolean isLong = thread.contains("-long-") && thread.contains("planning-");
            if (isLong && begun.getCount() > 0) {
                begun.countDown();
                await(released);
            } else if (isLong || thread.equals("reprise-planning")) {
                asked.incrementAndGet();
            }
            return SystemClock.INSTANCE.nanoTime();
        }

        @Override
        public long epochMicros() {
            return SystemClock.INSTANCE.epochMicros();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Options options() {
        return Options.create()
                .ddl("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY)")
                .clock(clock);
    }

    @Test
    void shouldEndPlanningWhenTheConnectionIsLost() throws Exception {
        try (Server server =
                Server.open(options(), PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
            Client client = PatientClient.connect(server);
            client.sqlAsync(LARGE).exceptionally(gone -> null);
            clock.begun.await();

            client.close();
            await(() -> server.connections() == 0);
            CountDownLatch next = new CountDownLatch(1);
            server.planning().submit(this, LARGE, next::countDown);
            clock.released.countDown();
            next.await();

            assertThat(server.engine().isPlanned(LARGE)).isFalse();
        }
    }

    @Test
    void shouldPlanShortStatementsOfOtherSessionsMeanwhileAndEndWhenTheSessionIsLost() throws Exception {
        try (PostgresServer server = PostgresServer.open(options());
                Connection lost = server.connect();
                Connection other = server.connect()) {
            CompletableFuture<Void> statement = CompletableFuture.runAsync(() -> {
                try {
                    PostgresDriverTest.update(lost, LARGE);
                } catch (SQLException gone) {
                    throw new CompletionException(gone);
                }
            });
            clock.begun.await();

            PostgresDriverTest.update(other, "INSERT INTO t VALUES (1)");
            lost.abort(Runnable::run);
            await(() -> server.server().connections() == 1);
            int asked = clock.asked.get();
            clock.released.countDown();
            await(() -> !isPlanning("-long-session-planning-"));

            assertThat(clock.asked).hasValue(asked);
            assertThat(statement).failsWithin(Duration.ofMinutes(1));
        }
    }

    private static boolean isPlanning(String threads) {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(each -> each.getKey().getName().contains(threads)
                        && Arrays.stream(each.getValue())
                                .anyMatch(frame -> frame.getClassName().equals(Reprise.class.getName())));
    }

    private static void await(BooleanSupplier wanted) {
        while (!wanted.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }
}
