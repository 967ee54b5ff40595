package io.reprise.simulation;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.runtime.Randomness;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * The network between simulated nodes. Frames arrive in order after a latency drawn from the seed; faults cut one or both
 * directions, stall a link, break it with an unknown prefix delivered, and end all links of a node that crashes.
 *
 * <p>Frames are never duplicated or reordered within a link, as under TCP; a reconnecting sender does both.
 */
public final class SimulatedLinks {
    private static final int BUFFER_BYTES = 1 << 20;

    private final Simulation simulation;
    private final SimulatedClock clock;
    private final Randomness random;
    private final List<Connection> connections = new ArrayList<>();
    private final Map<String, ArrayDeque<Connection>> accepting = new HashMap<>();
    private final Set<String> listening = new HashSet<>();
    private final Set<Direction> cut = new HashSet<>();
    private long leastLatencyNs = 10_000;
    private long latencySpreadNs = 50_000;
    private long sentFrames;
    private long sentBytes;
    private double breakRate;
    private boolean tellsRefusals;

    private record Direction(String from, String to) {}

    /** A network without faults. */
    public SimulatedLinks(Simulation simulation) {
        this.simulation = simulation;
        clock = simulation.clock();
        random = simulation.randomness();
    }

    /** A node's access to the network; its address is its name. Ends all links of an earlier start of the node. */
    public Links of(String node) {
        crash(node);
        listening.add(node);
        accepting.put(node, new ArrayDeque<>());
        return new NodeLinks(node);
    }

    /** The time a frame takes: between the least and the sum of both. */
    public SimulatedLinks latency(long leastNs, long spreadNs) {
        leastLatencyNs = leastNs;
        latencySpreadNs = spreadNs;
        return this;
    }

    /** The frames that were sent and not lost at once, between all nodes. */
    public long sentFrames() {
        return sentFrames;
    }

    /** Their bytes. */
    public long sentBytes() {
        return sentBytes;
    }

    /** From now on a sent frame breaks its link at this rate. */
    public SimulatedLinks breaks(double rate) {
        breakRate = rate;
        return this;
    }

    /** From now on a link to a node that does not run tells that it was refused. */
    public SimulatedLinks tellRefusals() {
        tellsRefusals = true;
        return this;
    }

    /** Frames of this direction wait until {@link #heal}: the sender notices nothing. */
    public void cut(String from, String to) {
        if (cut.add(new Direction(from, to))) {
            simulation.event("cut " + from + " " + to, 0, 0);
        }
    }

    /** Ends all cuts. Frames that waited arrive now, unless their link has closed. */
    public void heal() {
        if (!cut.isEmpty()) {
            simulation.event("heal", cut.size(), 0);
        }
        cut.clear();
    }

    /** Breaks all links between two nodes. */
    public void breakLinks(String one, String other) {
        List.copyOf(connections).forEach(connection -> {
            if (connection.joins(one, other)) {
                connection.breakOff();
            }
        });
    }

    /** Ends all links of a node whose process has ended; peers see them closed, unless the way back is cut. */
    public void crash(String node) {
        listening.remove(node);
        accepting.remove(node);
        List.copyOf(connections).forEach(connection -> {
            if (connection.isOf(node)) {
                connection.breakOff();
            }
        });
    }

    private long latencyNs() {
        return leastLatencyNs + random.nextLong(latencySpreadNs + 1);
    }

    private final class NodeLinks implements Links {
        private final String node;

        NodeLinks(String node) {
            this.node = node;
        }

        @Override
        public Link connect(String address) {
            Connection connection = new Connection(node, Objects.requireNonNull(address));
            connections.add(connection);
            return connection.client;
        }

        @Override
        public boolean tellsRefusals() {
            return tellsRefusals;
        }

        @Override
        public Link accept() {
            ArrayDeque<Connection> arrived = accepting.get(node);
            for (Connection connection : connections) {
                if (connection.reaches(node)) {
                    connection.requested = false;
                    arrived.add(connection);
                }
            }
            Connection next = arrived.poll();
            return next == null ? null : next.accepted();
        }
    }

