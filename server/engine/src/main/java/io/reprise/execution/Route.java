package io.reprise.execution;

import io.reprise.id.BucketSet;
import io.reprise.storage.TransactionScope;
import java.util.Arrays;

/**
 * The route of one transaction: its participants in ascending order, the one that runs it, and the buckets that it is confined to.
 * The router fills it before the transaction is stamped; it does not change afterwards.
 */
final class Route {
    private static final int ANYWHERE = Execution.ANYWHERE;
    private static final int NO_BUCKET = Execution.NO_BUCKET;

    private BucketMap map;
    private int[] participants = new int[4];
    private int participantCount;
    private int home = ANYWHERE;
    private int bucket = NO_BUCKET;
    private int routedBucket = NO_BUCKET;
    private BucketSet routedBuckets;
    private boolean confinedToSome;

    /** Forgets the participants of the last transaction; the next ones are found by this map. */
    void routeBy(BucketMap buckets) {
        // A write of an unchanged reference would cost the collector's barrier.
        if (map != buckets) {
            map = buckets;
        }
        participantCount = 0;
        home = ANYWHERE;
        bucket = NO_BUCKET;
        routedBucket = NO_BUCKET;
        confinedToSome = false;
    }

    /** For the engine's own works: one partition takes part, whatever a map says. */
    void sendTo(int partition) {
        routeBy(null);
        addParticipant(partition);
    }

    /** The map by which the transaction was routed. */
    BucketMap map() {
        return map;
    }

    /** Adds a partition unless it is there already; they are kept in ascending order. */
    void addParticipant(int partition) {
        int at = participantCount;
        while (at > 0 && participants[at - 1] >= partition) {
            if (participants[--at] == partition) {
                return;
            }
        }
        if (participantCount == participants.length) {
            participants = Arrays.copyOf(participants, 2 * participantCount);
        }
        System.arraycopy(participants, at, participants, at + 1, participantCount - at);
        participants[at] = partition;
        participantCount++;
    }

    /**
     * Says which participant runs the transaction, and by which bucket it was chosen. Most of its rows are there,
     * and in that thread's cache.
     */
    void runAt(int partition, int ofBucket) {
        home = partition;
        routedBucket = ofBucket;
    }

    /** The only participant is at this partition, wherever the map has its bucket. */
    void runAtOnly(int partition) {
        participants[0] = partition;
        participantCount = 1;
        if (home != ANYWHERE) {
            home = partition;
        }
    }

    /** Confines the transaction to some of its buckets, and to their partitions. */
    void keepOnly(BucketSet some) {
        BucketSet kept = confineToSome();
        participantCount = 0;
        for (int i = 0; i < some.size(); i++) {
            kept.add(some.get(i));
            addParticipant(map.partition(some.get(i)));
        }
    }

    /** The participant that runs the transaction, or {@link #ANYWHERE}: the last one to arrive. */
    int home() {
        return home;
    }

    /** Confines the transaction to one bucket; its partition is the only participant. */
    void confineTo(int theBucket, int partition) {
        bucket = theBucket;
        runAt(partition, theBucket);
        participants[0] = partition;
        participantCount = 1;
    }

    /** Confines the transaction to some buckets, none at first, which are to be added. */
    BucketSet confineToSome() {
        if (routedBuckets == null) {
            routedBuckets = new BucketSet();
        }
        routedBuckets.clear();
        confinedToSome = true;
        return routedBuckets;
    }

    /** Confines the transaction at a participant to the buckets by which it was routed, if it was: however many partitions there are. */
    void confine(TransactionScope scope) {
        if (bucket != NO_BUCKET) {
            scope.confineTo(bucket);
        } else if (confinedToSome) {
            scope.confineTo(routedBuckets);
        }
    }

    /** The bucket that the transaction is confined to, or {@link #NO_BUCKET}. Several routing parameters may name the same one. */
    int bucket() {
        return bucket == NO_BUCKET && confinedToSome && routedBuckets.size() == 1 ? routedBuckets.get(0) : bucket;
    }

    /** The buckets that the transaction is confined to, if they are more than one; null if it isn't confined to buckets. */
    BucketSet buckets() {
        return bucket == NO_BUCKET && confinedToSome && routedBuckets.size() > 1 ? routedBuckets : null;
    }

    /** The bucket that most of its rows are in, as far as the arguments tell; {@link #NO_BUCKET} if they don't. */
    int routedBucket() {
        return routedBucket;
    }

    /** The number of participating partitions. */
    int participantCount() {
        return participantCount;
    }

    /** A participant, in ascending order. */
    int participant(int position) {
        return participants[position];
    }

    /** At which position a participant stands. */
    int positionOf(int partition) {
        for (int i = 0; i < participantCount; i++) {
            if (participants[i] == partition) {
                return i;
            }
        }
        return -1;
    }
}
