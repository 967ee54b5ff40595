package io.reprise.cluster.replica;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * A node's links to its peers. Each pair of nodes has two links, one opened by each side, and a node sends on its own. Messages to a
 * node whose link has ended are lost; each such end is counted. Messages to a node whose link is being opened are lost without a
 * count. Owned by the cluster agent.
 */
final class PeerLinks implements AutoCloseable {
    /** A link that ends again and again is dialed so often at most while no message waits for it: its address may be unreachable. */
    static final long REDIAL_NS = 20_000_000;

    private final Links links;
    private final OpenLinks open;
    private final IntFunction<String> addresses;
    private final SortedMap<Integer, Link> outgoing = new TreeMap<>();
    private final List<Link> incoming = new ArrayList<>();
    private final SortedMap<Integer, Long> resets = new TreeMap<>();

    /** Nodes to which messages went over the present link. A link that never opened has lost nothing when it closes. */
    private final SortedSet<Integer> used = new TreeSet<>();

    /** By node, the peer address of its last entry: a node whose session has ended may still be reached. */
    private final SortedMap<Integer, String> known = new TreeMap<>();

    /** By node, the incarnation of its last entry. */
    private final SortedMap<Integer, Long> incarnations = new TreeMap<>();

    /** By node, the incarnation that its link was dialed for. */
    private final SortedMap<Integer, Long> dialed = new TreeMap<>();

    /** By node, the incarnation whose address rejects connections: its process has ended. */
    private final SortedMap<Integer, Long> ended = new TreeMap<>();

    /** By node, the time at which an ended link was dialed again without a message. */
    private final SortedMap<Integer, Long> redialedNs = new TreeMap<>();

    private boolean hasNews;

    /** The taker of received frames. */
    interface Taker {
        /** Returns false to go on with other work first. */
        boolean take(byte[] frame);
    }

    /**
     * No links.
     *
     * @param addresses the peer address of each node that was never live; otherwise its last entry has it
     */
    PeerLinks(Member self, Links links, IntFunction<String> addresses) {
        open = new OpenLinks(self);
        this.links = links;
        this.addresses = addresses;
    }

    /** The entries of live nodes have changed. */
    void entries(SortedMap<Integer, NodeEntry> live) {
        live.forEach((node, peer) -> {
            endLinkToEarlierRun(node, peer);
            known.put(node, peer.peerAddress());
        });
    }

    /** A link that was opened before a node's present run may lead nowhere, and may never end by itself. */
    private void endLinkToEarlierRun(int node, NodeEntry peer) {
        Long before = incarnations.put(node, peer.incarnation());
        Link link = outgoing.get(node);
        if (link != null && before != null && before != peer.incarnation()) {
            link.close();
        }
    }

    /** By node, the number of links that have ended. */
    SortedMap<Integer, Long> resets() {
        return new TreeMap<>(resets);
    }

    /** By node, the incarnation whose process has ended, because nothing listens at its address any more. */
    SortedMap<Integer, Long> ended() {
        return new TreeMap<>(ended);
    }

    /** Whether a link or a process has ended since the last question. */
    boolean takeNews() {
        boolean had = hasNews;
        hasNews = false;
        return had;
    }

    /**
     * Looks after links that have ended, so that the end of a process is noticed without a message to it. A refused link is dialed again
     * by the next message only, any other one after a pause. Returns how much was done.
     */
    int check(long nowNs) {
        if (!links.tellsRefusals()) {
            return 0;
        }
        int work = 0;
        for (Map.Entry<Integer, Link> each : outgoing.entrySet()) {
            Link link = each.getValue();
            int node = each.getKey();
            if (link.state() == Link.State.OPEN) {
                work += isBack(node);
            } else if (link.state() == Link.State.CLOSED) {
                work += link.isRefused() ? hasEnded(node) : redial(node, nowNs);
            }
        }
        return work;
    }

    private int isBack(int node) {
        if (ended.isEmpty() || ended.remove(node) == null) {
            return 0;
        }
        hasNews = true;
        return 1;
    }

    private int hasEnded(int node) {
        Long incarnation = dialed.get(node);
        if (incarnation == null || incarnation.equals(ended.put(node, incarnation))) {
            return 0;
        }
        hasNews = true;
        return 1;
    }

    private int redial(int node, long nowNs) {
        Long before = redialedNs.get(node);
        if (before != null && nowNs - before < REDIAL_NS) {
            return 0;
        }
        redialedNs.put(node, nowNs);
        link(node);
        return 1;
    }

    /** The open links, over which any thread sends. */
    OpenLinks open() {
        return open;
    }

    /** Lets all threads send over the links that are open by now. */
    void publish() {
        for (Map.Entry<Integer, Link> each : outgoing.entrySet()) {
            if (each.getValue().state() == Link.State.OPEN) {
                open.opened(each.getKey(), each.getValue());
            }
        }
    }

    /** Sends a frame; false if the link is down or full, when the frame is lost. */
    boolean send(int node, byte[] frame) {
        Link link = link(node);
        return link != null && link.send(frame, 0, frame.length);
    }

    /** Whether the message was sent or is lost; false if the link is full. */
    boolean send(ReplicaExchange.Outgoing next) {
        Link link = link(next.to().node());
        if (link == null || link.state() != Link.State.OPEN) {
            return true;
        }
        used.add(next.to().node());
        byte[] frame = open.encode(next);
        return link.send(frame, 0, frame.length) || link.state() != Link.State.OPEN;
    }

    /** The link to a node, or null if it has ended and another was begun. */
    private Link link(int node) {
        Link link = outgoing.get(node);
        if (link == null || link.state() == Link.State.CLOSED) {
            String address = known.get(node);
            outgoing.put(node, links.connect(address == null ? addresses.apply(node) : address));
            noteDialed(node);
            boolean wasUsed = used.remove(node) | open.ended(node);
            if (link == null || wasUsed) {
                resets.merge(node, 1L, Long::sum);
                hasNews = true;
            }
            return null;
        }
        return link;
    }

    private void noteDialed(int node) {
        Long incarnation = incarnations.get(node);
        if (incarnation == null) {
            dialed.remove(node);
        } else {
            dialed.put(node, incarnation);
        }
    }

    /** Passes on received frames. Returns how much was done. */
    int receive(Taker taker) {
        int work = 0;
        for (Link link = links.accept(); link != null; link = links.accept()) {
            incoming.add(link);
            work++;
        }
        for (Link link : incoming) {
            for (byte[] frame = link.receive(); frame != null; frame = link.receive()) {
                work++;
                if (!taker.take(frame)) {
                    return work;
                }
            }
        }
        incoming.removeIf(link -> link.state() == Link.State.CLOSED);
        return work;
    }

    @Override
    public void close() {
        outgoing.values().forEach(Link::close);
        incoming.forEach(Link::close);
    }
}
