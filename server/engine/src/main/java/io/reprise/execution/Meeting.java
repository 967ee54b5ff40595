package io.reprise.execution;

import io.reprise.runtime.order.Rendezvous;
import java.util.Arrays;

/**
 * The meeting of the participants of a multi-partition transaction: their rendezvous, the part of each in a split statement, and the
 * log positions that each may have seen. Participants touch only their own places until they have met. A transaction of one
 * partition has none.
 */
final class Meeting {
    private Rendezvous rendezvous;
    private boolean isReusable;
    private Part[] parts;
    private long[] seen = new long[4];
    private boolean[] staysLent = new boolean[4];

    /**
     * A new transaction begins, of so many participants.
     *
     * @param withdrawable whether participants may withdraw; then the rendezvous serves no other transaction
     */
    void expect(long transactionId, int participants, boolean splits, boolean withdrawable) {
        // A log is not always replayed in the order of ids. A participant that still looks whether the earlier
        // transaction is over keeps its place.
        if (rendezvous == null || withdrawable || !isReusable || rendezvous.isOver(transactionId)) {
            rendezvous = new Rendezvous();
        }
        isReusable = !withdrawable;
        rendezvous.expect(participants);
        if (seen.length < participants) {
            seen = new long[2 * participants];
            staysLent = new boolean[2 * participants];
        }
        Arrays.fill(staysLent, false);
        if (splits) {
            if (parts == null || parts.length < participants) {
                parts = new Part[participants];
                Arrays.setAll(parts, i -> new Part());
            }
            for (int i = 0; i < participants; i++) {
                parts[i].clear();
            }
        }
    }

    Rendezvous rendezvous() {
        return rendezvous;
    }

    Part part(int position) {
        return parts[position];
    }

    void seen(int position, long logPosition) {
        seen[position] = logPosition;
    }

    long seen(int position) {
        return seen[position];
    }

    void staysLent(int position) {
        staysLent[position] = true;
    }

    boolean returnsTo(int position) {
        return !staysLent[position];
    }
}
