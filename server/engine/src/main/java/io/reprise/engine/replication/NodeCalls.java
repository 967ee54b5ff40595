package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.execution.durable.RequestCodec;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The calls over partitions of several leaders whose home is at a site. The home is the first participant, which a call's
 * arguments tell, so that a repeated call finds its outcome there. Owned by the site's thread; any thread offers calls.
 */
public final class NodeCalls {
    private static final int CAPACITY = 4096;
    private static final int CHANGES = 16;

    private final MpscRing<Execution> inbound;
    private final MpscRing<HomeCall> changes;
    private final SortedMap<Integer, PartitionReplica> replicas = new TreeMap<>();
    private final SortedMap<Integer, HomeCalls> homes = new TreeMap<>();
    private final RequestCodec requests = new RequestCodec();

    /** The calls that wait for a batch. */
    private int waiting;

    /** A site without partitions. */
    public NodeCalls(Waker site) {
        inbound = new MpscRing<>(CAPACITY, site);
        changes = new MpscRing<>(CHANGES, site);
    }

    void add(PartitionReplica replica) {
        replicas.put(replica.partition(), replica);
        homes.put(replica.partition(), new HomeCalls(replica, requests));
    }

    /** Any thread: offers a routed call; false if too many wait. */
    public boolean offer(Execution call) {
        return inbound.offer(call);
    }

    /** Any thread: offers a transaction of the engine whose home is led here; false if too many wait. */
    public boolean offer(HomeCall change) {
        return changes.offer(change);
    }

    /** Begins the calls that wait. */
    int begin(long nowNs) {
        int work = 0;
        for (HomeCall change = changes.poll(); change != null; change = changes.poll()) {
            change.begin(replicas.get(change.home()).transactions(), nowNs);
            work++;
        }
        while (waiting < CAPACITY) {
            Execution call = inbound.poll();
            if (call == null) {
                break;
            }
            homes.get(call.coordinator()).add(call);
            waiting++;
            work++;
        }
        waiting = 0;
        for (HomeCalls home : homes.values()) {
            work += home.begin(nowNs);
            waiting += home.waiting();
        }
        return work;
    }
}
