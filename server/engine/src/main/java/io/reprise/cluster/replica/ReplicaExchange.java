package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The queues between a {@link ReplicaGroup} on a site's thread and the {@link ClusterAgent}: messages both ways, the newest
 * {@link ClusterView}, and the group's open request. Bounded; a full queue holds messages back at their sender.
 *
 * <p>Messages pass the agent only if they have to. The network's threads put received ones into the queues, and the group sends
 * over an open link itself, unless earlier messages still wait for the agent.
 */
public final class ReplicaExchange {
    private static final int CAPACITY = 1024;

    /** A message and its receiver. */
    record Outgoing(Member to, int partition, PeerMessage message) {}

    /** A frame of a transaction between the leaders of two partitions. */
    record Frame(Member to, int partition, byte[] bytes) {}

    private final MpscRing<byte[]> framesIn;
    private final SpscRing<Frame> framesOut;
    private final MpscRing<PeerMessage.Envelope> inbound;
    private final SpscRing<Outgoing> outbound;
    private final Waker site;
    private final AtomicReference<ClusterView> view =
            new AtomicReference<>(new ClusterView(-1, null, new TreeMap<>(), false, new TreeMap<>(), new TreeMap<>()));
    private final AtomicReference<MapRequest> request = new AtomicReference<>();
    private final AtomicBoolean balancing = new AtomicBoolean();
    private final AtomicBoolean withdrawn = new AtomicBoolean();
    private final SitePulse pulse = new SitePulse();

    /** Sends at once; set before the first step. */
    private ClusterAgent agent;

    /**
     * An exchange without messages.
     *
     * @param site wakes the group's thread; null if it polls
     * @param agent wakes the cluster agent's thread; null if it polls
     */
    public ReplicaExchange(Waker site, Waker agent) {
        this.site = site;
        framesIn = new MpscRing<>(CAPACITY, site);
        framesOut = new SpscRing<>(CAPACITY, agent);
        inbound = new MpscRing<>(CAPACITY, site);
        outbound = new SpscRing<>(CAPACITY, agent);
    }

    /** Before the first step: the agent at the other end. */
    void connect(ClusterAgent other) {
        agent = other;
    }

    /** Frames of transactions to the group. Any thread offers. */
    MpscRing<byte[]> framesIn() {
        return framesIn;
    }

    /** Frames of transactions of the group. */
    SpscRing<Frame> framesOut() {
        return framesOut;
    }

    /** Messages to the group. Any thread offers. */
    MpscRing<PeerMessage.Envelope> inbound() {
        return inbound;
    }

    /** Group: sends a message; false if too many wait for the agent, when it is lost. */
    boolean send(Outgoing message) {
        return outbound.isEmpty() && agent.sendNow(message) || outbound.offer(message);
    }

    /** Group: sends a frame of a transaction, which may be lost. */
    void send(Frame frame) {
        if (!framesOut.isEmpty() || !agent.sendNow(frame)) {
            framesOut.offer(frame);
        }
    }

    /** Any thread: whether frames can be exchanged with a node, as far as is known. */
    boolean reaches(int node) {
        return agent.reaches(node);
    }

    /** Agent: wakes the group's thread. */
    void wakeSite() {
        if (site != null) {
            site.wake();
        }
    }

    /** Messages of the group. */
    SpscRing<Outgoing> outbound() {
        return outbound;
    }

    /** Agent: publishes news. */
    void publish(ClusterView news) {
        view.set(news);
        wakeSite();
    }

    /** Group: the newest view. */
    ClusterView view() {
        return view.get();
    }

    /** Any thread: whether the group's leaders hand over to the first holders of their partitions. */
    void balance(boolean on) {
        balancing.set(on);
    }

    /** Group: whether the first holders are to lead. */
    boolean isBalancing() {
        return balancing.get();
    }

    /** Group: its replicas have no part that another node can take over. */
    void withdrawn() {
        withdrawn.set(true);
    }

    /** Whether the group has given up its parts. Any thread. */
    boolean isWithdrawn() {
        return withdrawn.get();
    }

    /** The signs of life of the group's thread. */
    SitePulse pulse() {
        return pulse;
    }

    /** Group: posts a request; the one before it is closed. */
    void post(MapRequest next) {
        request.set(next);
    }

    /** Agent: the open request, or null. */
    MapRequest request() {
        MapRequest posted = request.get();
        return posted == null || posted.isClosed() ? null : posted;
    }
}
