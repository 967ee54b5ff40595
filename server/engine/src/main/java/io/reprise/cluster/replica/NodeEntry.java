package io.reprise.cluster.replica;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A live node's entry: the levels that it speaks, its incarnation, its addresses, and for each of its partitions the end of its log at the node's start.
 *
 * <pre>
 *  u2 least level | u2 greatest level
 *  u8 incarnation | u8 hash of the schema | u1 leaving | u2 bytes, peer address | u2 bytes, client address | u4 logs, then for each
 *  u4 partition | u8 last epoch | u8 last index | u1 loading | u4 starts | starts x u8 incarnation
 *     | noted line, as {@link NotedLine} has it | moved buckets, as {@link MovedBuckets} has them
 *  then u4 unheard | unheard x (u4 node | u8 incarnation)
 * </pre>
 *
 * All numbers are big-endian, addresses are UTF-8. A later level may append fields, which earlier ones skip.
 *
 * @param levels the levels that the node's program speaks
 * @param incarnation the number of the node's present run
 * @param schemaHash the hash of the schema with which the node has started
 * @param leaving whether the node is about to stop, and gives up its parts in partitions
 * @param peerAddress the address at which the node accepts its peers' links
 * @param clientAddress the address at which clients reach the node; empty if none do
 * @param logs the logs of the node's partitions
 * @param unheard the live nodes that this one does not hear
 */
public record NodeEntry(
        Levels levels,
        long incarnation,
        long schemaHash,
        boolean leaving,
        String peerAddress,
        String clientAddress,
        List<Log> logs,
        List<Member> unheard) {
    /** The entry of a node of this program that stays, and hears all others. */
    public NodeEntry(long incarnation, long schemaHash, String peerAddress, String clientAddress, List<Log> logs) {
        this(Levels.OWN, incarnation, schemaHash, false, peerAddress, clientAddress, logs, List.of());
    }

    /** This entry for a program with other levels. */
    public NodeEntry withLevels(Levels others) {
        return new NodeEntry(others, incarnation, schemaHash, leaving, peerAddress, clientAddress, logs, unheard);
    }

    /** This entry for a node that is about to stop. */
    public NodeEntry withLeaving() {
        return new NodeEntry(levels, incarnation, schemaHash, true, peerAddress, clientAddress, logs, unheard);
    }

    /** This entry with other unheard nodes. */
    public NodeEntry withUnheard(List<Member> nodes) {
        return new NodeEntry(
                levels, incarnation, schemaHash, leaving, peerAddress, clientAddress, logs, List.copyOf(nodes));
    }

    /**
     * A partition's log at the node's start.
     *
     * @param loading whether it holds nothing until an image is complete
     * @param starts the incarnations whose start is durable here
     * @param noted the partition's line of the map, when the replica was in sync the last time
     * @param movedBuckets by bucket that has left the partition or come to it, the partition that has it
     */
    public record Log(
            int partition,
            long lastEpoch,
            long lastIndex,
            boolean loading,
            List<Long> starts,
            NotedLine noted,
            SortedMap<Integer, Integer> movedBuckets) {
        /** The log of a partition as it is now. */
        public static Log of(int partition, ReplicaLog log) {
            return new Log(
                    partition,
                    log.epochAt(log.lastIndex()),
                    log.lastIndex(),
                    log.isLoading(),
                    List.copyOf(log.starts()),
                    log.noted(),
                    log.movedBuckets());
        }

        /** Whether the log has the durable start of this incarnation. */
        public boolean hasStart(long incarnation) {
            return starts.contains(incarnation);
        }

        boolean isAsLongAs(Log other) {
            return lastEpoch > other.lastEpoch || lastEpoch == other.lastEpoch && lastIndex >= other.lastIndex;
        }
    }

    /** The log of a partition, or null if the node does not hold it. */
    public Log log(int partition) {
        for (Log log : logs) {
            if (log.partition == partition) {
                return log;
            }
        }
        return null;
    }

    /** The levels that each of these nodes speaks. */
    static SortedMap<Integer, Levels> levelsOf(SortedMap<Integer, NodeEntry> live) {
        SortedMap<Integer, Levels> spoken = new TreeMap<>();
        live.forEach((node, entry) -> spoken.put(node, entry.levels));
        return spoken;
    }

    /** The bytes that the membership service holds. */
    public byte[] encode() {
        byte[] peer = peerAddress.getBytes(StandardCharsets.UTF_8);
        byte[] client = clientAddress.getBytes(StandardCharsets.UTF_8);
        int bytes = 33 + peer.length + client.length + 12 * unheard.size();
        for (Log log : logs) {
            bytes += 25 + 8 * log.starts.size() + log.noted.bytes() + MovedBuckets.bytes(log.movedBuckets);
        }
        ByteBuffer out =
                ByteBuffer.allocate(bytes).putShort((short) levels.least()).putShort((short) levels.greatest());
        out.putLong(incarnation).putLong(schemaHash);
        out.put((byte) (leaving ? 1 : 0));
        out.putShort((short) peer.length).put(peer);
        out.putShort((short) client.length).put(client);
        out.putInt(logs.size());
        for (Log log : logs) {
            out.putInt(log.partition).putLong(log.lastEpoch).putLong(log.lastIndex);
            out.put((byte) (log.loading ? 1 : 0));
            out.putInt(log.starts.size());
            log.starts.forEach(out::putLong);
            log.noted.encode(out);
            MovedBuckets.encode(log.movedBuckets, out);
        }
        out.putInt(unheard.size());
        unheard.forEach(member -> out.putInt(member.node()).putLong(member.incarnation()));
        return out.array();
    }

    /** Reads the bytes of {@link #encode}. */
    public static NodeEntry decode(byte[] entry) {
        ByteBuffer in = ByteBuffer.wrap(entry);
        Levels levels = new Levels(Short.toUnsignedInt(in.getShort()), Short.toUnsignedInt(in.getShort()));
        long incarnation = in.getLong();
        long schemaHash = in.getLong();
        boolean leaving = in.get() != 0;
        String peerAddress = address(in);
        String clientAddress = address(in);
        List<Log> logs = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            int partition = in.getInt();
            long lastEpoch = in.getLong();
            long lastIndex = in.getLong();
            boolean loading = in.get() != 0;
            List<Long> starts = new ArrayList<>();
            for (int count = in.getInt(); count > 0; count--) {
                starts.add(in.getLong());
            }
            NotedLine noted = NotedLine.decode(in);
            logs.add(new Log(partition, lastEpoch, lastIndex, loading, starts, noted, MovedBuckets.decode(in)));
        }
        List<Member> unheard = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            unheard.add(new Member(in.getInt(), in.getLong()));
        }
        return new NodeEntry(levels, incarnation, schemaHash, leaving, peerAddress, clientAddress, logs, unheard);
    }

    private static String address(ByteBuffer in) {
        byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
