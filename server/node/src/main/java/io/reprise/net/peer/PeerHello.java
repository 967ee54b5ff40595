package io.reprise.net.peer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.reprise.cluster.Levels;
import io.reprise.id.DatabaseId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * The first frame on a connection between nodes.
 *
 * <pre>
 *  u4 length | u1 HELLO | u8 magic | u2 least level | u2 greatest level | u4 node | u8 u8 database | u1 purpose
 *            | u2 bytes, cluster (UTF-8)
 * </pre>
 *
 * All numbers are big-endian. A later level may append fields, which earlier ones skip. Both ends speak the greatest level that they have
 * in common, which the WELCOME names.
 *
 * @param levels the levels that the sender speaks
 * @param node the sender's number
 * @param purpose {@link #FRAMES} or {@link #CALLS}
 */
record PeerHello(Levels levels, int node, DatabaseId database, byte purpose, String cluster) {
    // Kinds of frames.
    static final byte HELLO = 1;
    static final byte WELCOME = 2;
    static final byte REFUSED = 3;
    static final byte FRAME = 4;

    /** Purpose: a link of the engine. */
    static final byte FRAMES = 0;

    /** Purpose: calls of clients that another node passes on, in the native protocol. */
    static final byte CALLS = 1;

    /** The most bytes of a frame of the greeting. */
    static final int MOST_BYTES = 1 << 10;

    static final int LENGTH_BYTES = 4;
    private static final long MAGIC = 0x7265_7072_6973_6570L;
    private static final int LEAST_BYTES = 8 + 2 + 2 + 4 + 16 + 1 + 2;

    /** The greeting of this node. */
    static PeerHello of(PeerSettings own, byte purpose) {
        return new PeerHello(own.levels(), own.node(), own.database(), purpose, own.cluster());
    }

    ByteBuf encode(ByteBufAllocator allocator) {
        byte[] name = cluster.getBytes(StandardCharsets.UTF_8);
        ByteBuf out = allocator.buffer(LENGTH_BYTES + 1 + LEAST_BYTES + name.length);
        out.writeInt(1 + LEAST_BYTES + name.length).writeByte(HELLO).writeLong(MAGIC);
        out.writeShort(levels.least()).writeShort(levels.greatest()).writeInt(node);
        out.writeLong(database.high()).writeLong(database.low()).writeByte(purpose);
        return out.writeShort(name.length).writeBytes(name);
    }

    /** Reads the content behind the kind; empty if it is none. */
    static Optional<PeerHello> decode(ByteBuf in) {
        if (in.readableBytes() < LEAST_BYTES || in.readLong() != MAGIC) {
            return Optional.empty();
        }
        Optional<Levels> levels = Levels.of(in.readUnsignedShort(), in.readUnsignedShort());
        int node = in.readInt();
        DatabaseId database = new DatabaseId(in.readLong(), in.readLong());
        byte purpose = in.readByte();
        int bytes = in.readUnsignedShort();
        if (levels.isEmpty() || bytes > in.readableBytes()) {
            return Optional.empty();
        }
        String cluster = in.readCharSequence(bytes, StandardCharsets.UTF_8).toString();
        return Optional.of(new PeerHello(levels.get(), node, database, purpose, cluster));
    }

    /** The reason why this node refuses the sender, with the remedy; empty: it does not. */
    Optional<String> problem(PeerSettings own) {
        if (levels.common(own.levels()).isEmpty()) {
            int older = levels.greatest() < own.levels().least() ? node : own.node();
            return Optional.of("node " + node + " speaks " + levels + " of the protocol between nodes, and node "
                    + own.node() + " speaks " + own.levels() + ": start node " + older
                    + " with a version of Reprise that speaks one of the other's levels");
        }
        if (!cluster.equals(own.cluster())) {
            return Optional.of("node " + node + " belongs to the cluster " + cluster + ", and node " + own.node()
                    + " to the cluster " + own.cluster() + ": correct cluster.name, or the address of the peer");
        }
        if (!database.equals(own.database())) {
            return Optional.of("node " + node + " has the database " + database + ", and node " + own.node()
                    + " the database " + own.database() + ", in the cluster " + cluster
                    + ": start the node with the data directory of this cluster, or with an empty one");
        }
        if (node == own.node()) {
            return Optional.of("both nodes have the number " + node + " in the cluster " + cluster
                    + ": give each node a number of its own (cluster.node), and check the address of the peer");
        }
        if (purpose != FRAMES && purpose != CALLS) {
            return Optional.of("node " + node + " asks for a connection of kind " + purpose + ", which node "
                    + own.node() + " does not have: upgrade node " + own.node());
        }
        return Optional.empty();
    }

    /** The level of a connection between the sender and a node that does not refuse it. */
    int chosen(PeerSettings own) {
        return levels.common(own.levels()).orElseThrow().greatest();
    }

    /** The answer to an accepted greeting: u4 length, u1 WELCOME, u8 magic, u2 chosen level, u4 node. */
    static ByteBuf welcome(ByteBufAllocator allocator, int level, int node) {
        int bytes = 1 + Long.BYTES + Short.BYTES + Integer.BYTES;
        return allocator
                .buffer(LENGTH_BYTES + bytes)
                .writeInt(bytes)
                .writeByte(WELCOME)
                .writeLong(MAGIC)
                .writeShort(level)
                .writeInt(node);
    }

    /**
     * A Welcome.
     *
     * @param level the level that the other end has chosen
     * @param node the other end's number
     */
    record Welcome(int level, int node) {
        /** Reads the content behind the kind; empty if it is none. */
        static Optional<Welcome> decode(ByteBuf in) {
            if (in.readableBytes() < Long.BYTES + Short.BYTES + Integer.BYTES || in.readLong() != MAGIC) {
                return Optional.empty();
            }
            return Optional.of(new Welcome(in.readUnsignedShort(), in.readInt()));
        }
    }

    /** The answer to a refused greeting: u4 length, u1 REFUSED, then the reason in UTF-8. */
    static ByteBuf refused(ByteBufAllocator allocator, String why) {
        byte[] text = why.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MOST_BYTES - 1);
        return allocator
                .buffer(LENGTH_BYTES + 1 + length)
                .writeInt(1 + length)
                .writeByte(REFUSED)
                .writeBytes(text, 0, length);
    }
}
