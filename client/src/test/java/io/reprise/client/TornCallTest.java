package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.MessageLite;
import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.channel.embedded.EmbeddedChannel;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.TornArguments;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Call;
import io.reprise.wire.message.Calls;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.StatementCall;
import io.reprise.wire.message.Welcome;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A call that can't be written for want of memory harms no other. */
@Timeout(30)
final class TornCallTest {
    private final List<CallException> failures = new ArrayList<>();
    private final RemoteProcedure deposit = new RemoteProcedure(null, "Deposit", 0);

    private final ReplyHandler handler = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {
            throw new AssertionError("there was no call");
        }

        @Override
        public void failed(long cookie, CallException why) {
            failures.add(why);
        }
    };

    @Test
    void shouldSendNothingOfACallThatCouldNotBeEncoded() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = Client.connect(ClientSettings.to(server.address())
                        .withMaxCalls(1, true)
                        .withCallTimeout(Duration.ofSeconds(5)))) {
            client.call("Deposit", 1);
            RemoteProcedure deposit = client.procedure("Deposit");

            assertThatThrownBy(() -> client.call(deposit, TornArguments.make(), handler, 0))
                    .isInstanceOf(IndexOutOfBoundsException.class);

            assertThat(client.call("Deposit", 2).longValue())
                    .as("a call in the same place")
                    .isEqualTo(17);
            assertThat(server.calls()).hasSize(2);
            assertThat(client.metrics().connects()).isEqualTo(1);
            assertThat(client.metrics().calls()).isEqualTo(2);
        }
        assertThat(failures).as("what was thrown is not told again").isEmpty();
    }

    @Test
    void shouldKeepWhatStandsBeforeACallThatCouldNotBeEncoded() throws Exception {
        CallBatches batches = new CallBatches(1, 1 << 20, new Sequences());
        ArgumentWriter whole = new ArgumentWriter().add(5);
        batches.statement(1, "SELECT 1", whole, 0);

        assertThatThrownBy(() -> batches.statement(2, "SELECT 2", TornArguments.make(), 0))
                .isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> batches.call(0, 3, 1, 0, 0, TornArguments.make()))
                .isInstanceOf(IndexOutOfBoundsException.class);
        batches.call(0, 4, 1, 0, 0, whole);
        assertThatThrownBy(() -> batches.call(0, 5, 1, 0, 0, TornArguments.make()))
                .isInstanceOf(IndexOutOfBoundsException.class);
        batches.call(0, 6, 1, 0, 0, whole);
        batches.take();
        EmbeddedChannel channel = new EmbeddedChannel();
        batches.sendTaken(new FrameSender(channel, new Counters()));

        ByteBuf sent = channel.readOutbound();
        assertThat(StatementCall.parseFrom(frame(sent, Wire.STATEMENT)).getId()).isEqualTo(1);
        assertThat(Calls.parseFrom(frame(sent, Wire.CALLS)).getCallList())
                .extracting(Call::getId)
                .containsExactly(4L, 6L);
        assertThat(sent.isReadable()).isFalse();
        sent.release();
    }

    private static byte[] frame(ByteBuf from, byte kind) {
        byte[] message = new byte[from.readInt() - 1];
        assertThat(from.readByte()).isEqualTo(kind);
        from.readBytes(message);
        return message;
    }

    @Test
    void shouldEndTheConnectionWhenThereIsNoMemoryToSendWhatWasEncoded() {
        List<String> closed = new ArrayList<>();
        Connection.Listener listener = new Connection.Listener() {
            @Override
            public void told(io.reprise.wire.message.Topology topology) {}

            @Override
            public void replied(int calls) {}

            @Override
            public void opened(Connection connection) {}

            @Override
            public void closed(Connection connection, String why) {
                closed.add(why);
            }
        };
        Connection connection = connection(listener);
        EmbeddedChannel channel = open(connection);
        channel.config().setAllocator(new AbstractByteBufAllocator(true) {
            @Override
            protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
                throw new IllegalStateException("as it was told to say");
            }

            @Override
            protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
                throw new IllegalStateException("as it was told to say");
            }

            @Override
            public boolean isDirectBufferPooled() {
                return false;
            }
        });

        connection.call(deposit, new ArgumentWriter(), 0, 0, handler, 0);
        channel.runPendingTasks();

        assertThat(channel.isOpen()).isFalse();
        assertThat(closed).singleElement().asString().contains("as it was told to say");
        assertThat(failures).singleElement().isInstanceOf(UnknownOutcomeException.class);
        channel.releaseOutbound();
    }

    /** It may have run when it was made first. */
    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenARepetitionCanNotBeEncoded() {
        Connection connection = connection(new Connection.Listener() {
            @Override
            public void told(io.reprise.wire.message.Topology topology) {}

            @Override
            public void replied(int calls) {}

            @Override
            public void opened(Connection opened) {}

            @Override
            public void closed(Connection closed, String why) {}
        });
        EmbeddedChannel channel = open(connection);
        PendingCall call = new PendingCall(new Sequences(), PendingCallTest.node(), deposit, TornArguments.make(), 0);
        call.sending();
        call.failed(0, new UnknownOutcomeException("the connection ended"));

        call.send(connection);

        assertThatThrownBy(call.future()::join)
                .cause()
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("IndexOutOfBounds");
        channel.releaseOutbound();
    }

    private static Connection connection(Connection.Listener listener) {
        return new Connection(
                ClientSettings.to(new InetSocketAddress("localhost", 1)), 1, new Sequences(), new Counters(), listener);
    }

    /** It knows the procedure. */
    private EmbeddedChannel open(Connection connection) {
        EmbeddedChannel channel = new EmbeddedChannel(connection.handler());
        receive(
                channel,
                Wire.WELCOME,
                Welcome.newBuilder()
                        .setMaxFrameBytes(1 << 20)
                        .addPartitionOfBucket(0)
                        .build());
        connection.resolve(deposit);
        receive(
                channel,
                Wire.RESOLVED,
                Resolved.newBuilder().setId(1).setHandle(1).build());
        return channel;
    }

    private static void receive(EmbeddedChannel channel, byte kind, MessageLite message) {
        ByteBuf frame = channel.alloc().buffer();
        frame.writeInt(1 + message.getSerializedSize()).writeByte(kind).writeBytes(message.toByteArray());
        channel.writeInbound(frame);
    }
}
