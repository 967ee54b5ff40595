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

    /**
     * Whether a silent member has the time to change the map first: it does not hear this node, as it has told by the membership
     * service. Of two that do not hear each other the lower one is first, so that all partitions of both come to one node.
     */
    boolean yieldsTo(Member member);

    /** Whether the last request for this partition may still happen. */
    boolean isOpen(int partition);
}
