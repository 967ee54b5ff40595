package io.reprise.engine.replication;

import io.reprise.execution.Execution;
import io.reprise.id.BucketSet;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.storage.TransactionScope;
import java.util.BitSet;
import java.util.function.IntConsumer;

/**
 * The part of a partition's rows that is loaded while a recovery on demand goes on. Missing buckets that are needed are asked for, once.
 * Owned by the partition's thread.
 */
final class LoadedRows {
    private static final int NONE = -2;

    private final TransactionScope scope;
    private final OwnedBuckets owned;
    private final BitSet asked = new BitSet();
    private boolean askedForAll;
    private IntConsumer loading = bucket -> {};

    /**
     * The rows of a partition.
     *
     * @param owned the buckets that it has
     */
    LoadedRows(TransactionScope scope, OwnedBuckets owned) {
        this.scope = scope;
        this.owned = owned;
    }

    /** Before the first step: the function has a bucket loaded soon, or {@link LoadProxy#ALL}. */
    void loadBy(IntConsumer wanted) {
        loading = wanted;
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
            ask(bucket);
        }
        return bucket >= 0;
    }

    /** Whether the rows are here that a record changes. The cursor is left at a part. */
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
            }
            return isEmpty;
        }
        boolean ready = true;
        for (int i = 0; i < record.bucketCount(); i++) {
            if (scope.lacks(record.bucket(i))) {
                ask(record.bucket(i));
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
