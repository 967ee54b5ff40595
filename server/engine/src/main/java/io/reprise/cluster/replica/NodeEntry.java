package io.reprise.cluster.replica;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * A live node's entry: its incarnation, its addresses, and for each partition the end of its log at the node's start.
 *
 * <pre>
 *  u8 incarnation | u2 bytes, peer address | u2 bytes, client address | u4 partitions, then for each
 *  u8 last epoch | u8 last index | u1 loading | u4 starts | starts x u8 incarnation
 * </pre>
 *
 * All numbers are big-endian, addresses are UTF-8.
 *
 * @param incarnation the number of the node's present run
 * @param peerAddress the address at which the node accepts its peers' links
 * @param clientAddress the address at which clients reach the node; empty if none do
 * @param logs the logs by partition
 */
public record NodeEntry(long incarnation, String peerAddress, String clientAddress, List<Log> logs) {
    /** A partition's log at the node's start. */
    public record Log(long lastEpoch, long lastIndex, boolean loading, List<Long> starts) {
        /** Whether the log has the durable start of this incarnation. */
        public boolean hasStart(long incarnation) {
            return starts.contains(incarnation);
        }

        boolean isAsLongAs(Log other) {
            return lastEpoch > other.lastEpoch || lastEpoch == other.lastEpoch && lastIndex >= other.lastIndex;
        }
    }

    static NodeEntry of(long incarnation, String peerAddress, String clientAddress, List<ReplicaLog> logs) {
        List<Log> entries = new ArrayList<>();
        for (ReplicaLog log : logs) {
            entries.add(new Log(log.epochAt(log.lastIndex()), log.lastIndex(), log.isLoading(), log.starts()));
        }
        return new NodeEntry(incarnation, peerAddress, clientAddress, entries);
    }

    /** The bytes that the membership service holds. */
    public byte[] encode() {
        byte[] peer = peerAddress.getBytes(StandardCharsets.UTF_8);
        byte[] client = clientAddress.getBytes(StandardCharsets.UTF_8);
        int bytes = 16 + peer.length + client.length;
        for (Log log : logs) {
            bytes += 21 + 8 * log.starts.size();
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putLong(incarnation);
        out.putShort((short) peer.length).put(peer);
        out.putShort((short) client.length).put(client);
        out.putInt(logs.size());
        for (Log log : logs) {
            out.putLong(log.lastEpoch).putLong(log.lastIndex).put((byte) (log.loading ? 1 : 0));
            out.putInt(log.starts.size());
            log.starts.forEach(out::putLong);
        }
        return out.array();
    }

    /** Reads the bytes of {@link #encode}. */
    public static NodeEntry decode(byte[] entry) {
        ByteBuffer in = ByteBuffer.wrap(entry);
        long incarnation = in.getLong();
        String peerAddress = address(in);
        String clientAddress = address(in);
        List<Log> logs = new ArrayList<>();
        for (int left = in.getInt(); left > 0; left--) {
            long lastEpoch = in.getLong();
            long lastIndex = in.getLong();
            boolean loading = in.get() != 0;
            List<Long> starts = new ArrayList<>();
            for (int count = in.getInt(); count > 0; count--) {
                starts.add(in.getLong());
            }
            logs.add(new Log(lastEpoch, lastIndex, loading, starts));
        }
        return new NodeEntry(incarnation, peerAddress, clientAddress, logs);
    }

    private static String address(ByteBuffer in) {
        byte[] bytes = new byte[Short.toUnsignedInt(in.getShort())];
        in.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
