package io.reprise.client;

/**
 * The counters of a client since it was made.
 *
 * @param calls calls and statements that were sent, each time they were
 * @param replies those that were replied to
 * @param unanswered those that were not, because their connection ended or their time was over
 * @param parked number of times a call had to wait for a connection, to be sent or to be sent again
 * @param connects number of connections made
 * @param bytesSent bytes given to the network
 * @param bytesReceived bytes taken from it
 */
public record ClientMetrics(
        long calls, long replies, long unanswered, long parked, long connects, long bytesSent, long bytesReceived) {
    /** The number of calls under way. */
    public long underWay() {
        return calls - replies - unanswered;
    }
}
