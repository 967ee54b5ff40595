package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import com.google.protobuf.UnknownFieldSet;
import io.netty.util.ResourceLeakDetector;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ErrorCode;
import io.reprise.engine.Options;
import io.reprise.engine.SkippingClock;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.Procedure;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Call;
import io.reprise.wire.message.Calls;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Value;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Clients that don't keep to the protocol, or to good manners: theirs is the harm, and nobody else's. */
final class ServerProtocolTest {
    /** Long, because a test may get no core for a while between its connecting and its Hello. */
    private static final int PATIENCE_MS = 60_000;

    private static final int MAX_FRAME = 1 << 16;
    private static final int UNREAD = 1 << 17;

    /** Gives a string of this length. */
    public static final class Lengthy extends Procedure {
        /** At most some megabytes. */
        public String run(long length) {
            return "x".repeat((int) length);
        }
    }

    /** Takes some milliseconds, whatever it is given. */
    public static final class Busy extends Procedure {
        /** Gives a number that nobody knows before. */
        public long run(String ignored) {
            long number = ignored.length();
            for (int i = 0; i < 5_000_000; i++) {
                number = number * 31 + i;
            }
            return number;
        }
    }

    private final ListAppender<ILoggingEvent> leaks = new ListAppender<>();
    private final SkippingClock clock = new SkippingClock();
    private ResourceLeakDetector.Level level;
    private Server server;

    @BeforeEach
    void open() {
        level = ResourceLeakDetector.getLevel();
        ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
        leaks.start();
        leakLogger().addAppender(leaks);
        server = open(128);
    }

    private Server open(int callsPerConnection) {
        return Server.open(
                Options.create()
                        .procedures(Lengthy.class, Busy.class)
                        .memoryPerPartition(64 << 20)
                        .clock(clock),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                        .withPatienceMs(PATIENCE_MS)
                        .withBytes(MAX_FRAME, 1 << 20, UNREAD, 64 << 20, 256 << 20)
                        .withCalls(8, 256, callsPerConnection, 4096));
    }

    private long committed() {
        return server.engine().stats().partitions().get(0).committed();
    }

    private static Logger leakLogger() {
        return (Logger) LoggerFactory.getLogger(ResourceLeakDetector.class);
    }

    /** Whatever happened, the server serves others, and has given its buffers back. */
    @AfterEach
    void close() {
        try (Client client = PatientClient.connect(server)) {
            assertThat(client.call("Lengthy", 3).stringValue()).isEqualTo("xxx");
        }
        server.close();
        System.gc();
        ResourceLeakDetector.setLevel(level);
        leakLogger().detachAppender(leaks);
        assertThat(leaks.list).as("leaks of buffers").isEmpty();
    }

    @Test
    void shouldEndAConnectionThatDoesNotBeginWithAHello() throws IOException {
        try (RawConnection connection = new RawConnection(server.address())) {
            connection.sendFrame(Wire.CALLS, new byte[0]);

            assertThat(connection.readGoodbye().getReason()).isEqualTo(Goodbye.Reason.MALFORMED);
        }
    }

