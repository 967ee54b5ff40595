package io.reprise.cluster.transaction;

/**
 * The rows of one partition, as an engine keeps them. At most one transaction runs at a time: its changes are in memory
 * and can be undone. Owned by the partition's agent.
 */
public interface PartitionStore {
    /** Whether the rows can be reached: the owner has not lent them to another transaction. */
    default boolean isAvailable() {
        return true;
    }

    /** Whether all that has an id below this one has run, and nothing will get such an id any more. */
    default boolean isTurn(long id) {
        return true;
    }

    /** The highest id that has been given to a transaction of this partition, as far as the owner has taken it up. */
    default long lastId() {
        return 0;
    }

    /** Whether there is room for the records of a part. */
    default boolean hasRoom() {
        return true;
    }

    /** Whether the rows are loaded that effects of an earlier leader change. Until then no leader takes them up. */
    default boolean isReadyFor(byte[] effects) {
        return true;
    }

    /** Begins a transaction. */
    void begin(long id);

    /** A point of the running transaction to which {@link #rollBack} returns. */
    int savepoint();

    /** Takes back all changes of the running transaction behind a savepoint. */
    void rollBack(int savepoint);

    /** Runs a piece of work within the running transaction. */
    Result run(byte[] work);

    /** The changes of the running transaction as after-images, which {@link #apply} understands. */
    byte[] effects();

    /** Ends the running transaction; its changes stay, as those of the record at an index. */
    void commit(long index);

    /** Ends the running transaction, if there is one, and takes back its changes. */
    void undo();

    /** Applies the effects of a transaction that ran elsewhere or before, as those of the record at an index. */
    void apply(long index, byte[] effects);

    /** The state without the running transaction's changes. */
    byte[] image();

    /** Replaces the state by an image; no transaction runs. */
    void load(byte[] image);
}
