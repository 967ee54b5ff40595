package io.reprise.client;

import io.netty.channel.EventLoop;
import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.message.Topology;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/**
 * The nodes of a client, and the calls that wait for any of them. Without a cluster the nodes take turns, and a call that may
 * have run waits for its node, which knows the outcome. In a cluster the nodes of the newest topology join those that the
 * settings name, and a call goes to the leader of its partition. Any thread, if nothing else is said.
 */
final class Nodes {
    private final ClientSettings settings;
    private final Counters counters;
    private final EventLoop loop;
    private final Clock wallClock;
    private final Function<InetSocketAddress, NodeConnector> connectors;

    /** Another list after each change. */
    private volatile List<NodeConnector> nodes;

    /** The number of nodes that the settings name, which are the first ones. */
    private final int seeds;

    /** The newest topology, or null: the servers are not in a cluster, as far as is known. */
    private volatile ClusterView view;

    /** The nodes by number, null where none is connected. Another array after each change. */
    private volatile NodeConnector[] byNumber = {};

    /** Whether the nodes of the topology have still to be taken. The network thread's. */
    private boolean nodesDue;

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
        connectors = node -> new NodeConnector(
                settings, clientId, sequences, counters, node, loop, names, procedures, this, parkedAmount);
        nodes = settings.nodes().stream().map(connectors).toList();
        seeds = nodes.size();
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
        List<NodeConnector> all = nodes;
        int first = first(all);
        for (int i = 0; i < all.size(); i++) {
            NodeConnector node = all.get((first + i) % all.size());
            // Read once: it may end meanwhile.
            Connection connection = node.connection();
            if (connection != null) {
                return new Turn(node, connection);
            }
        }
        return new Turn(all.get(first), null);
    }

    /** The leader of a call's partition if it is known and connected; otherwise nodes take turns. */
    Turn turn(RemoteProcedure procedure, ArgumentWriter arguments) {
        ClusterView now = view;
        if (now != null) {
            NodeConnector leader = connected(procedure.leader(now, arguments));
            Connection connection = leader == null ? null : leader.connection();
            if (connection != null) {
                return new Turn(leader, connection);
            }
        }
        return turn();
    }

    /** A node that was connected when the nodes changed last, or null. */
    private NodeConnector connected(int number) {
        NodeConnector[] known = byNumber;
        return number >= 0 && number < known.length ? known[number] : null;
    }

    private int first(List<NodeConnector> all) {
        return all.size() == 1 ? 0 : (turns.getAndIncrement() & Integer.MAX_VALUE) % all.size();
    }

    /** Whether the servers are nodes of a cluster, so that the leader of a call's partition knows its outcome. */
    boolean isCluster() {
        return view != null;
    }

    /** The network thread: a node has told the topology. */
    void told(Topology topology) {
        ClusterView next = ClusterView.of(topology);
        ClusterView before = view;
        if (!next.replaces(before)) {
            return;
        }
        view = next;
        nodesDue = true;
        takeNodes();
        if (before != null) {
            long nowNs = System.nanoTime();
            for (NodeConnector node : nodes) {
                if (node.number() >= 0 && next.hasReplaced(before, node.number())) {
                    node.replaced(nowNs);
                }
            }
        }
    }

    /**
     * Connects to the nodes of the topology that are not among those that the settings name. It waits until those have told their
     * numbers or failed: an address in the settings may be another name of a node.
     */
    private void takeNodes() {
        List<NodeConnector> before = nodes;
        if (!nodesDue || closing || !before.subList(0, seeds).stream().allMatch(NodeConnector::isSettled)) {
            return;
        }
        nodesDue = false;
        List<NodeConnector> after = new ArrayList<>(before.subList(0, seeds));
        SortedMap<Integer, InetSocketAddress> addresses = view.addresses();
        for (NodeConnector node : before.subList(seeds, before.size())) {
            if (addresses.containsValue(node.address())) {
                after.add(node);
            } else {
                node.close();
            }
        }
        addresses.forEach((number, address) -> {
            boolean known =
                    after.stream().anyMatch(node -> node.isAt(address) || node.isOpen() && node.number() == number);
            if (!known) {
                NodeConnector node = connectors.apply(address);
                after.add(node);
                node.start();
            }
        });
        nodes = List.copyOf(after);
        number();
    }

    /** The network thread: finds nodes by their numbers from now on. */
    private void number() {
        int most = nodes.stream().mapToInt(NodeConnector::number).max().orElse(-1);
        NodeConnector[] next = new NodeConnector[most + 1];
        for (NodeConnector node : nodes) {
            if (node.number() >= 0 && node.isOpen() && next[node.number()] == null) {
                next[node.number()] = node;
            }
        }
        byNumber = next;
    }

    /** The leader of the call's partition; if it is not connected, a node that takes one more of the calls that wait. Null: none does. */
    private NodeConnector free(ParkedCall call) {
        ClusterView now = view;
        NodeConnector leader = now == null ? null : connected(call.leader(now));
        if (leader != null && leader.isOpen()) {
            return leader.takesParked() ? leader : null;
        }
        List<NodeConnector> all = nodes;
        int first = first(all);
        for (int i = 0; i < all.size(); i++) {
            NodeConnector node = all.get((first + i) % all.size());
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
        if (!call.mustWait() && parkedAmount.isFull(nodes.size(), settings.maxCalls())) {
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
            parked.takeAll(call -> call.giveUp(ErrorCode.NOT_CONNECTED, "the client was closed"));
        } else if (nodes.stream().allMatch(node -> node.refusal() != null)) {
            CallException why = notConnected();
            // A node may have taken it meanwhile.
            if (why.code() == ErrorCode.NOT_AUTHENTICATED) {
                parked.takeAll(call -> call.refused(why));
            }
        }
    }

    /** The network thread: calls can be made at this node. */
    void opened() {
        connected.complete(null);
        if (view != null) {
            takeNodes();
            number();
        }
        parked.sendDue(System.nanoTime(), this::free);
    }

    /** Notes that a node rejects this client's credentials or version. When all nodes do, callers fail at once. Network thread. */
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
        guarded(this::takeNodes);
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
                ? new CallException(ErrorCode.NOT_AUTHENTICATED, message, false)
                : new CallException(ErrorCode.NOT_CONNECTED, message, true);
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
