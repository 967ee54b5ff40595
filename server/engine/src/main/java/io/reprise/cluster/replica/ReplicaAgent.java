package io.reprise.cluster.replica;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import io.reprise.cluster.Membership;
import io.reprise.cluster.Membership.Change.Outcome;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.runtime.agent.Agent;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.IntFunction;

/**
 * All replicas of a node: takes in maps, carries messages between replicas and links, and requests changes of the map,
 * one at a time (rule P1). Reopens partitions whose members have all ended (P11).
 *
 * <p>Each pair of nodes has two links, one opened by each side, and a node sends on its own. A frame that does not fit is
 * lost; acknowledgements say what is missing.
 */
public final class ReplicaAgent implements Agent, MapRequests {
    private final Member self;
    private final int nodes;
    private final Links links;
    private final Membership membership;
    private final ReplicaSettings settings;
    private final List<Replica> replicas = new ArrayList<>();
    private final List<ReplicaLog> logs;
    private final SortedMap<Integer, Link> outgoing = new TreeMap<>();
    private final List<Link> incoming = new ArrayList<>();
    private final IntFunction<String> addresses;

    private Membership.Change open;
    private int openPartition;
    private int openVersion;
    private int seenVersion = -1;
    private PartitionMap map;
    private boolean announced;
    private PeerFrames others = (frame, nowNs) -> {};
    private int copies = Integer.MAX_VALUE;

    /**
     * An agent for replicas of all partitions.
     *
     * @param nodes how many nodes are live before the first map is made
     * @param addresses the peer address of each node
     */
    public ReplicaAgent(
            Member self,
            int nodes,
            Links links,
            IntFunction<String> addresses,
            Membership membership,
            List<ReplicaLog> logs,
            List<Machine> machines,
            ReplicaSettings settings) {
        this.self = self;
        this.nodes = nodes;
        this.links = links;
        this.addresses = addresses;
        this.membership = membership;
        this.settings = settings;
        this.logs = List.copyOf(logs);
        for (int i = 0; i < logs.size(); i++) {
            int partition = i;
            replicas.add(new Replica(
                    self,
                    partition,
                    logs.get(i),
                    machines.get(i),
                    settings,
                    (to, message) -> send(partition, to, message),
                    this));
        }
    }

    /** Frames of another protocol go here. */
    public void others(PeerFrames taker) {
        others = taker;
    }

    /** So many nodes hold each partition: the one with its number, round-robin, and those behind it. */
    public void copies(int most) {
        copies = most;
    }

    /** Whether a node holds replicas of a partition. Nodes are numbered from 1. */
    private boolean holds(int node, int partition) {
        return Math.floorMod(node - 1 - partition, nodes) < copies;
    }

    /** The newest map known, or null. */
    public PartitionMap map() {
        return map;
    }

    /** This node in its present run. */
    public Member self() {
        return self;
    }

    /** Sends a frame of another protocol; false if the link is down or full, when the frame is lost. */
    public boolean send(int node, byte[] frame) {
        Link link = link(node);
        return link != null && link.send(frame, 0, frame.length);
    }

    @Override
    public String roleName() {
        return "replicas-" + self.node();
    }

    /** The replica of a partition. */
    public Replica replica(int partition) {
        return replicas.get(partition);
    }

    @Override
    public int doWork(long nowNs) {
        if (!announced || membership.session() == Membership.Session.LOST) {
            if (logs.stream().allMatch(log -> log.hasStart(self.incarnation()))) {
                membership.announce(entry().encode());
                announced = true;
            } else {
                return 0;
            }
        }
        int work = membership.poll(nowNs);
        work += takeMap(nowNs) + resolve() + receive(nowNs);
        for (int i = 0; i < replicas.size(); i++) {
            work += holds(self.node(), i) ? replicas.get(i).step(nowNs) : 0;
        }
        return work + makeFirstMap() + reopen();
    }

    private NodeEntry entry() {
        return NodeEntry.of(self.incarnation(), addresses.apply(self.node()), "", logs);
    }

    // ---- Maps

    private int takeMap(long nowNs) {
        Membership.VersionedMap newest = membership.map();
        if (newest == null || newest.version() <= seenVersion) {
            return 0;
        }
        seenVersion = newest.version();
        if (newest.version() == 0) {
            return 1;
        }
        map = PartitionMap.decode(newest.content());
        for (int i = 0; i < replicas.size(); i++) {
            replicas.get(i).enter(map.partitions().get(i), nowNs);
        }
        return 1;
    }

