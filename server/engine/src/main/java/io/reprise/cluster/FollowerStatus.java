package io.reprise.cluster;

/**
 * A leader's knowledge of one of its followers. Immutable.
 *
 * @param node the follower's node
 * @param inSync whether acknowledgements wait for it; otherwise it is catching up
 * @param lagRecords records of the stream that it has not confirmed
 * @param lagBytes the bytes of these records in the leader's log
 * @param lagNs the age of the confirmed end of its stream; 0 if it has confirmed everything
 */
public record FollowerStatus(int node, boolean inSync, long lagRecords, long lagBytes, long lagNs) {}
