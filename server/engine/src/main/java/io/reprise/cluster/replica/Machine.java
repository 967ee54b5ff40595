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

    /**
     * Whether all rows are here. While a recovery on demand goes on, the replica may lead alone, and neither joins nor brings up another one:
     * it could not apply a leader's records.
     */
    default boolean isWhole() {
        return true;
    }

    /** Whether a leader waits for followers that live and acknowledge nothing, because they change their schema. */
    default boolean isPatient() {
        return false;
    }

    /** The state of this moment, for a replica that is loaded anew, in pieces of about so many bytes. */
    ImageSource image(int pieceBytes);

    /**
     * Takes a piece of an image that replaces the state; the log has it already.
     *
     * @param number 0 for the first piece of an image
     * @return false if the image can't be loaded now, so that another one has to come later
     */
    boolean take(int number, byte[] piece);
}