    /** A frame has room for hundreds of thousands of them, each of which would become an object. */
    @Test
    void shouldRefuseTooManyArgumentsWithoutReadingThem() throws IOException {
        Value ofLaterVersion = Value.newBuilder()
                .setUnknownFields(UnknownFieldSet.newBuilder()
                        .addField(
                                1000,
                                UnknownFieldSet.Field.newBuilder().addVarint(1).build())
                        .build())
                .build();
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            Call.Builder call = Call.newBuilder().setId(7).setProcedure(connection.handle("Lengthy"));
            for (int i = 0; i < 10_000; i++) {
                call.addArgument(Value.newBuilder().setText(""));
            }
            call.addArgument(ofLaterVersion);
            connection.sendFrame(
                    Wire.CALLS, Calls.newBuilder().addCall(call).build().toByteArray());

            Failure failure = connection.readReplies().getReply(0).getFailure();
            assertThat(failure.getCode()).isEqualTo(Failure.Code.INVALID_REQUEST);
            assertThat(failure.getMessage()).contains("takes 1 argument").contains("10001 were given");
            assertThat(failure.getNotRun()).isTrue();
        }
    }

    /** Nobody who may not even log in is to fill the node's log. */
    @Test
    void shouldTellOfFewConnectionsWhenManyAreRefusedBeforeTheyLogIn() throws IOException {
        ListAppender<ILoggingEvent> told = new ListAppender<>();
        told.start();
        Logger clients = (Logger) LoggerFactory.getLogger("io.reprise.clients");
        clients.addAppender(told);
        long beganNs = System.nanoTime();
        try {
            for (int i = 0; i < 200; i++) {
                try (RawConnection connection = new RawConnection(server.address())) {
                    if (i % 2 == 0) {
                        connection.sendFrame(Wire.CALLS, new byte[0]).readGoodbye();
                    } else {
                        connection.send("GET / HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));
                    }
                }
            }
        } finally {
            clients.detachAppender(told);
        }

        int seconds = (int) ((System.nanoTime() - beganNs) / 1_000_000_000);
        assertThat(told.list).as("one a second").hasSizeBetween(1, 2 + seconds);
        assertThat(told.list.getFirst().getFormattedMessage()).contains("MALFORMED: the first frame is not a Hello");
    }

    @Test
    void shouldEndAConnectionThatSpeaksAnotherProtocol() throws IOException {
        try (RawConnection connection = new RawConnection(server.address())) {
            connection.send("SSH-2.0-OpenSSH_9.9\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(connection.readGoodbye().getReason()).isEqualTo(Goodbye.Reason.FRAME_TOO_LARGE);
        }
    }

    @Test
    void shouldAnswerByHttpWhenItIsAskedByHttp() throws IOException {
        for (String method : List.of("GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH", "CONNECT", "TRACE")) {
            try (Socket socket =
                    new Socket(server.address().getAddress(), server.address().getPort())) {
                socket.setSoTimeout(60_000);
                socket.getOutputStream()
                        .write((method + " / HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(StandardCharsets.US_ASCII));

                assertThat(new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII))
                        .as(method)
                        .startsWith("HTTP/1.1 400 Bad Request\r\n")
                        .contains("port for calls");
            }
        }
    }

    @Test
    void shouldEndAConnectionWithoutACommonVersion() throws IOException {
        try (RawConnection connection = new RawConnection(server.address())) {
            connection.sendFrame(
                    Wire.HELLO,
                    Hello.newBuilder()
                            .setLeastVersion(2)
                            .setGreatestVersion(5)
                            .build()
                            .toByteArray());

            Goodbye goodbye = connection.readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.UNSUPPORTED_VERSION);
            assertThat(goodbye.getMessage()).contains("2 to 5").contains("only 1");
        }
    }

    @Test
    void shouldEndAConnectionWhoseFrameIsTooLong() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            connection.send((byte) 0x7F, (byte) 0xFF, (byte) 0xFF, (byte) 0xFF, Wire.CALLS);

            Goodbye goodbye = connection.readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.FRAME_TOO_LARGE);
            assertThat(goodbye.getMessage()).contains("takes " + MAX_FRAME + " at most");
        }
    }

    @Test
    void shouldEndAConnectionWhoseFrameHasNoLength() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            connection.send(new byte[4]);

            assertThat(connection.readGoodbye().getReason()).isEqualTo(Goodbye.Reason.MALFORMED);
        }
    }

    @Test
    void shouldEndAConnectionWhoseCallsMakeNoSense() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            connection.sendFrame(Wire.CALLS, new byte[] {0x0A, 0x50, 0x08});

            Goodbye goodbye = connection.readGoodbye();

            assertThat(goodbye.getReason()).isEqualTo(Goodbye.Reason.MALFORMED);
            assertThat(goodbye.getMessage()).contains("longer than what it is in");
        }
    }

    @Test
    void shouldEndAConnectionThatSendsHalfAFrame() throws IOException {
        try (RawConnection silent = new RawConnection(server.address());
                RawConnection half = RawConnection.greeted(server.address());
                RawConnection idle = RawConnection.greeted(server.address())) {
            // The order of arrival on two connections is not the order of sending when the machine is busy. So the half
            // frame comes
            // in one read with a request; the loop has decoded that read when it answers a request that was sent after
            // the answer.
            byte[] halfAFrame = {0, 0, 1, 0, Wire.CALLS, 1};
            assertThat(half.handle("Lengthy", halfAFrame)).isPositive();
            assertThat(idle.handle("Lengthy")).isPositive();
            clock.skipMs(PATIENCE_MS + 1);

            assertThat(half.readGoodbye().getReason()).isEqualTo(Goodbye.Reason.TIMED_OUT);
            assertThat(silent.readGoodbye().getMessage()).contains("no Hello");
            assertThat(idle.handle("Lengthy")).isPositive();
        }
    }

    @Test
    void shouldRefuseOneConnectionTooMany() throws IOException {
        List<RawConnection> connections = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            connections.add(RawConnection.greeted(server.address()));
        }

        try (RawConnection oneMore = new RawConnection(server.address())) {
            assertThat(oneMore.readGoodbye().getReason()).isEqualTo(Goodbye.Reason.TOO_MANY_CONNECTIONS);
        }
        for (RawConnection connection : connections) {
            connection.close();
        }
        while (server.connections() > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldRefuseACallOfNoProcedure() throws IOException {
        try (RawConnection connection = RawConnection.greeted(server.address())) {
            connection.send(RawConnection.callFrame(7, 4711, 0, new ArgumentWriter()));

            Replies replies = connection.readReplies();

            assertThat(replies.getReply(0).getId()).isEqualTo(7);
            assertThat(replies.getReply(0).getFailure().getCode()).isEqualTo(Failure.Code.INVALID_REQUEST);
        }
    }

    @Test
    void shouldRefuseAResultThatIsTooLongAndSayThatItCommitted() {
        try (Client client = PatientClient.connect(server)) {
            assertThat(client.call("Lengthy", 1_000_000).stringValue()).hasSize(1_000_000);

            assertThatThrownBy(() -> client.call("Lengthy", 1_100_000))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE))
                    .hasMessageContaining("the transaction committed")
                    .hasMessageContaining("clients.largestResult in its configuration): it has 1100")
                    .hasMessageContaining("ask for fewer rows");
        }
    }

    @Test
    void shouldWaitForAServerThatSaysNothingForAsLongAsTheSettingsSay() throws IOException {
        try (ServerSocket mute = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
            ClientSettings settings = ClientSettings.to(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), mute.getLocalPort()))
                    .withConnectTimeout(Duration.ofMillis(300));
            List<String> outcomes = new ArrayList<>();
            boolean asSaid = false;
            // On a busy machine it may take longer now and then, or come to no connection, but not always.
            while (!asSaid && outcomes.size() < 10) {
                long beganNs = System.nanoTime();
                CallException failure = catchThrowableOfType(
                        CallException.class, () -> Client.connect(settings).close());
                Duration took = Duration.ofNanos(System.nanoTime() - beganNs);

                assertThat(failure.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
                assertThat(took).isGreaterThanOrEqualTo(Duration.ofMillis(300));
                asSaid = took.compareTo(Duration.ofSeconds(4)) < 0
                        && failure.getMessage().contains("did not answer within 300 ms");
                outcomes.add(took + ": " + failure.getMessage());
            }
            assertThat(asSaid).as("%s", outcomes).isTrue();
        }
        assertThatThrownBy(() -> ClientSettings.to(server.address()).withConnectTimeout(Duration.ZERO))
                .hasMessageContaining("needs time to connect");
    }

    @Test
    void shouldRunNoMoreCallsForAClientThatDoesNotRead() throws Exception {
        int calls = 2_000;
        int length = 100_000;
        try (RawConnection slow = RawConnection.greeted(server.address())) {
            int handle = slow.handle("Lengthy");
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 1; i <= calls; i++) {
                        slow.send(RawConnection.callFrame(i, handle, 0, new ArgumentWriter().add(length)));
                    }
                } catch (IOException e) {
                    // The reader finds that replies are missing.
                }
            });
            sender.start();
            // Its bytes are few, and fit into sockets.
            sender.join();

            try (Client other = PatientClient.connect(server)) {
                for (int i = 0; i < 100; i++) {
                    assertThat(other.call("Lengthy", 5).stringValue()).hasSize(5);
                }
                assertThat(committed())
                        .as("calls that ran while nobody read their replies")
                        .isLessThan(calls / 2);
            }
            int replied = 0;
            while (replied < calls) {
                for (var reply : slow.readReplies().getReplyList()) {
                    assertThat(reply.getValue().getText()).hasSize(length);
                    replied++;
                }
            }
        }
    }

    /**
     * Calls that come faster than they are run stay in sockets, which take some megabytes, and not in the server's
     * memory.
     */
    @Test
    void shouldNotReadWhatASiteCannotTakeYet() throws Exception {
        int frames = 4_000;
        String filler = "x".repeat(32 << 10);
        AtomicInteger sent = new AtomicInteger();
        Thread sender;
        try (RawConnection fast = RawConnection.greeted(server.address())) {
            int handle = fast.handle("Busy");
            sender = new Thread(() -> {
                try {
                    for (int i = 1; i <= frames; i++) {
                        fast.send(RawConnection.callFrame(i, handle, 0, new ArgumentWriter().add(filler)));
                        sent.set(i);
                    }
                } catch (IOException e) {
                    // The connection is closed before the server has read everything.
                }
            });
            sender.start();
            for (int replied = 0; replied < 60; ) {
                replied += fast.readReplies().getReplyCount();
            }
            // In this order, however long it takes meanwhile: later runs only make it less.
            int sentSoFar = sent.get();
            long run = committed();

            assertThat(sentSoFar - run)
                    .as("of %d frames with %d bytes, sent while %d were run", frames, filler.length(), run)
                    .isLessThan(500);
        }
        sender.join();
    }

    @Test
    void shouldSayThatCallsWaitForTooLongWhenTheyDo() throws IOException {
        int calls = 200;
        try (RawConnection eager = RawConnection.greeted(server.address())) {
            int handle = eager.handle("Busy");
            int quick = eager.handle("Lengthy");
            ByteArrayOutputStream frames = new ByteArrayOutputStream();
            for (int i = 1; i <= calls; i++) {
                frames.write(RawConnection.callFrame(i, handle, 0, new ArgumentWriter().add("x")));
            }
            int before = loadOfACallThatIsBegunAtOnce(eager, quick);

            eager.send(frames.toByteArray());
            Replies last = null;
            for (int replied = 0; replied < calls; replied += last.getReplyCount()) {
                last = eager.readReplies();
            }

            assertThat(before).isZero();
            assertThat(last.getLoad()).isGreaterThan(100);
            assertThat(loadOfACallThatIsBegunAtOnce(eager, quick)).isZero();
        }
    }

    /**
     * The load told with a call that is made alone and surely begun at once: it is answered before it could have
     * waited for long.
     */
    private static int loadOfACallThatIsBegunAtOnce(RawConnection connection, int handle) throws IOException {
        for (int i = 0; i < 1_000; i++) {
            long beganNs = System.nanoTime();
            connection.send(RawConnection.callFrame(1, handle, 0, new ArgumentWriter().add(1)));
            int load = connection.readReplies().getLoad();
            if (System.nanoTime() - beganNs < 25_000_000) {
                return load;
            }
        }
        throw new AssertionError("a thousand calls were answered late, each of them");
    }

    @Test
    void shouldAnswerAFloodWithTypedRefusals() throws IOException {
        int calls = 100_000;
        server.close();
        server = open(16);
        long before = committed();
        try (RawConnection flood = RawConnection.greeted(server.address())) {
            int handle = flood.handle("Lengthy");
            Thread sender = new Thread(() -> {
                try {
                    for (int i = 1; i <= calls; i++) {
                        flood.send(RawConnection.callFrame(i, handle, 0, new ArgumentWriter().add(1)));
                    }
                } catch (IOException e) {
                    // The reader finds that replies are missing.
                }
            });
            sender.start();
            int committed = 0;
            int refused = 0;
            while (committed + refused < calls) {
                for (var reply : flood.readReplies().getReplyList()) {
                    if (reply.hasValue()) {
                        committed++;
                    } else {
                        assertThat(reply.getFailure().getCode()).isEqualTo(Failure.Code.OVERLOADED);
                        assertThat(reply.getFailure().getRetryIsSafe()).isTrue();
                        refused++;
                    }
                }
            }

            assertThat(committed).isPositive();
            assertThat(refused).isPositive();
            // To ask for it is a transaction, too.
            assertThat(committed() - before).as("nothing that was refused ran").isEqualTo(committed + 1);
        }
    }

    @Test
    void shouldSurviveAnyBytes() throws IOException {
        long seed = Long.getLong("reprise.seed", System.nanoTime());
        Random random = new Random(seed);
        byte[] model = RawConnection.callFrame(
                1, 1, 0, new ArgumentWriter().add(10).add("text").add(new int[] {1, 2}));
        for (int i = 0; i < 60; i++) {
            try (RawConnection connection = RawConnection.greeted(server.address())) {
                byte[] bytes = model.clone();
                for (int changes = 1 + random.nextInt(3); changes > 0; changes--) {
                    bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
                }
                connection.send(bytes);
                connection.send(Arrays.copyOf(model, random.nextInt(model.length)));
            } catch (IOException e) {
                // The server may have ended the connection before all was sent.
            }
        }

        try (Client client = PatientClient.connect(server)) {
            assertThat(client.call("Lengthy", 1).stringValue())
                    .as("seed %d", seed)
                    .isEqualTo("x");
        }
    }
}
