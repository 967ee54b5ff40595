package io.reprise.cluster;

import java.util.SortedMap;

/**
 * A node's view of the service that decides who is a member and which node leads which partition. The service holds one
 * versioned map, which changes by compare-and-set only, and an entry for each live node, which ends with its session.
 *
 * <p>The view is as unkind as the service: it lags, it skips versions, and a change whose answer was lost may have
 * happened. Owned by one agent, which calls {@link #poll} in each duty cycle; no call blocks.
 */
public interface Membership {
    /** The node's session with the service. */
    enum Session {
        /** Changes can be requested. */
        CONNECTED,
        /** No contact; the session may be alive or not. */
        SUSPENDED,
        /** The service has ended the session and removed the node's entry. {@link #announce} begins another. */
        LOST
    }

    /**
     * The map at one version. Neither side changes the content. An empty map has version 0 before the cluster's first one; one with a higher
     * version stands for a map that was lost, and stays until an operator has another one made.
     */
    record VersionedMap(int version, byte[] content) {}

    /** A requested change of the map. */
    interface Change {
        /** The end of a change. */
        enum Outcome {
            /** No answer yet. */
            PENDING,
            /** The map was changed; its version is the expected one plus one. */
            DONE,
            /** The map was not at the expected version and stays as it is. */
            CONFLICT,
            /** The contact ended before the answer: the change may have happened, or may still happen. */
            UNKNOWN
        }

        /** The outcome as far as it is known. */
        Outcome outcome();
    }

    /** Takes in the service's news. Returns how much there was. */
    int poll(long nowNs);

    /** The session's state. */
    Session session();

    /** The newest map seen, or null before the first. Its version never falls. */
    VersionedMap map();

    /** The entries of the live nodes by number, as last seen. */
    SortedMap<Integer, byte[]> live();

    /**
     * Begins a session where there is none, and sets this node's entry, which lives as long as the session. Without contact
     * that is done when there is contact again.
     */
    void announce(byte[] entry);

    /** Requests that the map at the expected version be replaced; version 0 is the empty map of a new cluster. */
    Change replace(int expectedVersion, byte[] content);
}
