package io.reprise.cluster.replica;

/** Takes frames of another protocol that share the links of the replicas. Called by the replicas' agent and by the network's threads. */
@FunctionalInterface
public interface PeerFrames {
    /** The lowest first byte of such frames; a replica's message begins with a lower one. */
    byte KIND = 64;

    /** Takes in a frame. The receiver owns it. */
    void receive(byte[] frame);
}
