package io.reprise.client;

import io.netty.channel.EventLoop;
import io.netty.channel.SingleThreadIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.Future;
import io.reprise.waiting.SpinningSelect;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.Wire;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Clock;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Calls procedures and runs statements at a Reprise server.
 *
 * <pre>{@code
 * try (Client client = Client.connect(ClientSettings.to(new InetSocketAddress("localhost", 21212)))) {
 *     long balance = client.call("Deposit", 17, 100).longValue();
 *     client.callAsync("Deposit", 18, 50).thenAccept(reply -> ...);
 *     Rows rows = client.sql("SELECT * FROM accounts WHERE id = ?", 17).rows();
 * }
 * }</pre>
 *
 * <p>Failures are {@link CallException}s; its subclasses are the frequent kinds. Connections that break are made again,
 * with pauses that grow. Thread-safe.
 *
 * <p>A procedure that is called by its name, and returns before its timeout, has run exactly once: if the connection breaks
 * or the server is started again, the call is made again under the same number, and a server that has committed it only
 * answers. Statements, and calls with a {@link ReplyHandler}, are made once; without a reply their outcome is unknown.
 *
 * <p>The nodes of a cluster tell their topology. The client then connects to all of them, sends each call to the leader of its
 * partition, and repeats a call at the next leader when a leader fails.
 */
public final class Client implements AutoCloseable {
    private static final long EXPIRY_MS = 20;
    private static final long CLOSE_TIMEOUT_MS = 2_000;

    private final ClientSettings settings;
    private final EventLoop loop;
    private final Nodes nodes;
    private final Map<String, RemoteProcedure> procedures = new ConcurrentHashMap<>();
    private final long clientId = new SecureRandom().nextLong() | 1;
    private final Sequences sequences = new Sequences();
    private final Counters counters = new Counters();
    private final SpinningCaller spinner = new SpinningCaller();
    private final AtomicInteger procedureCount = new AtomicInteger();
    private final AtomicBoolean closing = new AtomicBoolean();
    private final long timeoutNs;

    /** One for all refusals: it has no stack trace, and making one for each would cost most where there are most. */
    private final OverloadedException overloaded;

    private Client(ClientSettings settings, Names names) {
        this.settings = settings;
        timeoutNs = settings.callTimeout().toNanos();
        overloaded = OverloadedException.noRoom(settings);
        DefaultThreadFactory threads = new DefaultThreadFactory("reprise-client", true);
        // Not in a group, which is told of its end by a thread of the library's own: programs would wait a second for
        // that.
        loop = new SingleThreadIoEventLoop(
                null,
                threads,
                Epoll.isAvailable() ? EpollIoHandler.newFactory(0, SpinningSelect::new) : NioIoHandler.newFactory());
        nodes = new Nodes(settings, clientId, sequences, counters, loop, names, procedures.values(), Clock.systemUTC());
        nodes.start();
        loop.scheduleWithFixedDelay(nodes::check, EXPIRY_MS, EXPIRY_MS, TimeUnit.MILLISECONDS);
    }

    /**
     * Connects to the first of the nodes that answers; the others follow.
     *
     * @throws CallException NOT_CONNECTED, if none answers within the connect timeout, or if none has the TLS that the settings
     *     ask for; NOT_AUTHENTICATED, if all reject the user
     */
    public static Client connect(ClientSettings settings) {
        return connect(settings, new Names(InetAddress::getAllByName));
    }

