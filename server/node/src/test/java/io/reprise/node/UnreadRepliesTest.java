package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import io.reprise.client.Client;
import io.reprise.engine.Options;
import io.reprise.engine.SkippingClock;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

/** Clients that don't read what they have asked for get no more of it, and those that do are served, however long it is. */
@Timeout(300)
final class UnreadRepliesTest {
    private static final int MAX_FRAME = 1 << 16;
    private static final int LONGEST = 1 << 20;
    private static final int UNREAD = 1 << 17;

    /** Long, because a prompt reader may get no core for a while. */
    private static final int PATIENCE_MS = 60_000;

    /** Gives a string of this length. */
    public static final class Lengthy extends Procedure {
        /** At most a megabyte. */
        public String run(long length) {
            return "x".repeat((int) length);
        }
    }

    /** Takes a string of any length. */
    public static final class Length extends Procedure {
        /** Its length. */
        public long run(String text) {
            return text.length();
        }
    }

    private final Warnings warnings = new Warnings();
    private final SkippingClock clock = new SkippingClock();

    @AfterEach
    void stopListening() {
        warnings.close();
    }

    /** The log's warnings about clients. */
    private static final class Warnings extends AppenderBase<ILoggingEvent> implements AutoCloseable {
        private final Logger logger = (Logger) LoggerFactory.getLogger("io.reprise.clients");
        private final List<String> messages = new CopyOnWriteArrayList<>();

        Warnings() {
            start();
            logger.addAppender(this);
        }

        @Override
        protected void append(ILoggingEvent event) {
            messages.add(event.getFormattedMessage());
        }

        boolean contain(String what) {
            return messages.stream().anyMatch(message -> message.contains(what));
        }

        @Override
        public void close() {
            logger.detachAppender(this);
        }
    }

    private Server server(long maxUnread, long maxAllUnread) {
        return server(maxUnread, maxAllUnread, PATIENCE_MS);
    }

    private Server server(long maxUnread, long maxAllUnread, int patienceMs) {
        return Server.open(
                Options.create()
                        .procedures(Lengthy.class, Length.class)
                        .memoryPerPartition(64 << 20)
                        .clock(clock),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .withPatienceMs(patienceMs)
                        .withBytes(MAX_FRAME, LONGEST, UNREAD, maxUnread, maxAllUnread));
    }

    /** Asks for so many strings of that length, in one frame. */
    private static void ask(RawConnection connection, int handle, int calls, int length) throws IOException {
        MessageWriter bytes = new MessageWriter(1 << 12);
        int begin = CallWriter.beginFrame(bytes, -1, 0);
        for (int id = 1; id <= calls; id++) {
            CallWriter.call(bytes, id, handle, 0, 0, new ArgumentWriter().add(length));
        }
        bytes.endFrame(begin);
        connection.send(bytes.toBytes());
    }

    @Test
    void shouldServeAPromptReaderHoweverMuchItHasAskedForAtOnce() throws IOException {
        try (Server server = server(8 * UNREAD, 1L << 30);
                RawConnection prompt = RawConnection.greeted(server.address())) {
            int handle = prompt.handle("Lengthy");
            ask(prompt, handle, 1_000, 100_000);

            int replied = 0;
            while (replied < 1_000) {
                RawConnection.Frame frame = prompt.read();
                assertThat(frame.kind()).isEqualTo(Wire.REPLIES);
                assertThat(frame.message().length).as("a frame").isLessThan(600_000);
                for (Reply reply : Replies.parseFrom(frame.message()).getReplyList()) {
                    assertThat(reply.getValue().getText()).hasSize(100_000);
                    replied++;
                }
            }
        }
    }

    @Test
    void shouldServeAPromptReaderOfManyLongResultsOfStatements() {
        try (Server server = server(8 * UNREAD, 1L << 30);
                Client client = PatientClient.connect(server)) {
            server.engine().ddl("CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, s VARCHAR(200000))");
            client.sql("INSERT INTO t VALUES (1, REPEAT('x', 200000))");
            List<CompletableFuture<Long>> results = new ArrayList<>();
            for (int i = 0; i < 60; i++) {
                results.add(client.sqlAsync("SELECT s FROM t").thenApply(reply -> {
                    reply.rows().next();
                    return (long) reply.rows().stringAt(0).length();
                }));
            }

            assertThat(results).allSatisfy(result -> assertThat(result.join()).isEqualTo(200_000));
        }
    }

    /** Its replies have been short, so many calls are run at once; these give more than all sockets take. */
    private static RawConnection surprising(Server server) throws IOException {
        RawConnection connection = RawConnection.greeted(server.address());
        int handle = connection.handle("Lengthy");
        for (int i = 0; i < 3; i++) {
            assertThat(connection.call(handle, 0, 0, 10).getValue().getText()).hasSize(10);
        }
        ask(connection, handle, 30, 1_000_000);
        return connection;
    }

