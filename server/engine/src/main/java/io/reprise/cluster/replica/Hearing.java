package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ObjIntConsumer;

/**
 * The live nodes that this node does not hear. Each node sends a sign of life to all others at intervals, because nodes that share no
 * partition may have no other frames for each other. A node is unheard after three intervals of silence, and heard again when its signs
 * have come regularly for five. A new node has fifty until its first sign: on a busy machine its start, and the making of links, take
 * long.
 *
 * <p>The node names the unheard ones in its live entry, which reaches them over the membership service. Silence is measured in time in
 * which the agent ran and had read all frames: a pause of this process is no silence of others, and neither are signs that wait behind
 * a message for a busy site. Owned by the cluster agent.
 *
 * <pre>
 *  sign of life: u1 kind | u4 node | u8 incarnation     all numbers are big-endian
 * </pre>
 */
final class Hearing {
    /** The first byte of a sign of life; all other frames begin with another one. */
    static final byte KIND = PeerFrames.KIND - 1;

    private static final int SILENT_INTERVALS = 3;
    private static final int REGULAR_INTERVALS = 5;
    private static final int NEW_INTERVALS = 50;

    private final Member self;
    private final long intervalNs;
    private final byte[] sign;
    private final SortedMap<Integer, Peer> peers = new TreeMap<>();
    private long attendedNs;
    private long steppedNs = Long.MIN_VALUE;
    private long sentNs;
    private boolean hasChanged;

    /** A live node. */
    private static final class Peer {
        private final long incarnation;
        private long heardNs;

        /** The end of the last gap of more than two intervals between its signs. */
        private long gapNs;

        private boolean isUnheard;

        /** A node that is live from now on, and first heard of at a time. */
        Peer(long incarnation, long firstNs) {
            this.incarnation = incarnation;
            heardNs = firstNs;
            gapNs = firstNs;
        }
    }

    Hearing(Member self, long intervalNs) {
        this.self = self;
        this.intervalNs = intervalNs;
        sign = ByteBuffer.allocate(1 + Integer.BYTES + Long.BYTES)
                .put(KIND)
                .putInt(self.node())
                .putLong(self.incarnation())
                .array();
    }

    /** The live nodes have changed. */
    void entries(SortedMap<Integer, NodeEntry> live) {
        peers.entrySet().removeIf(each -> {
            NodeEntry entry = live.get(each.getKey());
            boolean isGone = entry == null || entry.incarnation() != each.getValue().incarnation;
            hasChanged |= isGone && each.getValue().isUnheard;
            return isGone;
        });
        live.forEach((node, entry) -> {
            if (node != self.node()) {
                long firstNs = attendedNs + (NEW_INTERVALS - SILENT_INTERVALS) * intervalNs;
                peers.computeIfAbsent(node, id -> new Peer(entry.incarnation(), firstNs));
            }
        });
    }

    /** A sign of life has come. */
    void heard(byte[] frame) {
        ByteBuffer in = ByteBuffer.wrap(frame, 1, frame.length - 1);
        Peer peer = peers.get(in.getInt());
        if (peer != null && peer.incarnation == in.getLong()) {
            if (attendedNs - peer.heardNs > 2 * intervalNs) {
                peer.gapNs = attendedNs;
            }
            peer.heardNs = attendedNs;
        }
    }

    /**
     * Sends signs of life that are due, and judges the silence of others.
     *
     * @param isReading false if frames are left unread, among which may be signs of life
     */
    void step(long nowNs, boolean isReading, ObjIntConsumer<byte[]> sender) {
        if (steppedNs != Long.MIN_VALUE && isReading) {
            attendedNs += Math.min(nowNs - steppedNs, intervalNs);
        }
        steppedNs = nowNs;
        if (nowNs - sentNs >= intervalNs) {
            sentNs = nowNs;
            peers.keySet().forEach(node -> sender.accept(sign, node));
        }
        peers.values().forEach(this::judge);
    }

    private void judge(Peer peer) {
        long silentNs = attendedNs - peer.heardNs;
        boolean changes = peer.isUnheard
                ? silentNs <= 2 * intervalNs && attendedNs - peer.gapNs >= REGULAR_INTERVALS * intervalNs
                : silentNs > SILENT_INTERVALS * intervalNs;
        if (changes) {
            peer.isUnheard = !peer.isUnheard;
            hasChanged = true;
        }
    }

    /** Whether other nodes than before are unheard since the last question. */
    boolean takeChanged() {
        boolean had = hasChanged;
        hasChanged = false;
        return had;
    }

    /** The nodes that are unheard, in order. */
    List<Member> unheard() {
        List<Member> unheard = new ArrayList<>();
        peers.forEach((node, peer) -> {
            if (peer.isUnheard) {
                unheard.add(new Member(node, peer.incarnation));
            }
        });
        return unheard;
    }
}