    private final class Connection {
        private final End client;
        private final End server;
        private boolean requested = true;
        private final long requestArrivesNs;

        Connection(String from, String to) {
            client = new End(this, from, to, Link.State.CONNECTING);
            server = new End(this, to, from, Link.State.OPEN);
            requestArrivesNs = clock.nanoTime() + latencyNs();
            if (!listening.contains(to) && !cut.contains(new Direction(from, to))) {
                requested = false;
                client.refused = tellsRefusals;
                client.closesNs = requestArrivesNs + latencyNs();
            }
        }

        boolean reaches(String node) {
            return requested
                    && server.node.equals(node)
                    && clock.nanoTime() >= requestArrivesNs
                    && !cut.contains(new Direction(client.node, server.node));
        }

        Link accepted() {
            client.opensNs = clock.nanoTime() + latencyNs();
            return server;
        }

        boolean isOf(String node) {
            return client.node.equals(node) || server.node.equals(node);
        }

        boolean joins(String one, String other) {
            return isOf(one) && isOf(other);
        }

        /** Both ends close when they learn of it; bytes under way arrive up to a point drawn from the seed. */
        void breakOff() {
            requested = false;
            connections.remove(this);
            client.breakOff();
            server.breakOff();
        }

        End other(End end) {
            return end == client ? server : client;
        }
    }

    private record Frame(byte[] bytes, long arrivesNs) {}

    /** One side of a connection; holds the frames on their way to it. */
    private final class End implements Link {
        private final Connection connection;
        private final String node;
        private final String peer;
        private final ArrayDeque<Frame> arriving = new ArrayDeque<>();
        private State state;
        private boolean refused;
        private long opensNs = Long.MAX_VALUE;
        private long closesNs = Long.MAX_VALUE;
        private long lastArrivalNs;
        private int buffered;

        End(Connection connection, String node, String peer, State state) {
            this.connection = connection;
            this.node = node;
            this.peer = peer;
            this.state = state;
        }

        @Override
        public State state() {
            long now = clock.nanoTime();
            boolean heard = !cut.contains(new Direction(peer, node));
            if (state == State.CONNECTING && heard && now >= opensNs) {
                state = State.OPEN;
            }
            if (state != State.CLOSED && heard && now >= closesNs) {
                state = State.CLOSED;
            }
            return state;
        }

        @Override
        public boolean isRefused() {
            return refused && state() == State.CLOSED;
        }

        @Override
        public boolean send(byte[] frame, int offset, int length) {
            if (state() != State.OPEN) {
                return false;
            }
            if (breakRate > 0 && random.chance(breakRate)) {
                simulation.event("break " + node + " " + peer, 0, 0);
                connection.breakOff();
                return true;
            }
            End other = connection.other(this);
            if (closesNs != Long.MAX_VALUE) {
                // The peer is gone and this side has not learnt of it: the frame is lost.
                return true;
            }
            if (other.buffered + length > BUFFER_BYTES && other.buffered > 0) {
                return false;
            }
            sentFrames++;
            sentBytes += length;
            other.lastArrivalNs = Math.max(other.lastArrivalNs, clock.nanoTime() + latencyNs());
            other.arriving.add(new Frame(Arrays.copyOfRange(frame, offset, offset + length), other.lastArrivalNs));
            other.buffered += length;
            return true;
        }

        @Override
        public byte[] receive() {
            Frame first = arriving.peek();
            if (first == null || clock.nanoTime() < first.arrivesNs || cut.contains(new Direction(peer, node))) {
                return null;
            }
            arriving.remove();
            buffered -= first.bytes.length;
            return first.bytes;
        }

        @Override
        public void close() {
            if (state != State.CLOSED) {
                state = State.CLOSED;
                connection.breakOff();
            }
        }

        void breakOff() {
            if (closesNs == Long.MAX_VALUE) {
                closesNs = clock.nanoTime() + latencyNs();
                int kept = random.nextInt(arriving.size() + 1);
                while (arriving.size() > kept) {
                    buffered -= arriving.removeLast().bytes.length;
                }
            }
        }
    }
}
