package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The signs of life of a site's thread. The group marks each step. While a long transaction keeps the thread from steps, the
 * cluster's agent tells the followers of the site's leaders, which would take the silence for a failure, and the leaders of its
 * followers.
 *
 * <p>A follower on a busy site acknowledges nothing, so its leader removes it rather than wait, unless all wait for a change of the
 * schema.
 */
final class SitePulse {
    private static final long NEVER = Long.MIN_VALUE;

    private final AtomicLong steppedNs = new AtomicLong(NEVER);
    private long toldNs;

    /** Group: the thread makes a step. */
    void step(long nowNs) {
        steppedNs.lazySet(nowNs);
    }

    /** Agent: whether a sign of life is due, as the thread has made no step for two intervals, but has for the longest. */
    boolean isDue(long nowNs, long intervalNs, long longestNs) {
        long stepped = steppedNs.get();
        if (stepped == NEVER || nowNs - stepped < 2 * intervalNs || nowNs - stepped > longestNs) {
            return false;
        }
        if (nowNs - toldNs < intervalNs) {
            return false;
        }
        toldNs = nowNs;
        return true;
    }

    /** Agent: queues a sign of life for each follower of a partition that the node leads, or for the leader. Returns how much was done. */
    static int speak(int partition, Member self, PartitionMap map, ReplicaSender sender) {
        Replicas line = map.partitions().get(partition);
        if (!line.has(self)) {
            return 0;
        }
        boolean isLeader = line.leader() == self.node();
        int work = 0;
        for (Member member : line.sync()) {
            if (isLeader ? !member.equals(self) : member.node() == line.leader()) {
                sender.send(new ReplicaExchange.Outgoing(member, partition, new PeerMessage.Busy(line.epoch())));
                work++;
            }
        }
        return work;
    }

    /** Sends a message at once, or loses it. */
    interface ReplicaSender {
        /** Sends a message. */
        void send(ReplicaExchange.Outgoing message);
    }
}
