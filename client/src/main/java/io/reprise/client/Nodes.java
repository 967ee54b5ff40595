package io.reprise.client;

import io.netty.channel.EventLoop;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The nodes of a client, which take turns, and the calls that wait for any of them. Only a call that may have run
 * waits for its node, which knows the outcome. Any thread, if nothing else is said.
 */
final class Nodes {
    private final ClientSettings settings;
    private final Counters counters;
    private final EventLoop loop;
    private final Clock wallClock;
    private final List<NodeConnector> nodes = new ArrayList<>();

    /** The calls that wait for any node, and for one of them. */
    private final CallAmount parkedAmount = new CallAmount();

    private final ParkedCalls parked = new ParkedCalls(parkedAmount);
    private final AtomicInteger turns = new AtomicInteger();
    private final CompletableFuture<Void> connected = new CompletableFuture<>();
    private volatile boolean closing;

    /** Those that the settings name. */
    Nodes(
            ClientSettings settings,
            long clientId,
            Sequences sequences,
            Counters counters,
            EventLoop loop,
            Names names,
            Collection<RemoteProcedure> procedures,
            Clock wallClock) {
        this.settings = settings;
        this.counters = counters;
        this.loop = loop;
        this.wallClock = wallClock;
        for (InetSocketAddress node : settings.nodes()) {
            nodes.add(new NodeConnector(
                    settings, clientId, sequences, counters, node, loop, names, procedures, this, parkedAmount));
        }
    }

    void start() {
        nodes.forEach(NodeConnector::start);
    }

    List<NodeConnector> all() {
        return nodes;
    }

    /** The time of day, which goes on while the machine sleeps. */
    Clock wallClock() {
        return wallClock;
    }

    /** Done when a node is connected, and failed when there is no use in waiting for one. */
    CompletableFuture<Void> connected() {
        return connected;
    }

    /**
     * Whose turn it is.
     *
     * @param connection null: no node is connected
     */
    record Turn(NodeConnector node, Connection connection) {}

    /** Connected nodes take turns; without one, all do. */
    Turn turn() {
        int first = first();
        for (int i = 0; i < nodes.size(); i++) {
            NodeConnector node = nodes.get((first + i) % nodes.size());
            // Read once: it may end meanwhile.
            Connection connection = node.connection();
            if (connection != null) {
                return new Turn(node, connection);
            }
        }
        return new Turn(nodes.get(first), null);
    }

    private int first() {
        return nodes.size() == 1 ? 0 : (turns.getAndIncrement() & Integer.MAX_VALUE) % nodes.size();
    }

    /** A node that takes one more of the calls that wait; null: none does. */
    private NodeConnector free() {
        int first = first();
        for (int i = 0; i < nodes.size(); i++) {
            NodeConnector node = nodes.get((first + i) % nodes.size());
            if (node.takesParked()) {
                return node;
            }
        }
        return null;
    }

    boolean isConnected() {
        return nodes.stream().anyMatch(node -> node.connection() != null);
    }

    /** The call is made as soon as any node takes it, unless too many wait already. */
    void park(ParkedCall call) {
        if (parkedAmount.isFull(nodes.size(), settings.maxCalls())) {
            call.refused(new OverloadedException((long) nodes.size() * settings.maxCalls() + " calls, or "
                    + nodes.size() * (CallWindow.MOST_BYTES >> 20)
                    + " MiB of them, wait for a connection or for room already; the call was not run"));
            return;
        }
        counters.parked.increment();
        parked.add(call);
        giveUpParkedWhereHopeless();
    }

    /** Calls that wait end when the client is closed, or no node takes it as who it says it is. */
    private void giveUpParkedWhereHopeless() {
        if (closing) {
            parked.takeAll(call -> call.giveUp(FailureCode.NOT_CONNECTED, "the client was closed"));
        } else if (nodes.stream().allMatch(node -> node.refusal() != null)) {
            CallException why = notConnected();
            // A node may have taken it meanwhile.
            if (why.code() == FailureCode.NOT_AUTHENTICATED) {
                parked.takeAll(call -> call.refused(why));
            }
        }
    }

    /** The network thread: calls can be made at this node. */
    void opened() {
        connected.complete(null);
        parked.sendDue(System.nanoTime(), this::free);
    }

    /** The network thread: a node does not take this client as it is. When none does nobody needs to wait. */
    void hopeless() {
        if (nodes.stream().allMatch(NodeConnector::isHopeless)) {
            connected.completeExceptionally(notConnected());
        }
        giveUpParkedWhereHopeless();
    }

    /** The network thread, from time to time. */
    void check() {
        long nowNs = System.nanoTime();
        for (NodeConnector node : nodes) {
            guarded(() -> node.check(nowNs));
        }
        guarded(() -> parked.sendDue(nowNs, this::free));
    }

    /** A periodic task that throws is not run again, and no call would have a timeout any more. */
    private static void guarded(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error thrown) {
            GuardedHandlers.uncaught(thrown);
        }
    }

    /** The failure told to a caller. */
    CallException notConnected() {
        // Each is read once: a connection may be opened meanwhile.
        List<CallException> refusals = nodes.stream()
                .map(NodeConnector::refusal)
                .filter(Objects::nonNull)
                .toList();
        boolean refused = refusals.size() == nodes.size();
        if (refused && nodes.size() == 1) {
            return refusals.get(0);
        }
        String message = "no server can be reached: " + problems();
        return refused
                ? new CallException(FailureCode.NOT_AUTHENTICATED, message, false)
                : new CallException(FailureCode.NOT_CONNECTED, message, true);
    }

    /** Why there is no connection to each. */
    String problems() {
        StringBuilder text = new StringBuilder();
        for (NodeConnector node : nodes) {
            text.append(text.length() == 0 ? "" : "; ").append(node.nameAndProblem());
        }
        return text.toString();
    }

    /** The same in a sentence. */
    String withoutConnection(String within) {
        return nodes.size() == 1
                ? nodes.get(0).withoutConnection(within)
                : "there was no connection to any server" + within + ": " + problems();
    }

    /** Why a call was not sent although there is a connection. */
    String noRoom() {
        return OverloadedException.noRoomText(settings);
    }

    boolean isClosed() {
        return closing;
    }

    void close() {
        closing = true;
        nodes.forEach(NodeConnector::close);
        // Behind what the network thread is about to let wait again.
        loop.execute(this::giveUpParkedWhereHopeless);
    }
}
