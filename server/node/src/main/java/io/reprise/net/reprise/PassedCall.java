package io.reprise.net.reprise;

/**
 * A request that this node passes on to the leader of its partition, as the client has sent it. Made by the site or the
 * thread that found another leader; owned by the client's network loop afterwards.
 *
 * @param kind CALLS or STATEMENT
 * @param bytes the fragment of a frame of calls that has this call alone, or the whole message of a statement
 * @param id the client's number of the request
 * @param procedure the procedure's name; null: a statement
 * @param sequence the client's sequence number of the call; 0: none
 * @param acknowledged the client knows the outcomes of all its calls with lower sequence numbers
 * @param timeoutMs the time for which the call may wait; 0: any
 * @param arrivedNs the time when it arrived
 * @param partition the partition that the call needs
 */
record PassedCall(
        byte kind,
        byte[] bytes,
        long id,
        String procedure,
        long sequence,
        long acknowledged,
        long timeoutMs,
        long arrivedNs,
        int partition) {
    private static final long NS_PER_MS = 1_000_000;

    /** The rest of the call's time, 0 for any; below zero: it is over. */
    long leftMs(long nowNs) {
        if (timeoutMs == 0) {
            return 0;
        }
        long left = timeoutMs - (nowNs - arrivedNs) / NS_PER_MS;
        return left > 0 ? left : -1;
    }
}
