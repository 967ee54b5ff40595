package io.reprise.cluster.replica;

import io.reprise.cluster.Member;
import io.reprise.cluster.Replicas;

/** Requests changes of the map on behalf of replicas, one at a time per node, and tells what calls for them. */
interface MapRequests {
    /**
     * Requests a line for a partition in the place of the newest that is known. False if a request of this node is open:
     * ask again later.
     */
    boolean request(int partition, Replicas next);

    /** Whether the process of a member has ended, as far as is known. Such a member is replaced or removed at once. */
    boolean hasEnded(Member member);

    /** Whether the last request for this partition may still happen. */
    boolean isOpen(int partition);
}
