package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The live nodes with which this node can't exchange frames: one of both has not heard the other for five failure timeouts, by their
 * entries. Leads have moved by then where they can. A transaction over a lead that could not move would wait in vain, and hold other
 * partitions meanwhile.
 *
 * <p>Owned by the cluster agent; any thread asks.
 */
final class Unreached {
    private static final int LONG_INTERVALS = 25;

    private final Member self;
    private final long longNs;
    private final AtomicReference<Set<Integer>> nodes = new AtomicReference<>(Set.of());

    /** By live node with which the exchange is broken, the time since when. */
    private final SortedMap<Integer, Long> sinceNs = new TreeMap<>();

    Unreached(Member self, long intervalNs) {
        this.self = self;
        longNs = LONG_INTERVALS * intervalNs;
    }

    /** Takes in the entries of the live nodes at a time. */
    void step(SortedMap<Integer, NodeEntry> live, long nowNs) {
        if (sinceNs.isEmpty()
                && live.values().stream().allMatch(entry -> entry.unheard().isEmpty())) {
            return;
        }
        Set<Integer> now = new TreeSet<>();
        NodeEntry own = live.get(self.node());
        live.forEach((node, entry) -> {
            boolean isBroken = entry.unheard().contains(self)
                    || own != null && own.unheard().contains(new Member(node, entry.incarnation()));
            if (isBroken && nowNs - sinceNs.computeIfAbsent(node, id -> nowNs) >= longNs) {
                now.add(node);
            } else if (!isBroken) {
                sinceNs.remove(node);
            }
        });
        sinceNs.keySet().retainAll(live.keySet());
        if (!now.equals(nodes.get())) {
            nodes.set(now);
        }
    }

    /** Whether the node is one of them. Any thread. */
    boolean has(int node) {
        return nodes.get().contains(node);
    }
}
