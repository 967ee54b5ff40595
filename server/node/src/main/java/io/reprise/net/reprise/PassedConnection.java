package io.reprise.net.reprise;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import io.reprise.net.peer.PeerPort;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.CallWriter;
import io.reprise.wire.MalformedMessageException;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Goodbye;
import io.reprise.wire.message.Hello;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A connection to another node on behalf of one client, for requests whose partition that node leads. It has the client's
 * id, so that calls keep their numbers, and passes replies back as they come. Bounded by requests and by bytes.
 *
 * <pre>
 *  CONNECTING --greeted by the peer--> GREETING --Welcome--> OPEN --ended--> CLOSED
 *      |                                  |
 *      +---------------- failed ----------+--> CLOSED: requests that were not sent are rejected
 * </pre>
 *
 * <p>When the connection breaks, the outcome of requests without a reply is unknown here. The leader, or its successor, knows
 * those with a sequence number, so their failure says that a retry is safe.
 *
 * <p>Owned by the client's network loop, which is its own loop too.
 */
final class PassedConnection extends ByteToMessageDecoder implements PeerPort.CallsConnection {
    private static final long SIGN_OF_LIFE_MS = 300;
    private static final int MOST_BYTES = 8 << 20;
    private static final int MOST_WRITTEN = 1 << 16;

    private final Owner owner;
    private final int node;
    private final ArrayDeque<PassedCall> waiting = new ArrayDeque<>();
    private final Map<Long, PassedCall> underWay = new HashMap<>();
    private final Map<String, Integer> handles = new HashMap<>();
    private final Map<String, List<PassedCall>> asking = new HashMap<>();
    private final Map<Long, String> questions = new HashMap<>();
    private final MessageWriter out = new MessageWriter(1 << 10);
    private final ReplyReader replies = new ReplyReader();
    private Channel channel;
    private boolean open;
    private boolean closed;
    private boolean flushDue;
    private boolean heard;
    private long lastQuestion;
    private long bytes;
    private int count;

    /** The client's connection. */
    interface Owner {
        /** The client's random id. */
        long clientId();

        /** The time. */
        long nowNs();

        /** The most requests under way. */
        int mostCalls();

        /** Sends a frame to the client. */
        void passBack(byte kind, byte[] message);

        /** Answers a request that was not run, or whose outcome is unknown. */
        void fail(PassedCall call, int code, String message, boolean retryIsSafe, boolean notRun);

        /** The connection has ended and takes no more requests. */
        void ended(PassedConnection connection);
    }

    PassedConnection(Owner owner, int node) {
        this.owner = owner;
        this.node = node;
    }

    int node() {
        return node;
    }

    /** Takes a request. Whatever happens, the client gets a reply or its connection ends. */
    void pass(PassedCall call) {
        if (count >= owner.mostCalls() || bytes + call.bytes().length > MOST_BYTES) {
            notRun(call, ErrorCode.OVERLOADED, "too many requests wait for node " + node + " already; try again later");
            return;
        }
        count++;
        bytes += call.bytes().length;
        if (open) {
            send(call);
        } else {
            waiting.add(call);
        }
    }

    /** A request has its reply. */
    private void answered(PassedCall call) {
        count--;
        bytes -= call.bytes().length;
    }

    private void send(PassedCall call) {
        if (call.procedure() == null) {
            int frame = out.beginFrame(Wire.STATEMENT);
            out.raw(call.bytes());
            out.endFrame(frame);
            underWay.put(call.id(), call);
            flushSoon();
            return;
        }
        Integer handle = handles.get(call.procedure());
        if (handle == null) {
            ask(call);
            return;
        }
        long leftMs = call.leftMs(owner.nowNs());
        if (leftMs < 0) {
            answered(call);
            owner.fail(
                    call,
                    Failure.Code.DEADLINE_PASSED_VALUE,
                    "the call waited for node " + node + " longer than its timeout and was not run",
                    true,
                    true);
            return;
        }
        int frame = CallWriter.beginFrame(out, call.partition(), call.acknowledged());
        CallWriter.again(out, call.bytes(), handle, (int) Math.min(Integer.MAX_VALUE, leftMs));
        out.endFrame(frame);
        underWay.put(call.id(), call);
        flushSoon();
    }

    private void ask(PassedCall call) {
        List<PassedCall> before = asking.get(call.procedure());
        if (before != null) {
            before.add(call);
            return;
        }
        List<PassedCall> calls = new ArrayList<>();
        calls.add(call);
        asking.put(call.procedure(), calls);
        questions.put(++lastQuestion, call.procedure());
        message(
                Wire.RESOLVE,
                Resolve.newBuilder()
                        .setId(lastQuestion)
                        .setProcedure(call.procedure())
                        .build()
                        .toByteArray());
    }

    private void message(byte kind, byte[] content) {
        int frame = out.beginFrame(kind);
        out.raw(content);
        out.endFrame(frame);
        flushSoon();
    }

    /** Requests that come together leave together. */
    private void flushSoon() {
        if (out.length() >= MOST_WRITTEN) {
            flush();
        } else if (!flushDue) {
            flushDue = true;
            channel.eventLoop().execute(this::flush);
        }
    }