    static Client connect(ClientSettings settings, Names names) {
        Client client = new Client(settings, names);
        try {
            client.nodes.connected().get(settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
            return client;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            client.close();
            throw new CallException(
                    ErrorCode.NOT_CONNECTED, "the thread was interrupted while it waited for a connection", true);
        } catch (java.util.concurrent.ExecutionException | java.util.concurrent.TimeoutException e) {
            // The problem of each node is told below.
        }
        CallException failure = client.nodes.notConnected();
        client.close();
        throw failure;
    }

    /** A procedure to be called. Says nothing about whether there is one of this name; a call does. */
    public RemoteProcedure procedure(String name) {
        return procedures.computeIfAbsent(
                name.toUpperCase(Locale.ROOT),
                key -> new RemoteProcedure(this, name, procedureCount.getAndIncrement()));
    }

    /**
     * Calls a procedure and waits for the end of its transaction.
     *
     * @throws IllegalStateException on the client's network thread, which is the one that reads the reply
     */
    public Reply call(String procedure, Object... arguments) {
        refuseToWait("a call of " + procedure, "use callAsync, or make it on another thread");
        return waitFor(send(procedure(procedure), arguments));
    }

    /**
     * Runs a statement as a transaction of its own and waits for its end.
     *
     * @throws IllegalStateException on the client's network thread, which is the one that reads the reply
     */
    public Reply sql(String text, Object... arguments) {
        refuseToWait("a statement", "use sqlAsync, or run it on another thread");
        return waitFor(sendStatement(text, arguments));
    }

    /** Calls a procedure; the future gives what it returned, or a {@link CallException}. */
    public CompletableFuture<Reply> callAsync(String procedure, Object... arguments) {
        return handedOver(send(procedure(procedure), arguments));
    }

    /** Calls a procedure for many rows, with many calls under way, telling of those that are rejected. */
    public BulkCalls bulk(String procedure, BulkCalls.Rejected rejected) {
        return new BulkCalls(this, procedure, rejected);
    }

    /** The client's counters. */
    public ClientMetrics metrics() {
        return counters.read();
    }

    /** The nodes that the client knows: those of its settings first, then those that the cluster has told. */
    public List<NodeMetrics> nodes() {
        return nodes.all().stream().map(NodeConnector::metrics).toList();
    }

    /** Runs a statement; the future gives its rows or its count, or a {@link CallException}. */
    public CompletableFuture<Reply> sqlAsync(String text, Object... arguments) {
        return handedOver(sendStatement(text, arguments));
    }

    /**
     * Runs a statement that writes once for each of many rows of arguments, as one request. The server makes one transaction of the rows of
     * each partition. A row that it refuses does not keep the others from being committed.
     *
     * @param rows the arguments of each row, equally many
     * @return the rows that are not committed, in order, each with the reason; a {@link CallException} if nothing was run, or the outcome of
     *     all is unknown
     */
    public CompletableFuture<List<RejectedRow>> sqlForRowsAsync(String text, List<Object[]> rows) {
        if (rows.isEmpty()) {
            return CompletableFuture.completedFuture(List.of());
        }
        Nodes.Turn turn = nodes.turn();
        ArgumentWriter arguments = ObjectArguments.writeRows(rows);
        return handedOver(send(turn, PendingStatement.of(turn.node(), text, arguments, rows.size(), timeoutNs)))
                .thenApply(reply -> RejectedRow.read(reply.rows()));
    }

    /**
     * Changes the schema by a script of DDL statements, all of it or nothing, and waits for the end. Needs the role administer. The call
     * timeout bounds only the wait for a connection, because an index of a large table takes its time.
     *
     * @throws CallException if the schema has not changed; OUTCOME_UNKNOWN if the connection broke
     */
    public void ddl(String script) {
        refuseToWait("a change of the schema", "use ddlAsync, or make it on another thread");
        join(change(script, new byte[0]));
    }

    /** Changes the schema; see {@link #ddl}. */
    public CompletableFuture<Void> ddlAsync(String script) {
        return handedOver(change(script, new byte[0])).thenAccept(changed -> {});
    }

    /**
     * Deploys a jar of procedure classes with a script that declares them, and waits for the end. Deployed procedures whose classes are
     * in the jar are replaced. Otherwise as {@link #ddl}.
     */
    public void deploy(byte[] jar, String script) {
        refuseToWait("a deployment", "use deployAsync, or make it on another thread");
        join(deployment(jar, script));
    }

    /** Deploys a jar; see {@link #deploy}. */
    public CompletableFuture<Void> deployAsync(byte[] jar, String script) {
        return handedOver(deployment(jar, script)).thenAccept(deployed -> {});
    }

    /**
     * Calls a procedure without making an object. The handler is told the outcome, unless this throws. Without a
     * connected node it throws at once, with NOT_CONNECTED: it doesn't wait for a connection, as calls by name and
     * statements do.
     *
     * @param arguments may be used again when this returns
     * @throws CallException if the call was not sent
     */
    public void call(RemoteProcedure procedure, ArgumentWriter arguments, ReplyHandler handler, long cookie) {
        if (!offer(procedure, arguments, handler, cookie)) {
            throw overloaded;
        }
    }

    /**
     * The same for programs that make more calls than may be under way, and do not want to wait. Returns false if
     * there was no room for this one. The limit is in the settings, or lower if calls would wait for long at
     * the server. Once it is reached, an eighth of the calls has to end before another is sent. It is best to pause a
     * little then. With settings that make callers wait for room this does so, too, and returns false when the call's
     * time is over.
     */
    public boolean offer(RemoteProcedure procedure, ArgumentWriter arguments, ReplyHandler handler, long cookie) {
        if (!procedure.isOf(this)) {
            throw new IllegalArgumentException("the procedure " + procedure
                    + " was made by another client, which has numbers of its own; ask this one for it");
        }
        Connection connection = connected(nodes.turn(procedure, arguments));
        long leftNs = connection.knows(procedure) ? timeoutNs : resolve(connection, procedure);
        return connection.call(procedure, arguments, 0, leftNs, handler, cookie);
    }

    /** The partition that has the rows with this integer as their partitioning value, as far as the servers have told. */
    public int partitionOf(long partitioningValue) {
        return connection().partitionOf(partitioningValue);
    }

    /** The number of the database's partitions, as far as the servers have told. */
    public int partitions() {
        return connection().partitions();
    }

    /** A wait for the network thread must not happen on that thread. */
    void refuseToWait(String what, String instead) {
        if (loop.inEventLoop()) {
            throw new IllegalStateException(
                    what + " would keep the network thread waiting, which is the one that ends the wait: " + instead);
        }
    }

    /** Waits until the procedure is known, as long as its call may. Returns what is left of that; 0: there is no end. */
    private long resolve(Connection connection, RemoteProcedure procedure) {
        refuseToWait("the first call of " + procedure, "make it on another thread");
        for (NodeConnector node : nodes.all()) {
            // When the connection ends its handlers may want to make the call at another node, and can't wait for this
            // then.
            Connection other = node.connection();
            if (other != null && other != connection) {
                resolving(other, procedure);
            }
        }
        CompletableFuture<Void> known = resolving(connection, procedure);
        if (timeoutNs == 0) {
            join(known);
            return 0;
        }
        long deadlineNs = System.nanoTime() + timeoutNs;
        try {
            join(known.orTimeout(timeoutNs, TimeUnit.NANOSECONDS));
        } catch (java.util.concurrent.CompletionException late) {
            throw new CallException(
                    ErrorCode.NOT_CONNECTED,
                    "the server did not say within the call's timeout how " + procedure
                            + " is called; the call was not sent",
                    true);
        }
        return Math.max(1, deadlineNs - System.nanoTime());
    }

    private static CompletableFuture<Void> resolving(Connection connection, RemoteProcedure procedure) {
        CompletableFuture<Void> resolved = new CompletableFuture<>();
        boolean asked = connection.onLoop(() -> connection.resolve(procedure).whenComplete((nothing, failure) -> {
            if (failure == null) {
                resolved.complete(null);
            } else {
                resolved.completeExceptionally(cause(failure));
            }
        }));
        if (!asked) {
            resolved.completeExceptionally(Connection.notOpen());
        }
        return resolved;
    }

    private CompletableFuture<Reply> send(RemoteProcedure procedure, Object... arguments) {
        ArgumentWriter written = ObjectArguments.write(arguments);
        Nodes.Turn turn = nodes.turn(procedure, written);
        NodeConnector node = turn.node();
        Connection connection = turn.connection();
        PendingCall call = new PendingCall(sequences, node, procedure, written, timeoutNs);
        if (connection == null) {
            call.park();
        } else if (node.asksForMany() && !connection.knows(procedure) && !awaitKnown(connection, procedure)) {
            call.end(overloaded);
        } else {
            node.send(call, connection);
        }
        return call.future();
    }

    /** Waits until the procedure is known, if the settings say that callers wait for room; false: they don't. */
    private boolean awaitKnown(Connection connection, RemoteProcedure procedure) {
        if (!settings.waitForRoom() || loop.inEventLoop()) {
            return false;
        }
        try {
            resolve(connection, procedure);
        } catch (CallException why) {
            // The call is told the same when it asks, or waits for another connection.
        }
        return true;
    }

    private CompletableFuture<Reply> sendStatement(String text, Object... arguments) {
        Nodes.Turn turn = nodes.turn();
        return send(turn, PendingStatement.of(turn.node(), text, ObjectArguments.write(arguments), 0, timeoutNs));
    }

    private CompletableFuture<Reply> deployment(byte[] jar, String script) {
        if (jar.length == 0) {
            throw new IllegalArgumentException("the jar is empty; use ddl for a script alone");
        }
        return change(script, jar);
    }

    private CompletableFuture<Reply> change(String script, byte[] jar) {
        byte[] bytes = script.getBytes(StandardCharsets.UTF_8);
        long length = (long) bytes.length + jar.length;
        if (length > Wire.MAX_CHANGE_BYTES) {
            throw new IllegalArgumentException("a change of the schema has at most " + Wire.MAX_CHANGE_BYTES
                    + " bytes of script and jar, and this one has " + length);
        }
        Nodes.Turn turn = nodes.turn();
        return send(turn, PendingStatement.change(turn.node(), bytes, jar, timeoutNs));
    }

    private static CompletableFuture<Reply> send(Nodes.Turn turn, PendingStatement statement) {
        if (turn.connection() == null) {
            statement.park();
        } else {
            turn.node().send(statement, turn.connection());
        }
        return statement.future();
    }

    /** A connection that is open. */
    private Connection connection() {
        return connected(nodes.turn());
    }

    private Connection connected(Nodes.Turn turn) {
        if (turn.connection() == null) {
            throw nodes.notConnected();
        }
        return turn.connection();
    }

    /** The application's use of a reply must not keep the network thread. */
    private CompletableFuture<Reply> handedOver(CompletableFuture<Reply> inner) {
        CompletableFuture<Reply> outer = new CompletableFuture<>();
        inner.whenComplete((reply, failure) -> {
            Runnable complete = () -> {
                if (failure == null) {
                    outer.complete(reply);
                } else {
                    outer.completeExceptionally(cause(failure));
                }
            };
            try {
                settings.callbacks().execute(complete);
            } catch (RuntimeException | Error rejected) {
                // A thread that waits for the future has to learn the outcome of the call, whatever has become of the
                // executor.
                complete.run();
            }
        });
        return outer;
    }

    private Reply waitFor(CompletableFuture<Reply> reply) {
        boolean spun = spinner.begin(reply);
        try {
            return join(reply);
        } finally {
            if (spun) {
                spinner.end();
            }
        }
    }

    private static <T> T join(CompletableFuture<T> future) {
        try {
            return future.join();
        } catch (java.util.concurrent.CompletionException failure) {
            if (failure.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw failure;
        }
    }

    private static Throwable cause(Throwable failure) {
        return failure instanceof java.util.concurrent.CompletionException && failure.getCause() != null
                ? failure.getCause()
                : failure;
    }

    /**
     * Ends all connections; calls under way fail, and whether they were run is not known. Code on the network thread,
     * such as a {@link ReplyHandler}, may call it, too: then it only begins the end, and returns. It also returns
     * after some seconds if a handler keeps the network thread, because the handler may wait for the closing thread.
     */
    @Override
    public void close() {
        if (closing.compareAndSet(false, true)) {
            nodes.close();
        }
        Future<?> ended = loop.shutdownGracefully(0, CLOSE_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        if (!loop.inEventLoop()) {
            ended.awaitUninterruptibly(2 * CLOSE_TIMEOUT_MS);
        }
    }
}
