package io.reprise.client;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslHandler;
import io.reprise.wire.message.Topology;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

/**
 * Keeps a connection to one node. It connects again when a connection has ended, after a pause that doubles up to a bound. The pause is
 * randomised, so that many clients don't come back at once.
 *
 * <p>Owned by the network thread; others see the connection that is there.
 */
final class NodeConnector implements Connection.Listener {
    private final ClientSettings settings;
    private final long clientId;
    private final Sequences sequences;
    private final Counters counters;
    private final InetSocketAddress node;
    private final EventLoop loop;
    private final Names names;
    private final Collection<RemoteProcedure> procedures;
    private final Nodes nodes;
    private long pauseMs;
    private volatile boolean closing;

    /** Calls that may have run at this node. */
    private final ParkedCalls parked;

    /** Calls that wait until the server has said what has to be known of their procedures. The network thread's. */
    private final Set<ParkedCall> asking = new HashSet<>();

    private final CallAmount askingAmount = new CallAmount();

    private Connection current;
    private volatile Connection open;
    private volatile NodeStatus status = NodeStatus.FIRST;

    /** The node's number in its cluster, once it has told; -1: none. */
    private volatile int number = -1;

    /** Whether a first attempt to connect has come to an end. */
    private boolean settled;

    /** The number of replies. Written by the network thread. */
    private volatile long replies;

    NodeConnector(
            ClientSettings settings,
            long clientId,
            Sequences sequences,
            Counters counters,
            InetSocketAddress node,
            EventLoop loop,
            Names names,
            Collection<RemoteProcedure> procedures,
            Nodes nodes,
            CallAmount parkedAmount) {
        this.settings = settings;
        this.clientId = clientId;
        this.sequences = sequences;
        this.counters = counters;
        this.node = node;
        this.loop = loop;
        this.names = names;
        this.procedures = procedures;
        this.nodes = nodes;
        parked = new ParkedCalls(parkedAmount);
    }

    /** All of the client's. */
    Nodes nodes() {
        return nodes;
    }

    /** Its name, and the reason why there is no connection. */
    String nameAndProblem() {
        return Unreachable.name(node) + ": " + status.problem();
    }

    /** The same in a sentence. */
    String withoutConnection(String within) {
        return "there was no connection to " + Unreachable.name(node) + within + ": " + status.problem();
    }

    /** Why the node does not take this client, as far as is known; null if it does, or was not asked. */
    CallException refusal() {
        return status.refusal();
    }

    /** Whether there is no use in waiting for a first connection: the node refuses the client, or they don't speak the same. */
    boolean isHopeless() {
        return status.isHopeless();
    }

    /** The connection that calls can be made on, or null. */
    Connection connection() {
        return open;
    }

    void start() {
        loop.execute(this::connect);
    }

    /** A name is looked up each time: it may have come to mean another address. */
    private void connect() {
        if (closing) {
            return;
        }
        names.lookUp(node, loop, (addresses, failure) -> {
            status = status.lookedUp(settings.connectTimeout().toMillis());
            if (failure == null) {
                connectTo(addresses, 0, "");
            } else {
                ended(Unreachable.why(failure));
            }
        });
    }

