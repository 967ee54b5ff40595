package io.reprise.client;

import io.reprise.wire.Wire;
import io.reprise.wire.message.Call;
import io.reprise.wire.message.Calls;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.Value;
import io.reprise.wire.message.Welcome;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/** A server that runs nothing: it answers calls as a test has said, one connection at a time. */
final class ScriptedServer implements AutoCloseable {
    /** The connection ends before the reply. */
    static final Reply LOST = Reply.getDefaultInstance();

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Reply> script;
    private final List<Long> sequences = new ArrayList<>();
    private Failure unknownProcedure;

    /**
     * One that listens on a port that is free.
     *
     * @param script what becomes of the calls, one after the other; of all that follow, the last
     */
    ScriptedServer(Reply... script) throws IOException {
        this.script = List.of(script);
        Thread thread = new Thread(this::serve, "scripted-server");
        thread.setDaemon(true);
        thread.start();
    }

    static Reply value(long value) {
        return Reply.newBuilder().setValue(Value.newBuilder().setInteger(value)).build();
    }

    static Reply failure(FailureCode code, boolean retryIsSafe) {
        return Reply.newBuilder().setFailure(wire(code, retryIsSafe)).build();
    }

    private static Failure.Builder wire(FailureCode code, boolean retryIsSafe) {
        return Failure.newBuilder()
                .setCode(Failure.Code.valueOf(code.name()))
                .setMessage("as it was told to say")
                .setRetryIsSafe(retryIsSafe);
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** From now on there is no procedure, whatever its name. */
    synchronized void dropProcedures() {
        unknownProcedure = wire(FailureCode.INVALID_REQUEST, false).build();
    }

    /** The numbers of the calls that have come. */
    synchronized List<Long> sequences() {
        return List.copyOf(sequences);
    }

    private void serve() {
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                serve(new DataInputStream(client.getInputStream()), new DataOutputStream(client.getOutputStream()));
            } catch (IOException ended) {
                // The client has gone, or this server.
            }
        }
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        while (true) {
            byte[] message = new byte[in.readInt() - 1];
            byte kind = in.readByte();
            in.readFully(message);
            switch (kind) {
                case Wire.HELLO -> send(out, Wire.WELCOME, welcome().toByteArray());
                case Wire.RESOLVE ->
                    send(out, Wire.RESOLVED, resolve(Resolve.parseFrom(message)).toByteArray());
                case Wire.CALLS -> {
                    for (Call call : Calls.parseFrom(message).getCallList()) {
                        Reply reply = next(call);
                        if (reply == LOST) {
                            return;
                        }
                        Reply numbered = reply.toBuilder().setId(call.getId()).build();
                        send(
                                out,
                                Wire.REPLIES,
                                Replies.newBuilder().addReply(numbered).build().toByteArray());
                    }
                }
                default -> throw new IOException("a frame of kind " + kind);
            }
        }
    }

    private static Welcome welcome() {
        return Welcome.newBuilder()
                .setVersion(Wire.VERSION)
                .setMaxFrameBytes(1 << 20)
                .addPartitionOfBucket(0)
                .build();
    }

    private synchronized Resolved resolve(Resolve question) {
        Resolved.Builder answer = Resolved.newBuilder().setId(question.getId());
        return unknownProcedure == null
                ? answer.setHandle(1).build()
                : answer.setFailure(unknownProcedure).build();
    }

    private synchronized Reply next(Call call) {
        Reply reply = script.get(Math.min(sequences.size(), script.size() - 1));
        sequences.add(call.getSequence());
        return reply;
    }

    private static void send(DataOutputStream out, byte kind, byte[] message) throws IOException {
        out.writeInt(1 + message.length);
        out.writeByte(kind);
        out.write(message);
        out.flush();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
