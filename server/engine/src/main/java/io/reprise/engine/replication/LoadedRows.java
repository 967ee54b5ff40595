package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.storage.TransactionScope;
import java.util.BitSet;
import java.util.Map;
import java.util.function.IntConsumer;

/**
 * The part of a partition's rows that is loaded while a recovery on demand goes on. Missing buckets that are needed are asked for, once.
 * Owned by the partition's thread.
 */
final class LoadedRows {
    private static final int NONE = -2;
    private static final String IN_DOUBT = "a transaction over nodes that is in doubt here changes it";

    private final TransactionScope scope;
    private final OwnedBuckets owned;
    private final BitSet asked = new BitSet();
    private boolean askedForAll;
    private IntConsumer loading = bucket -> {};

    /** By bucket of the node that can't be loaded, the reason. */
    private Map<Integer, String> problems = Map.of();

    /** The bucket that was found missing last, or {@link LoadProxy#ALL}. */
    private int lacked = LoadProxy.ALL;

    /**
     * The rows of a partition.
     *
     * @param owned the buckets that it has
     */
    LoadedRows(TransactionScope scope, OwnedBuckets owned) {
        this.scope = scope;
        this.owned = owned;
    }

    /**
     * Before the first step.
     *
     * @param wanted has a bucket loaded soon, or {@link LoadProxy#ALL}
     * @param failed a view of the buckets that can't be loaded, with the reasons
     */
    void loadBy(IntConsumer wanted, Map<Integer, String> failed) {
        loading = wanted;
        problems = failed;
    }

    /** Whether all rows are here. */
    boolean isWhole() {
        return scope.lacking() == 0;
    }

    /**
     * Whether a call may run here. A call that is confined to no buckets may if each of its statements binds one, so that it meets those that
     * are missing, and if a bucket is here: then logged writes to replicated tables are here too.
     */
    boolean suffice(Execution call) {
        if (isWhole() || !call.work().needsRows()) {
            return true;
        }
        int missing = missing(call);
        if (missing != NONE) {
            lacked = missing;
            ask(missing);
        }
        return missing == NONE;
    }

    private int missing(Execution call) {
        if (!call.isConfined()) {
            return !call.work().bindsBuckets() ? LoadProxy.ALL : isFirstHere() ? NONE : owned.first();
        }
        BucketSet several = call.buckets();
        if (several == null) {
            return scope.lacks(call.bucket()) ? call.bucket() : NONE;
        }
        for (int i = 0; i < several.size(); i++) {
            if (owned.has(several.get(i)) && scope.lacks(several.get(i))) {
                return several.get(i);
            }
        }
        return NONE;
    }

    private boolean isFirstHere() {
        return scope.lacking() < owned.count();
    }

    /** Whether the transaction that has just run has met a bucket that is missing. */
    boolean missed() {
        int bucket = scope.missed();
        if (bucket >= 0) {
            lacked = bucket;
            ask(bucket);
        }
        return bucket >= 0;
    }

    /** The reason why the rows that were found missing last can't be loaded; null if they are being loaded. */
    String problem() {
        return lacked == LoadProxy.ALL ? anyProblem() : problem(lacked);
    }

    private String problem(int bucket) {
        String why = scope.lacks(bucket) ? problems.get(bucket) : null;
        return why == null ? null : "bucket " + bucket + " can't be loaded (" + why + ")";
    }

    private String anyProblem() {
        for (int bucket : problems.keySet()) {
            String problem = problem(bucket);
            if (problem != null) {
                return problem;
            }
        }
        return null;
    }

    /** Ends the node if a missing bucket can't be loaded, because its partition serves only with all of them. */
    void requireAll(String consequence) {
        require(anyProblem(), consequence);
    }

    private static void require(String problem, String consequence) {
        if (problem != null) {
            throw new IllegalStateException(
                    problem + ", and " + consequence + ". The node ends; its next start recovers all rows first");
        }
    }

    /**
     * Whether the rows are here that the record of a part in doubt changes; ends the node if they can't be loaded, since other nodes wait for
     * the decision. The cursor is left at a part.
     */
    boolean suffice(LogRecords record) {
        if (isWhole()) {
            return true;
        }
        boolean ready = true;
        int parts = record.kind() == RecordKind.CALLS ? record.parts() : 1;
        for (int part = 0; part < parts; part++) {
            record.showPart(part);
            ready &= sufficeForPart(record);
        }
        return ready;
    }

    private boolean sufficeForPart(LogRecords record) {
        if (record.bucketCount() == 0) {
            boolean isEmpty = record.kind() == RecordKind.DATA && record.payloadBytes() == 0;
            if (!isEmpty) {
                askForAll();
                requireAll(IN_DOUBT);
            }
            return isEmpty;
        }
        boolean ready = true;
        for (int i = 0; i < record.bucketCount(); i++) {
            if (scope.lacks(record.bucket(i))) {
                ask(record.bucket(i));
                require(problem(record.bucket(i)), IN_DOUBT);
                ready = false;
            }
        }
        return ready;
    }

    /** Has all missing buckets loaded without pauses. */
    void askForAll() {
        ask(LoadProxy.ALL);
    }

    private void ask(int bucket) {
        boolean isNew = bucket == LoadProxy.ALL ? !askedForAll : !asked.get(bucket);
        if (isNew) {
            loading.accept(bucket);
        }
        if (bucket == LoadProxy.ALL) {
            askedForAll = true;
        } else {
            asked.set(bucket);
        }
    }
}
