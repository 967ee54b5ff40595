package io.reprise.cluster.replica;

/** The state that a replica's records make: the rows of a partition. Owned by the replica's agent. */
public interface Machine {
    /** Applies the record at an index, before it is appended to the log. Throws {@link DivergedReplicaException}. */
    void apply(long index, byte[] payload);

    /** The state as bytes, for a replica that is loaded anew. */
    byte[] image();

    /** Replaces the state by an image. */
    void load(byte[] image);
}
