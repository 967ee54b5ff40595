package io.reprise.cluster.replica;

/** The state that a replica's records make: the rows of a partition. Owned by the replica's agent. */
public interface Machine {
    /** Applies the record at an index, before it is appended to the log. Throws {@link DivergedReplicaException}. */
    void apply(long index, byte[] payload);

    /**
     * Whether the state is that of the records, without changes of a transaction that runs. The leader asks again in each
     * step until it is.
     */
    default boolean hasImage() {
        return true;
    }

    /** The state as bytes, for a replica that is loaded anew. */
    byte[] image();

    /** Whether an image can be loaded now; otherwise the replica asks for another one later. */
    default boolean accepts(byte[] image) {
        return true;
    }

    /** Replaces the state by an image. */
    void load(byte[] image);
}
