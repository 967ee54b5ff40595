package io.reprise.cluster.replica;

/** Takes frames of another protocol that share the links of the replicas. Called by the replicas' agent. */
@FunctionalInterface
public interface PeerFrames {
    /** The first byte of each such frame; a replica's message begins with another. */
    byte KIND = 64;

    /** Takes in a frame whose first byte is {@link #KIND}. The receiver owns it. */
    void receive(byte[] frame, long nowNs);
}
