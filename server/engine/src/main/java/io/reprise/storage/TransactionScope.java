package io.reprise.storage;

import io.reprise.id.BucketSet;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;

/**
 * The buckets that the running transaction may touch in a partition. Once it has tried another one it must not
 * commit.
 */
public final class TransactionScope {
    private final int partition;
    private final boolean[] owned;
    private int confinedTo;

    /** Null: to any that the partition holds. */
    private BucketSet confinedToSome;

    private ProcedureException violation;

    TransactionScope(PartitionStore.Options options) {
        partition = options.partition();
        owned = new boolean[options.space().count()];
        options.buckets().stream().forEach(bucket -> owned[bucket] = true);
    }

    /** A transaction begins: it may touch whatever the partition holds. */
    void begin() {
        confinedTo = -1;
        confinedToSome = null;
        violation = null;
    }

    boolean owns(int bucket) {
        return owned[bucket];
    }

    void own(int bucket, boolean isOwned) {
        owned[bucket] = isOwned;
    }

    /** Confines the running transaction to one bucket (scope KEY). */
    public void confineTo(int bucket) {
        confinedTo = bucket;
    }

    /** Confines it to those of these buckets that the partition holds. */
    public void confineTo(BucketSet buckets) {
        confinedToSome = buckets;
    }

    void check(int bucket) {
        if (bucket != confinedTo && (confinedTo >= 0 || !mayTouch(bucket))) {
            throw violation(bucket);
        }
    }

    private boolean mayTouch(int bucket) {
        return owned[bucket] && (confinedToSome == null || confinedToSome.contains(bucket));
    }

    /** At its end: throws once more what it was refused, whatever it made of that. */
    void checkKept() {
        if (violation != null) {
            throw violation;
        }
    }

    /** Makes the exception for a transaction that would touch a forbidden bucket. */
    public ProcedureException violation(int bucket) {
        String why;
        if (confinedTo >= 0) {
            why = ", but the transaction was routed to bucket " + confinedTo
                    + " by its partitioning parameter. Use that"
                    + " parameter in the statement, or declare the procedure for all partitions.";
        } else if (confinedToSome != null) {
            why =
                    ", which is that of no routing parameter, or lies in another partition than the statement's other rows."
                            + " Pass the value in a routing parameter, or declare the procedure without PARTITION ON.";
        } else {
            why = ", which partition " + partition + " does not hold. Declare the procedure for all partitions.";
        }
        return violation("The statement touches a row of bucket " + bucket + why);
    }

    /** The same, saying what was wrong. */
    public ProcedureException violation(String why) {
        violation = new ProcedureException(ErrorCode.SCOPE_VIOLATION, why);
        return violation;
    }
}
