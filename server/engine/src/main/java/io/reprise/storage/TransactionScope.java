package io.reprise.storage;

import io.reprise.id.BucketSet;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.BitSet;

/**
 * The buckets that the running transaction may touch in a partition. Once it has tried another one it must not
 * commit. If that one is not loaded yet, the transaction comes again.
 */
public final class TransactionScope {
    private final int partition;
    private final boolean[] owned;
    private int confinedTo;

    /** Null: to any that the partition holds. */
    private BucketSet confinedToSome;

    private ProcedureException violation;

    /** By bucket, whether its rows are not loaded; null: all are. */
    private boolean[] absent;

    private int absentCount;

    /** While rows are loaded and logged transactions are applied, which may touch any bucket. */
    private boolean loading;

    /** A bucket that the running transaction needed and that is not loaded; -1: none. */
    private int missed;

    TransactionScope(int partition, Buckets space, BitSet buckets) {
        this.partition = partition;
        owned = new boolean[space.count()];
        buckets.stream().forEach(bucket -> owned[bucket] = true);
    }

    /** A transaction begins: it may touch whatever the partition holds. */
    void begin() {
        confinedTo = -1;
        confinedToSome = null;
        violation = null;
        missed = -1;
    }

    /** The rows of a bucket are not loaded: a transaction that needs one of them has to come again. */
    public void lack(int bucket) {
        if (absent == null) {
            absent = new boolean[owned.length];
        }
        absentCount += absent[bucket] ? 0 : 1;
        absent[bucket] = true;
    }

    /** The rows of a bucket are loaded. */
    public void have(int bucket) {
        if (absent == null || !absent[bucket]) {
            return;
        }
        absent[bucket] = false;
        absentCount--;
        if (absentCount == 0) {
            absent = null;
        }
    }

    /** Whether the rows of a bucket are not loaded. */
    public boolean lacks(int bucket) {
        return absent != null && absent[bucket];
    }

    /** The number of buckets whose rows are not loaded. */
    public int lacking() {
        return absentCount;
    }

    void loading(boolean value) {
        loading = value;
    }

    /** A bucket that the running transaction needed and that is not loaded; -1: none. It must not commit then. */
    public int missed() {
        return missed;
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
        if (bucket != confinedTo && (confinedTo >= 0 || !isInScope(bucket))) {
            throw violation(bucket);
        }
        if (absent != null && absent[bucket] && !loading) {
            throw miss(bucket);
        }
    }

    private boolean isInScope(int bucket) {
        return owned[bucket] && (confinedToSome == null || confinedToSome.contains(bucket));
    }

    private ProcedureException miss(int bucket) {
        missed = bucket;
        violation = new ProcedureException(
                ErrorCode.PARTITION_UNAVAILABLE, "the rows of bucket " + bucket + " are not loaded yet");
        return violation;
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