    /**
     * Connects to the first address that takes a connection.
     *
     * @param next index of the address to be asked
     * @param first the first one's problem; empty if that is to be asked
     */
    private void connectTo(InetAddress[] addresses, int next, String first) {
        if (closing) {
            return;
        }
        Connection connection = new Connection(settings, clientId, sequences, counters, this);
        current = connection;
        long timeoutMs = Math.max(1, settings.connectTimeout().toMillis() / addresses.length);
        new Bootstrap()
                .group(loop)
                .disableResolver()
                .channel(Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, (int) Math.min(Integer.MAX_VALUE, timeoutMs))
                .handler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel channel) {
                        settings.tls()
                                .ifPresent(tls -> channel.pipeline()
                                        .addLast(new SslHandler(tls.engine(node.getHostString(), node.getPort()))));
                        channel.pipeline().addLast(connection.handler());
                    }
                })
                .connect(new InetSocketAddress(addresses[next], node.getPort()))
                .addListener(done -> {
                    if (!done.isSuccess()) {
                        String why = next == 0 ? Unreachable.why(done.cause()) : first;
                        if (next + 1 < addresses.length) {
                            connectTo(addresses, next + 1, why);
                        } else {
                            ended(why);
                        }
                    }
                });
        loop.schedule(
                () -> giveUpUnlessUsable(connection), settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A server that does not answer the greeting, or not what has to be asked before calls are made, is given up. */
    private void giveUpUnlessUsable(Connection connection) {
        if (connection == current && connection != open) {
            connection.close("the server did not answer within "
                    + settings.connectTimeout().toMillis() + " ms");
        }
    }

    /** The network thread, from time to time: looks at the connection, and at the calls that wait for one. */
    void check(long nowNs) {
        Connection connection = current;
        if (connection != null) {
            connection.expire(nowNs);
            connection.checkSilence(nowNs);
        }
        asking.removeIf(call -> {
            boolean over = call.isOver(nowNs);
            if (over) {
                askingAmount.remove(call);
                call.overdueAsking();
            }
            return over;
        });
        parked.sendDue(nowNs, call -> free());
    }

    /** Procedures that were called before the connection broke are made known to the new one before its first call. */
    @Override
    public void opened(Connection connection) {
        pauseMs = 0;
        status = status.opened();
        number = connection.node();
        List<CompletableFuture<Void>> known = new ArrayList<>();
        for (RemoteProcedure procedure : procedures) {
            known.add(connection.resolve(procedure));
        }
        CompletableFuture.allOf(known.toArray(new CompletableFuture<?>[0])).whenComplete((nothing, failure) -> {
            if (connection.isOpen()) {
                open = connection;
                settled = true;
                parked.sendDue(System.nanoTime(), call -> free());
                nodes.opened();
            }
        });
    }

    @Override
    public void told(Topology topology) {
        nodes.told(topology);
    }

    @Override
    @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
    public void replied(int calls) {
        replies += calls;
    }

    /** Its counters and state. Any thread. */
    NodeMetrics metrics() {
        return new NodeMetrics(Unreachable.name(node), number, isOpen(), replies);
    }

    /** The node's number in its cluster, as far as it has told; -1: none. Any thread. */
    int number() {
        return number;
    }

    /** Whether a first attempt to connect has come to an end. The network thread's. */
    boolean isSettled() {
        return settled;
    }

    /** The address that it connects to. */
    InetSocketAddress address() {
        return node;
    }

    /** Whether it connects to this address, by the same name. */
    boolean isAt(InetSocketAddress address) {
        return node.getPort() == address.getPort() && node.getHostString().equals(address.getHostString());
    }

    /** Whether there is a connection that calls can be made on. Any thread. */
    boolean isOpen() {
        return open != null;
    }

    /** The network thread: the cluster has replaced this node as the leader of a partition. */
    void replaced(long nowNs) {
        Connection connection = current;
        if (connection != null) {
            connection.suspect(nowNs);
        }
    }

    /** Any thread: the call is made again as soon as there is a connection: this node knows what became of it. */
    void parkHere(ParkedCall call) {
        counters.parked.increment();
        parked.add(call);
        if (closing || refusal() != null) {
            giveUpParked();
        }
    }

    /** Whether there is a connection, which takes one more of the calls that wait. The network thread. */
    boolean takesParked() {
        Connection connection = open;
        return connection != null && connection.takesParked();
    }

    private NodeConnector free() {
        return takesParked() ? this : null;
    }

    /** Whether as many calls, or bytes of them, as may wait for what has to be known of their procedures. */
    boolean asksForMany() {
        return askingAmount.isFull(1, settings.maxCalls());
    }

    /** The network thread: makes a call that has waited. */
    void send(ParkedCall call) {
        Connection connection = open;
        if (connection == null) {
            call.park();
        } else {
            send(call, connection);
        }
    }

    /** Any thread: makes a call, after what has to be known of its procedure. */
    void send(ParkedCall call, Connection connection) {
        call.at(this);
        if (call.procedure() == null || connection.knows(call.procedure())) {
            call.send(connection);
            return;
        }
        askingAmount.add(call);
        boolean asked = connection.onLoop(() -> {
            asking.add(call);
            connection.resolve(call.procedure()).whenComplete((nothing, failure) -> {
                if (!asking.remove(call)) {
                    return;
                }
                askingAmount.remove(call);
                if (failure == null) {
                    call.send(connection);
                } else {
                    unresolved(call, failure);
                }
            });
        });
        if (!asked) {
            askingAmount.remove(call);
            call.park();
        }
    }

    private void unresolved(ParkedCall call, Throwable failure) {
        Throwable cause = failure instanceof CompletionException ? failure.getCause() : failure;
        if (cause instanceof CallException known && known.code() != ErrorCode.NOT_CONNECTED) {
            call.notRun(known);
        } else {
            call.park();
        }
    }

    private void giveUpParked() {
        CallException why = refusal();
        parked.takeAll(call -> {
            if (why == null) {
                call.giveUp(ErrorCode.NOT_CONNECTED, "the client was closed");
            } else {
                call.refused(why);
            }
        });
    }

    @Override
    public void closed(Connection connection, String why) {
        if (open == connection) {
            open = null;
        }
        status = NodeStatus.ended(why, connection);
        if (refusal() != null) {
            // A wrong password does not become right by being tried often, but the server's users may change.
            pauseMs = settings.reconnectMost().toMillis();
            giveUpParked();
        }
        if (isHopeless()) {
            nodes.hopeless();
        }
        ended(why);
    }

    private void ended(String why) {
        status = status.failed(why);
        current = null;
        settled = true;
        if (closing) {
            return;
        }
        long least = Math.max(1, settings.reconnectLeast().toMillis());
        pauseMs = Math.min(
                Math.max(least, 2 * pauseMs),
                Math.max(least, settings.reconnectMost().toMillis()));
        long spreadMs = pauseMs / 2 + ThreadLocalRandom.current().nextLong(pauseMs / 2 + 1);
        loop.schedule(this::connect, spreadMs, TimeUnit.MILLISECONDS);
    }

    /** Any thread. */
    void close() {
        loop.execute(() -> {
            closing = true;
            if (current != null) {
                current.close("the client was closed");
            }
            giveUpParked();
        });
    }
}
