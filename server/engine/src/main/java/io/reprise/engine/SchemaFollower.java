package io.reprise.engine;

import io.reprise.engine.replication.CallPassing;
import io.reprise.engine.replication.StreamSchema;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.nio.ByteBuffer;
import java.util.function.BooleanSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The following of changes of the schema by a node that holds no replica. No stream tells the node of changes, so it asks a leader
 * once in a second, and takes the leader's schema if that is another one.
 *
 * <pre>
 *  question: u1 66 | u1 1 | u4 sender | u8 its last change | u8 hash of its schema
 *  answer:   u1 66 | u1 2 | u8 last change | u8 hash | whole schema
 * </pre>
 *
 * <p>All numbers are big-endian. A frame may be lost. Owned by the thread of {@link ClusterSchema}; any thread offers frames.
 */
final class SchemaFollower {
    /** The first byte of each frame. */
    static final byte KIND = 66;

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.schema");
    private static final byte QUESTION = 1;
    private static final byte ANSWER = 2;
    private static final int CAPACITY = 64;
    private static final long ASK_NS = 1_000_000_000;

    /** A frame between nodes has room for so much. */
    private static final int MOST_BYTES = 48 << 20;

    private final CallPassing.Peers peers;
    private final StreamSchema schema;
    private final BooleanSupplier holdsNothing;
    private final MpscRing<byte[]> frames;
    private long askNs = Long.MIN_VALUE / 2;

    /** For a node among others, which asks while it holds nothing. The waker is null if the agent polls. */
    SchemaFollower(CallPassing.Peers peers, StreamSchema schema, BooleanSupplier holdsNothing, Waker waker) {
        this.peers = peers;
        this.schema = schema;
        this.holdsNothing = holdsNothing;
        frames = new MpscRing<>(CAPACITY, waker);
    }

    /** Any thread: takes in a frame; one for which there is no room is lost. */
    void receive(byte[] frame) {
        frames.offer(frame);
    }

    /** Asks and answers. Returns how much was done. */
    int step(long nowNs) {
        int work = 0;
        for (byte[] frame = frames.poll(); frame != null; frame = frames.poll()) {
            ByteBuffer in = ByteBuffer.wrap(frame, 1, frame.length - 1);
            if (in.get() == QUESTION) {
                answer(in.getInt(), in.getLong(), in.getLong());
            } else if (holdsNothing.getAsBoolean()) {
                take(in.getLong(), in.getLong(), in);
            }
            work++;
        }
        if (nowNs - askNs >= ASK_NS && holdsNothing.getAsBoolean()) {
            askNs = nowNs;
            work += ask();
        }
        return work;
    }

    private int ask() {
        int leader = peers.leader(0);
        if (leader < 0 || leader == peers.node()) {
            return 0;
        }
        byte[] question = ByteBuffer.allocate(2 + Integer.BYTES + 2 * Long.BYTES)
                .put(KIND)
                .put(QUESTION)
                .putInt(peers.node())
                .putLong(schema.changed())
                .putLong(schema.hash())
                .array();
        peers.send(leader, question);
        return 1;
    }

    private void answer(int node, long changed, long hash) {
        if (schema.changed() == changed && schema.hash() == hash) {
            return;
        }
        byte[] whole = schema.whole();
        if (whole.length > MOST_BYTES) {
            LOG.warn(
                    "Node {} holds no replica, and can't follow the schema: with its classes this has {} bytes, and at most {}"
                            + " can be sent. Deploy smaller jars",
                    node,
                    whole.length,
                    MOST_BYTES);
            return;
        }
        byte[] answer = ByteBuffer.allocate(2 + 2 * Long.BYTES + whole.length)
                .put(KIND)
                .put(ANSWER)
                .putLong(schema.changed())
                .putLong(schema.hash())
                .put(whole)
                .array();
        peers.send(node, answer);
    }

    private void take(long changed, long hash, ByteBuffer in) {
        // An answer to an earlier question may come late.
        if (changed > schema.changed() || changed == schema.changed() && hash != schema.hash()) {
            byte[] whole = new byte[in.remaining()];
            in.get(whole);
            schema.take(whole, changed);
        }
    }
}
