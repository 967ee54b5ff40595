package io.reprise.recovery.demand;

import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.metric.Counter;

/**
 * An initiator's connection with the {@link BucketLoadAgent}: it asks for buckets, and learns which are loaded. A loading announces each bucket once.
 * The initiator's thread calls {@link #want} and {@link #poll}, the agent the rest.
 */
public final class LoadProxy {
    /** Asks for all buckets. */
    public static final int ALL = -1;

    private final int buckets;
    private final MpscRing<Integer> wanted;
    private final SpscRing<News> news;
    private final Counter admitted = new Counter();

    /**
     * The end of a bucket's loading.
     *
     * @param bucket its number
     * @param problem why it can't be loaded; null if it is loaded
     */
    public record News(int bucket, String problem) {}

    /**
     * A connection.
     *
     * @param wanted gets the buckets that are asked for
     * @param initiator wakes the initiator's thread
     */
    public LoadProxy(int buckets, MpscRing<Integer> wanted, Waker initiator) {
        this.buckets = buckets;
        this.wanted = wanted;
        news = new SpscRing<>(buckets + 1, initiator);
    }

    /** A connection of a node whose buckets are loaded, for repairs: it asks for no buckets. */
    public static LoadProxy ofLoaded(int buckets, Waker initiator) {
        return new LoadProxy(buckets, new MpscRing<>(2), initiator);
    }

    /** The number of buckets. */
    public int buckets() {
        return buckets;
    }

    /** Asks for a bucket, or {@link #ALL}. At most once for each. */
    public void want(int bucket) {
        wanted.offer(bucket);
    }

    /** The next bucket that is loaded or has failed, or null. */
    public News poll() {
        return news.poll();
    }

    /** Counts a call that was admitted while buckets are missing. */
    public void countAdmitted() {
        admitted.increment();
    }

    long admitted() {
        return admitted.get();
    }

    /** Announces the end of a bucket's loading or repair. */
    public void announce(News of) {
        news.offer(of);
    }
}
