package io.reprise.cluster.replica;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A live node's entry: its incarnation, and for each partition what its log had when the node started.
 *
 * <pre>
 *  u8 incarnation | u4 partitions, then for each
 *  u8 last epoch | u8 last index | u1 loading | u4 starts | starts x u8 incarnation
 * </pre>
 *
 * All numbers are big-endian.
 */
record NodeEntry(long incarnation, List<Log> logs) {
    /** A partition's log at the node's start. */
    record Log(long lastEpoch, long lastIndex, boolean loading, List<Long> starts) {
        boolean hasStart(long incarnation) {
            return starts.contains(incarnation);
        }

        boolean isAsLongAs(Log other) {
            return lastEpoch > other.lastEpoch || lastEpoch == other.lastEpoch && lastIndex >= other.lastIndex;
        }
    }

    static NodeEntry of(long incarnation, List<ReplicaLog> logs) {
        List<Log> entries = new ArrayList<>();
        for (ReplicaLog log : logs) {
            entries.add(new Log(log.epochAt(log.lastIndex()), log.lastIndex(), log.isLoading(), log.starts()));
        }
        return new NodeEntry(incarnation, entries);
    }

    byte[] encode() {
        int bytes = 12;
        for (Log log : logs) {
            bytes += 21 + 8 * log.starts.size();
        }
        ByteBuffer out = ByteBuffer.allocate(bytes).putLong(incarnation).putInt(logs.size());
        for (Log log : logs) {
            out.putLong(log.lastEpoch).putLong(log.lastIndex).put((byte) (log.loading ? 1 : 0));
            out.putInt(log.starts.size());
            log.starts.forEach(out::putLong);
        }
        return out.array();
    }

    static NodeEntry decode(byte[] entry) {
        ByteBuffer in = ByteBuffer.wrap(entry);
        long incarnation = in.getLong();
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
        return new NodeEntry(incarnation, logs);
    }
}
