package io.reprise.execution;

/**
 * The entrance of transactions over several nodes into a partition's order. The partition's executor runs nothing above the
 * lowest id that is reserved there, and nothing at all while such a transaction holds the partition. Owned by the
 * partition's thread.
 */
public interface Door {
    /** Whether a transaction over nodes holds the partition. */
    boolean isHeld();

    /**
     * While the partition is held: whether works of the engine may run all the same, because the rows have
     * no changes of that transaction.
     */
    default boolean admitsEngine() {
        return false;
    }

    /** The lowest reserved id; {@link Long#MAX_VALUE} if none is reserved. */
    long lowestReserved();
}
