package io.reprise.client;

import io.reprise.wire.Wire;
import io.reprise.wire.message.Call;
import io.reprise.wire.message.Calls;
import io.reprise.wire.message.Failure;
import io.reprise.wire.message.Replies;
import io.reprise.wire.message.Reply;
import io.reprise.wire.message.Resolve;
import io.reprise.wire.message.Resolved;
import io.reprise.wire.message.StatementCall;
import io.reprise.wire.message.Topology;
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
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;

/** A server that runs nothing: it answers calls as a test has said, and statements with 1, one connection at a time. */
final class ScriptedServer implements AutoCloseable {
    /** The connection ends before the reply. */
    static final Reply LOST = Reply.getDefaultInstance();

    /** There is no reply, and the connection stays. */
    static final Reply NONE = Reply.newBuilder().setId(1).build();

    private final ServerSocket listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    private final List<Reply> script;
    private final List<Call> calls = new ArrayList<>();
    private final Semaphore replies = new Semaphore(Integer.MAX_VALUE);
    private Failure unknownProcedure;
    private int refusedQuestions;
    private boolean deaf;
    private boolean losing;
    private boolean silent;
    private boolean away;
    private int node = -1;
    private Reply nextStatement = value(1);
    private Topology topology;
    private DataOutputStream current;

    /**
     * A server on a free port.
     *
     * @param script the results of the calls, one after the other; of all that follow, the last
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

    /** A failure of a call that was not run. */
    static Reply refusal(ErrorCode code, boolean retryIsSafe) {
        return Reply.newBuilder()
                .setFailure(wire(code, retryIsSafe).setNotRun(true))
                .build();
    }

    static Reply failure(ErrorCode code, boolean retryIsSafe) {
        return Reply.newBuilder().setFailure(wire(code, retryIsSafe)).build();
    }

    private static Failure.Builder wire(ErrorCode code, boolean retryIsSafe) {
        return Failure.newBuilder()
                .setCode(Failure.Code.valueOf(code.name()))
                .setMessage("as it was told to say")
                .setRetryIsSafe(retryIsSafe);
    }

    /** From now on it is this node of a cluster, whose procedures are routed by their first argument. */
    synchronized void isNode(int number, Topology first) {
        node = number;
        topology = first;
    }

    /** Tells the client another topology. */
    void tell(Topology next) throws IOException {
        DataOutputStream to;
        synchronized (this) {
            topology = next;
            to = current;
        }
        send(to, Wire.TOPOLOGY, next.toByteArray());
    }

    InetSocketAddress address() {
        return (InetSocketAddress) listening.getLocalSocketAddress();
    }

    /** From now on there is no procedure, whatever its name. */
    synchronized void dropProcedures() {
        unknownProcedure = wire(ErrorCode.INVALID_REQUEST, false).build();
    }

    /** The number of times it has said that there is no such procedure. */
    synchronized int refusedQuestions() {
        return refusedQuestions;
    }

    /** From now on all calls are lost, whatever the script says. */
    synchronized void loseCalls() {
        losing = true;
    }

    /** From now on calls have no reply, whatever the script says. */
    synchronized void answerNoCalls() {
        silent = true;
    }

    /** From now on, and until it comes back, it ends each connection at once, and the one that there is with the next call. */
    synchronized void goAway() {
        away = true;
        losing = true;
    }

    synchronized void comeBack() {
        away = false;
        losing = false;
    }

    private synchronized boolean isAway() {
        return away;
    }

    /** From now on nobody is told of procedures. */
    synchronized void answerNoQuestions() {
        deaf = true;
    }

    /** From now on replies wait until they are let go. */
    void holdReplies() {
        replies.drainPermits();
    }

    void letRepliesGo() {
        replies.release(1 << 20);
    }

    /** The calls that have come. */
    synchronized List<Call> calls() {
        return List.copyOf(calls);
    }

    /** Returns when so many calls have come. */
    void awaitCalls(int count) {
        while (calls().size() < count) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** The numbers of the calls that have come. */
    List<Long> sequences() {
        return calls().stream().map(Call::getSequence).toList();
    }

    private void serve() {
        while (!listening.isClosed()) {
            try (Socket client = listening.accept()) {
                if (isAway()) {
                    continue;
                }
                serve(new DataInputStream(client.getInputStream()), new DataOutputStream(client.getOutputStream()));
            } catch (IOException ended) {
                // The client has gone, or this server.
            }
        }
    }

    private void serve(DataInputStream in, DataOutputStream out) throws IOException {
        synchronized (this) {
            current = out;
        }
        while (true) {
            byte[] message = new byte[in.readInt() - 1];
            byte kind = in.readByte();
            in.readFully(message);
            switch (kind) {
                case Wire.HELLO -> send(out, Wire.WELCOME, welcome().toByteArray());
                case Wire.RESOLVE -> {
                    if (!isDeaf()) {
                        send(
                                out,
                                Wire.RESOLVED,
                                resolve(Resolve.parseFrom(message)).toByteArray());
                    }
                }
                case Wire.CALLS -> {
                    for (Call call : Calls.parseFrom(message).getCallList()) {
                        Reply reply = next(call);
                        if (reply == LOST) {
                            return;
                        }
                        if (reply == NONE) {
                            continue;
                        }
                        replies.acquireUninterruptibly();
                        Reply numbered = reply.toBuilder().setId(call.getId()).build();
                        send(
                                out,
                                Wire.REPLIES,
                                Replies.newBuilder().addReply(numbered).build().toByteArray());
                    }
                }
                case Wire.STATEMENT -> {
                    Reply numbered = statementReply().toBuilder()
                            .setId(StatementCall.parseFrom(message).getId())
                            .build();
                    send(
                            out,
                            Wire.REPLIES,
                            Replies.newBuilder().addReply(numbered).build().toByteArray());
                }
                default -> throw new IOException("a frame of kind " + kind);
            }
        }
    }

    /** From now on the next statement is answered so, and later ones with 1. */
    synchronized void answerStatement(Reply reply) {
        nextStatement = reply;
    }

    private synchronized Reply statementReply() {
        Reply reply = nextStatement;
        nextStatement = value(1);
        return reply;
    }

    private synchronized boolean isDeaf() {
        return deaf;
    }

    private synchronized Welcome welcome() {
        Welcome.Builder welcome = Welcome.newBuilder().setVersion(Wire.VERSION).setMaxFrameBytes(1 << 20);
        if (topology == null) {
            return welcome.addPartitionOfBucket(0).build();
        }
        return welcome.addAllPartitionOfBucket(topology.getPartitionOfBucketList())
                .setNode(node + 1)
                .setTopology(topology)
                .build();
    }

    private synchronized Resolved resolve(Resolve question) {
        Resolved.Builder answer = Resolved.newBuilder().setId(question.getId());
        if (unknownProcedure == null) {
            return answer.setHandle(1)
                    .setRoutingParameter(topology == null ? 0 : 1)
                    .build();
        }
        refusedQuestions++;
        return answer.setFailure(unknownProcedure).build();
    }

    private synchronized Reply next(Call call) {
        Reply reply = script.get(Math.min(calls.size(), script.size() - 1));
        calls.add(call);
        return losing ? LOST : silent ? NONE : reply;
    }

    /** A test and the server's thread may send at the same time. */
    private static void send(DataOutputStream out, byte kind, byte[] message) throws IOException {
        synchronized (out) {
            out.writeInt(1 + message.length);
            out.writeByte(kind);
            out.write(message);
            out.flush();
        }
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
