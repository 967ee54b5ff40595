package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.RemoteProcedure;
import io.reprise.client.Reply;
import io.reprise.client.ReplyHandler;
import io.reprise.engine.HeldSite;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Clients that would call more than a server can run have under way there only calls that it soon begins. */
final class ServerOverloadTest {
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(3);

    /** Takes about a millisecond. */
    public static final class Busy extends Procedure {
        /** Gives a number that nobody knows before. */
        public long run(long number) {
            long result = number;
            for (int i = 0; i < 1_000_000; i++) {
                result = result * 31 + i;
            }
            return result;
        }
    }

    /** Takes no time. */
    public static final class Idle extends Procedure {
        /** Gives back what it is given. */
        public long run(long number) {
            return number;
        }
    }

    /** Is sent much. */
    public static final class Length extends Procedure {
        /** Gives how much. */
        public long run(String ballast) {
            return ballast.length();
        }
    }

    private final HeldSite site = new HeldSite();
    private Server server;

    @BeforeEach
    void open() {
        server = Server.open(
                Options.create()
                        .procedures(Busy.class, Idle.class, Length.class)
                        .siteAgent((number, ports) -> site)
                        .memoryPerPartition(64 << 20)
                        // The machine decides how long a counting procedure takes.
                        .timeLimit(Duration.ofMinutes(1)),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
    }

    @AfterEach
    void close() {
        site.release();
        server.close();
    }

    /** Counts calls that have ended, and keeps what went wrong. */
    private static class Counting implements ReplyHandler {
        final AtomicInteger ended = new AtomicInteger();
        final AtomicReference<Object> problem = new AtomicReference<>();

        @Override
        public void replied(long cookie, ReplyReader reply) {
            if (reply.outcome() != ReplyReader.Outcome.VALUE) {
                problem.set(reply.failure());
            }
            ended.incrementAndGet();
        }

        @Override
        public void failed(long cookie, CallException why) {
            problem.set(why);
            ended.incrementAndGet();
        }
    }

    private void holdSite() throws InterruptedException {
        site.hold(() -> server.engine().callAsync("Idle", 1));
    }

    @Test
    void shouldHaveFewerCallsUnderWayWhenTheyWaitForLongAndRefuseTheOthersAtTheClient() throws InterruptedException {
        ClientSettings settings = PatientClient.of(server.address()).withMaxCalls(8192, false);
        try (Client client = Client.connect(settings)) {
            RemoteProcedure busy = client.procedure("Busy");
            ArgumentWriter arguments = new ArgumentWriter().add(1);
            Counting handler = new Counting();
            int sent = 0;
            holdSite();
            while (client.offer(busy, arguments, handler, 0)) {
                sent++;
            }
            int first = sent;
            site.release();

            long beganNs = System.nanoTime();
            int underWay = Integer.MAX_VALUE;
            while (underWay > 400 && System.nanoTime() - beganNs < PATIENCE_NS) {
                while (client.offer(busy, arguments, handler, 0)) {
                    sent++;
                }
                underWay = sent - handler.ended.get();
                LockSupport.parkNanos(1_000_000);
            }

            assertThat(first).as("before the server had said anything").isGreaterThan(800);
            assertThat(underWay).as("under way of %d", sent).isLessThanOrEqualTo(400);
            while (handler.ended.get() < sent) {
                Thread.onSpinWait();
            }
            assertThat(handler.problem).hasNullValue();
        }
    }

    @Test
    void shouldNotSeemDeadToAClientThatIsNotReadFrom() throws InterruptedException {
        String ballast = "x".repeat(100_000);
        // The server says something each second, unless it gets no core.
        Duration patience = Duration.ofSeconds(5);
        ClientSettings settings = PatientClient.of(server.address()).withSilenceTimeout(patience);
        try (Client client = Client.connect(settings)) {
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            client.call("Length", ballast);
            holdSite();
            // More than a connection is read for while it waits.
            for (int i = 0; i < 40; i++) {
                calls.add(client.callAsync("Length", ballast));
            }
            long untilNs = System.nanoTime() + patience.toNanos() + TimeUnit.SECONDS.toNanos(1);
            while (System.nanoTime() < untilNs) {
                LockSupport.parkNanos(untilNs - System.nanoTime());
            }
            site.release();
            calls.forEach(CompletableFuture::join);

            assertThat(client.metrics().connects()).isEqualTo(1);
        }
    }

    @Test
    void shouldTakeWhatHandlersCallWhenCallersWaitForRoom() throws InterruptedException {
        int calls = 50_000;
        try (Client client = PatientClient.connect(server)) {
            RemoteProcedure idle = client.procedure("Idle");
            CountDownLatch done = new CountDownLatch(1);
            AtomicInteger made = new AtomicInteger();
            Counting chained = new Counting() {
                private final ArgumentWriter arguments = new ArgumentWriter().add(2);

                @Override
                public void replied(long cookie, ReplyReader reply) {
                    super.replied(cookie, reply);
                    try {
                        if (made.incrementAndGet() < calls) {
                            client.call(idle, arguments, this, 0);
                        }
                    } catch (RuntimeException refused) {
                        problem.set(refused);
                    }
                    if (made.get() >= calls || problem.get() != null) {
                        done.countDown();
                    }
                }
            };
            ArgumentWriter arguments = new ArgumentWriter().add(1);
            while (done.getCount() > 0) {
                client.call(idle, arguments, made.get() % 2 == 0 ? chained : new Counting(), 0);
            }

            assertThat(done.await(3, TimeUnit.MINUTES)).isTrue();
            assertThat(chained.problem).hasNullValue();
        }
    }
}