    /** P1: a request whose outcome is unknown is open until a higher version is known, which the same map makes. */
    private int resolve() {
        if (open == null) {
            return 0;
        }
        if (seenVersion > openVersion) {
            open = null;
            return 1;
        }
        if (open.outcome() == Outcome.UNKNOWN && membership.session() == Membership.Session.CONNECTED) {
            open = map == null ? null : membership.replace(openVersion, map.encode());
            return 1;
        }
        return 0;
    }

    @Override
    public boolean request(int partition, Replicas next) {
        if (open != null || map == null || membership.session() != Membership.Session.CONNECTED) {
            return false;
        }
        openPartition = partition;
        openVersion = seenVersion;
        open = membership.replace(seenVersion, map.with(partition, next).encode());
        return true;
    }

    @Override
    public boolean isOpen(int partition) {
        return open != null && openPartition == partition;
    }

    /** The lowest live node makes the first map when all nodes are live. */
    private int makeFirstMap() {
        SortedMap<Integer, byte[]> live = membership.live();
        if (seenVersion != 0 || open != null || live.size() < nodes || live.firstKey() != self.node()) {
            return 0;
        }
        List<Replicas> lines = new ArrayList<>();
        for (int i = 0; i < replicas.size(); i++) {
            int partition = i;
            List<Member> members = new ArrayList<>();
            live.forEach((node, entry) -> {
                if (holds(node, partition)) {
                    members.add(new Member(node, NodeEntry.decode(entry).incarnation()));
                }
            });
            lines.add(new Replicas(1, 1, 1 + i % nodes, members));
        }
        openVersion = 0;
        openPartition = -1;
        open = membership.replace(0, new PartitionMap(lines).encode());
        return 1;
    }

    private int reopen() {
        if (map == null || open != null) {
            return 0;
        }
        for (int i = 0; i < replicas.size(); i++) {
            if (replicas.get(i).mayReopen() && nobodyRuns(i) && (settings.forced() || isLongest(i))) {
                return request(i, map.partitions().get(i).reopened(self)) ? 1 : 0;
            }
        }
        return 0;
    }

    private boolean nobodyRuns(int partition) {
        SortedMap<Integer, byte[]> live = membership.live();
        return map.partitions().get(partition).sync().stream()
                .noneMatch(member -> live.containsKey(member.node())
                        && NodeEntry.decode(live.get(member.node())).incarnation() == member.incarnation());
    }

    /** Under receipt alone: all members are up again with their logs, and this one's is the longest. */
    private boolean isLongest(int partition) {
        SortedMap<Integer, byte[]> live = membership.live();
        NodeEntry.Log own = entry().logs().get(partition);
        for (Member member : map.partitions().get(partition).sync()) {
            if (!live.containsKey(member.node())) {
                return false;
            }
            NodeEntry.Log other =
                    NodeEntry.decode(live.get(member.node())).logs().get(partition);
            if (!other.hasStart(member.incarnation()) || other.loading()) {
                return false;
            }
            if (member.node() != self.node() && !own.isAsLongAs(other)) {
                return false;
            }
        }
        return true;
    }

    // ---- Messages

    private boolean send(int partition, Member to, PeerMessage message) {
        Link link = link(to.node());
        if (link == null) {
            return false;
        }
        byte[] frame = new PeerMessage.Envelope(partition, self.node(), self.incarnation(), to.incarnation(), message)
                .encode();
        return link.send(frame, 0, frame.length);
    }

    /** The link to a node, or null if it has ended and another was begun. */
    private Link link(int node) {
        Link link = outgoing.get(node);
        if (link == null || link.state() == Link.State.CLOSED) {
            outgoing.put(node, links.connect(addresses.apply(node)));
            replicas.forEach(replica -> replica.linkReset(node));
            return null;
        }
        return link;
    }

    private int receive(long nowNs) {
        int work = 0;
        for (Link link = links.accept(); link != null; link = links.accept()) {
            incoming.add(link);
            work++;
        }
        for (Link link : incoming) {
            for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
                work++;
                if (frame[0] == PeerFrames.KIND) {
                    others.receive(frame, nowNs);
                    continue;
                }
                PeerMessage.Envelope envelope = PeerMessage.Envelope.decode(frame);
                if (envelope.receiverIncarnation() == self.incarnation()) {
                    Member from = new Member(envelope.sender(), envelope.senderIncarnation());
                    replicas.get(envelope.partition()).receive(from, envelope.message(), nowNs);
                }
            }
        }
        incoming.removeIf(link -> link.state() == Link.State.CLOSED);
        return work;
    }
}
