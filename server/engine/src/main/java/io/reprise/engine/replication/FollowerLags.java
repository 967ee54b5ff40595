package io.reprise.engine.replication;

import io.reprise.cluster.FollowerStatus;
import io.reprise.cluster.replica.Replica;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The lags of a leader's followers, published a few times a second. A lag in time is measured by marks: the end of the stream at
 * one moment, which a follower reaches later. Owned by the partition's thread; any thread reads {@link #now}.
 */
final class FollowerLags {
    private static final long PERIOD_NS = 200_000_000;

    private final AtomicReference<List<FollowerStatus>> published = new AtomicReference<>(List.of());
    private final SortedMap<Integer, Mark> marks = new TreeMap<>();
    private long publishedNs = Long.MIN_VALUE / 2;

    /** The end of the stream at a moment, and the moment of the last end that the follower has reached. */
    private static final class Mark {
        private long index;
        private long setNs;
        private long reachedNs;
    }

    /** Any thread: the followers at the last publication, by node; empty if this node does not lead. */
    List<FollowerStatus> now() {
        return published.get();
    }

    /** Publishes the lags of a leader's followers, if it is time. */
    void step(Replica replica, EngineLog log, boolean forced, long nowNs) {
        if (nowNs - publishedNs < PERIOD_NS) {
            return;
        }
        publishedNs = nowNs;
        if (replica.role() != Replica.Role.LEADER) {
            marks.clear();
            published.set(List.of());
            return;
        }
        List<FollowerStatus> next = new ArrayList<>();
        replica.eachFollower((node, inSync, received, durable) ->
                next.add(status(log, node, inSync, forced ? durable : received, nowNs)));
        published.set(List.copyOf(next));
    }

    private FollowerStatus status(EngineLog log, int node, boolean inSync, long confirmed, long nowNs) {
        long last = log.lastIndex();
        Mark mark = marks.get(node);
        if (mark == null) {
            mark = new Mark();
            mark.index = last;
            mark.setNs = nowNs;
            mark.reachedNs = nowNs;
            marks.put(node, mark);
        }
        if (confirmed >= mark.index) {
            mark.reachedNs = mark.setNs;
            mark.index = last;
            mark.setNs = nowNs;
        }
        long behind = Math.max(0, last - confirmed);
        return behind == 0
                ? new FollowerStatus(node, inSync, 0, 0, 0)
                : new FollowerStatus(node, inSync, behind, log.bytesBehind(confirmed), nowNs - mark.reachedNs);
    }
}
