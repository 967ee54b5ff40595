package io.reprise.cluster.replica;

import io.reprise.cluster.Link;
import io.reprise.cluster.Member;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The open links to peers. Any thread sends over them at once, which spares its messages the cluster agent's thread. The agent opens
 * the links, and sends what finds none.
 */
final class OpenLinks {
    private static final Used[] NONE = {};

    private final Member self;

    /** By node; null entries where no link is open. */
    private final AtomicReference<Used[]> open = new AtomicReference<>(NONE);

    private static final class Used {
        final Link link;

        /** Whether a replica's message went over it. */
        final AtomicBoolean isUsed = new AtomicBoolean();

        Used(Link link) {
            this.link = link;
        }
    }

    /** No links of a node. */
    OpenLinks(Member self) {
        this.self = self;
    }

    /** Agent: the link to a node is open. */
    void opened(int node, Link link) {
        Used before = of(node);
        if (before == null || before.link != link) {
            Used[] next = Arrays.copyOf(open.get(), Math.max(node + 1, open.get().length));
            next[node] = new Used(link);
            open.set(next);
        }
    }

    /** Agent: the link to a node has ended. Returns whether replicas' messages went over it. */
    boolean ended(int node) {
        Used before = of(node);
        if (before == null) {
            return false;
        }
        Used[] next = open.get().clone();
        next[node] = null;
        open.set(next);
        return before.isUsed.get();
    }

    private Used of(int node) {
        Used[] now = open.get();
        return node < now.length ? now[node] : null;
    }

    /** Any thread: sends a replica's message; false if there is no open link with room. */
    boolean send(ReplicaExchange.Outgoing message) {
        Used to = of(message.to().node());
        if (to == null) {
            return false;
        }
        if (!to.isUsed.get()) {
            to.isUsed.set(true);
        }
        byte[] frame = encode(message);
        return to.link.send(frame, 0, frame.length);
    }

    /** Any thread: sends a frame; false if there is no open link with room. */
    boolean send(int node, byte[] frame) {
        Used to = of(node);
        return to != null && to.link.send(frame, 0, frame.length);
    }

    /** The frame of a replica's message. */
    byte[] encode(ReplicaExchange.Outgoing message) {
        return new PeerMessage.Envelope(
                        message.partition(),
                        self.node(),
                        self.incarnation(),
                        message.to().incarnation(),
                        message.message())
                .encode();
    }
}
