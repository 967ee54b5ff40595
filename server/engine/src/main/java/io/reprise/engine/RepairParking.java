package io.reprise.engine;

import io.reprise.recovery.demand.LoadProxy;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.txn.initiator.Initiator;

/**
 * The part of a {@link BucketRepair} on a site's thread: has the site's initiator park calls of a bucket. {@link #park} and {@link
 * #announce} are the repair's, the rest is the site's.
 */
final class RepairParking implements Agent {
    private static final int MESSAGES = 16;

    private final Initiator initiator;
    private final SpscRing<Integer> orders;
    private final LoadProxy proxy;
    private final MpscRing<Object> events;

    RepairParking(Initiator initiator, int buckets, Waker waker, MpscRing<Object> events) {
        this.initiator = initiator;
        this.events = events;
        orders = new SpscRing<>(MESSAGES, waker);
        proxy = LoadProxy.ofLoaded(buckets, waker);
    }

    /** Orders to park a bucket. The site answers with an event when it does so. */
    void park(int bucket) {
        orders.offer(bucket);
    }

    /** The bucket serves again, or is refused. */
    void announce(LoadProxy.News news) {
        proxy.announce(news);
    }

    @Override
    public String roleName() {
        return "repair-parking";
    }

    @Override
    public int doWork(long nowNs) {
        Integer bucket = orders.poll();
        if (bucket == null) {
            return 0;
        }
        initiator.park(bucket, proxy);
        events.offer(this);
        return 1;
    }
}