    private void flush() {
        flushDue = false;
        if (out.length() > 0 && !closed) {
            ByteBuf buffer = channel.alloc().buffer(out.length());
            buffer.writeBytes(out.array(), 0, out.length());
            channel.writeAndFlush(buffer);
        }
        out.clear();
    }

    @Override
    public void connected(Channel now) {
        if (closed) {
            now.close();
            return;
        }
        channel = now;
        channel.pipeline().addLast(this);
        message(
                Wire.HELLO,
                Hello.newBuilder()
                        .setLeastVersion(Wire.VERSION)
                        .setGreatestVersion(Wire.VERSION)
                        .setSoftware("a node of the cluster")
                        .setClientId(owner.clientId())
                        .build()
                        .toByteArray());
    }

    @Override
    public void failed(String why) {
        end(why);
    }

    @Override
    protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> to) {
        int readable = in.readableBytes();
        if (readable < Wire.LENGTH_BYTES) {
            return;
        }
        int length = in.getInt(in.readerIndex());
        if (length < 1) {
            in.skipBytes(readable);
            end("it sent a frame of the length " + length);
            return;
        }
        if (readable - Wire.LENGTH_BYTES < length) {
            return;
        }
        in.skipBytes(Wire.LENGTH_BYTES);
        byte kind = in.readByte();
        byte[] message = new byte[length - 1];
        in.readBytes(message);
        heard = true;
        try {
            frame(kind, message);
        } catch (InvalidProtocolBufferException | MalformedMessageException malformed) {
            end("it sent a malformed frame: " + malformed.getMessage());
        }
    }

    private void frame(byte kind, byte[] message) throws InvalidProtocolBufferException {
        switch (kind) {
            case Wire.REPLIES -> replied(message);
            case Wire.RESOLVED -> resolved(Resolved.parseFrom(message));
            case Wire.WELCOME -> {
                open = true;
                for (PassedCall call = waiting.poll(); call != null; call = waiting.poll()) {
                    send(call);
                }
            }
            case Wire.GOODBYE -> end(Goodbye.parseFrom(message).getMessage());
            default -> {}
        }
    }

    /** The client gave the ids, so the frame goes back as it is. */
    private void replied(byte[] message) {
        replies.over(message, 0, message.length);
        while (replies.next()) {
            PassedCall call = underWay.remove(replies.id());
            if (call == null) {
                throw new MalformedMessageException("a reply is to no call that is under way");
            }
            answered(call);
        }
        owner.passBack(Wire.REPLIES, message);
    }

    private void resolved(Resolved answer) {
        String procedure = questions.remove(answer.getId());
        List<PassedCall> calls = procedure == null ? null : asking.remove(procedure);
        if (calls == null) {
            return;
        }
        if (answer.getHandle() != 0) {
            handles.put(procedure, answer.getHandle());
            calls.forEach(this::send);
            return;
        }
        Failure failure = answer.getFailure();
        for (PassedCall call : calls) {
            answered(call);
            owner.fail(call, failure.getCodeValue(), failure.getMessage(), failure.getRetryIsSafe(), true);
        }
    }

    /** The cluster has replaced the node. It may have stopped, so it has to show a sign of life soon. */
    void suspect() {
        if (closed) {
            return;
        }
        if (!open) {
            end("the cluster has replaced it");
            return;
        }
        heard = false;
        message(Wire.RESOLVE, Resolve.getDefaultInstance().toByteArray());
        channel.eventLoop()
                .schedule(
                        () -> {
                            if (!heard) {
                                end("the cluster has replaced it, and it does not answer");
                            }
                        },
                        SIGN_OF_LIFE_MS,
                        TimeUnit.MILLISECONDS);
    }

    /** Ends the connection; requests under way get a reply. */
    void end(String why) {
        if (closed) {
            return;
        }
        closed = true;
        if (channel != null) {
            channel.close();
        }
        owner.ended(this);
        String unreached = "node " + node + " leads the partition and can't be reached: " + why;
        waiting.forEach(call -> notRun(call, ErrorCode.PARTITION_UNAVAILABLE, unreached));
        asking.values()
                .forEach(calls -> calls.forEach(call -> notRun(call, ErrorCode.PARTITION_UNAVAILABLE, unreached)));
        String unknown = "the connection to node " + node + ", which led the partition, ended: " + why
                + "; whether the call was run is not known";
        underWay.values()
                .forEach(call ->
                        owner.fail(call, Failure.Code.OUTCOME_UNKNOWN_VALUE, unknown, mayBeRepeated(call), false));
        waiting.clear();
        asking.clear();
        underWay.clear();
    }

    /** A partition remembers the outcomes of calls with numbers. */
    private boolean mayBeRepeated(PassedCall call) {
        return call.sequence() != 0 && owner.clientId() != 0;
    }

    private void notRun(PassedCall call, ErrorCode code, String message) {
        owner.fail(call, FailureCodes.of(code), message + "; the call was not run", true, true);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        super.channelInactive(context);
        end("the connection was closed");
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        end(String.valueOf(cause.getMessage()));
    }
}