    @Test
    void shouldServeAPromptReaderWhoseRepliesAreLongerThanExpected() throws IOException {
        try (Server server = server(4 << 20, 1L << 30);
                RawConnection prompt = surprising(server)) {
            assertThat(readAll(prompt)).isEqualTo(30);
        }
    }

    /** Has the time go by for which a client may read nothing, until one is ended because of it. */
    private void runOutOfPatience() throws InterruptedException {
        while (!warnings.contain("SLOW_READER")) {
            clock.skipMs(PATIENCE_MS + 1);
            Thread.sleep(10);
        }
    }

    @Test
    void shouldEndAClientThatReadsNothingOfTooMuch() throws Exception {
        try (Server server = server(10 << 20, 1L << 30);
                RawConnection slow = surprising(server)) {
            runOutOfPatience();

            Goodbye goodbye = slow.readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.SLOW_READER);
            assertThat(goodbye.getMessage())
                    .contains("bytes of replies unread, and read nothing for " + PATIENCE_MS + " ms");
            assertServes(server);
        }
    }

    @Test
    void shouldNotWaitForEverForAClientToReadWhyItIsEnded() throws Exception {
        int patienceMs = 2_000;
        long beganNs = System.nanoTime();
        try (Server server = server(10 << 20, 1L << 30, patienceMs);
                RawConnection slow = surprising(server)) {
            while (server.connections() > 0) {
                Thread.sleep(10);
            }

            assertThat(Duration.ofNanos(System.nanoTime() - beganNs))
                    .as("once until it is told, once until it is not waited for")
                    .isGreaterThan(Duration.ofMillis(2L * patienceMs - 500));
            assertServes(server);
        }
    }

    @Test
    void shouldEndWhoHasMostUnreadWhenAllTogetherHaveTooMuch() throws Exception {
        int clients = 12;
        try (Server server = server(1 << 20, 4 << 20)) {
            List<RawConnection> slow = new ArrayList<>();
            for (int i = 0; i < clients; i++) {
                slow.add(RawConnection.greeted(server.address()));
                ask(slow.getLast(), slow.getLast().handle("Lengthy"), 30, 1_000_000);
            }
            while (server.connections() == clients) {
                Thread.sleep(10);
            }

            assertServes(server);
            int ended = 0;
            for (RawConnection connection : slow) {
                ended += readAll(connection) < 30 ? 1 : 0;
                connection.close();
            }
            assertThat(ended).as("ended of %d clients", clients).isBetween(1, clients - 1);
        }
    }

    /** Else they would keep others from what these read, for as long as they like. */
    @Test
    void shouldEndWhoReadsNothingWhileAllTogetherHaveMuchUnread() throws Exception {
        try (Server server = server(64 << 20, 100 << 20);
                RawConnection first = surprising(server);
                RawConnection second = surprising(server);
                RawConnection third = surprising(server)) {
            awaitCommitted(server, 3 * (3 + 30));
            // Later replies are sent after those to earlier calls.
            assertServes(server);
            runOutOfPatience();

            assertServes(server);
            assertThat(readAll(first) + readAll(second) + readAll(third))
                    .as("replies to three clients, which had got all of them")
                    .isEqualTo(90);
        }
    }

    /** Waits until so many calls have run; to ask for it is a transaction, too. */
    private static void awaitCommitted(Server server, int calls) {
        long asked = 0;
        while (server.engine().stats().partitions().getFirst().committed() - asked < calls) {
            asked++;
        }
    }

    private static int readAll(RawConnection connection) {
        int replies = 0;
        try {
            while (replies < 30) {
                replies += connection.readReplies().getReplyCount();
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("after " + replies + " replies nothing came", e);
        } catch (IOException ended) {
            return replies;
        }
        return replies;
    }

    private static void assertServes(Server server) {
        try (Client other = PatientClient.connect(server)) {
            for (int i = 0; i < 10; i++) {
                assertThat(other.call("Lengthy", 100_000).stringValue()).hasSize(100_000);
            }
        }
    }

    @Test
    void shouldSendCallsThatFillAFrameInFramesThatTheServerTakes() {
        try (Server server = server(64 << 20, 1L << 30);
                Client client = PatientClient.connect(server)) {
            List<CompletableFuture<Long>> lengths = new ArrayList<>();
            List<Long> expected = new ArrayList<>();
            for (int i = 0; i < 2_000; i++) {
                int length = i % 7 == 6 ? MAX_FRAME - 100 + i % 20 : 1 + i * 37 % 3_000;
                expected.add((long) length);
                lengths.add(client.callAsync("Length", "y".repeat(length)).thenApply(r -> r.longValue()));
            }

            assertThat(lengths.stream().map(CompletableFuture::join).toList()).isEqualTo(expected);
        }
    }
}
