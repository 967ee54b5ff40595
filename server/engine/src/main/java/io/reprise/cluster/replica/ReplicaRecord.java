package io.reprise.cluster.replica;

/**
 * A record of a replica's log.
 *
 * @param epoch the epoch in which a leader appended it
 * @param payload the work to apply; empty for the record that begins an epoch
 */
public record ReplicaRecord(long epoch, byte[] payload) {
    private static final byte[] NOTHING = {};

    /** The first record of an epoch. */
    static ReplicaRecord beginning(long epoch) {
        return new ReplicaRecord(epoch, NOTHING);
    }

    /** Whether it begins an epoch and applies nothing. */
    public boolean beginsEpoch() {
        return payload.length == 0;
    }
}
