package io.reprise.runtime.order;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The meeting of the participants of a multi-partition transaction. Each arrives once, and one of them goes on when
 * all have: the last, which learns it by arriving, or one that waits for the last. The one that goes on sees
 * everything that the others wrote before they arrived; when it has finished, the others see everything that it
 * wrote.
 *
 * <p>Reused for transaction after transaction, but only for ids that grow. So a participant that looks late, with the
 * next transaction under way, still sees that its own is over, and none takes the next one for over.
 */
public final class Rendezvous {
    private final AtomicInteger missing = new AtomicInteger();
    private final AtomicLong over = new AtomicLong();
    private final AtomicLong beganNs = new AtomicLong();

    /** Owner: prepares for a transaction with so many participants, before any of them can know of it. */
    public void expect(int participants) {
        missing.setPlain(participants);
    }

    /** Participant: arrives. True for the last one. */
    public boolean arrive() {
        return missing.decrementAndGet() == 0;
    }

    /**
     * Participant that arrived: leaves again, to arrive later. False if all have arrived, so that the transaction may be running;
     * otherwise the participant sees everything that those who arrived and left wrote before. Only for a rendezvous that no
     * other transaction reuses.
     */
    public boolean withdraw() {
        int before = missing.get();
        while (before > 0) {
            int seen = missing.compareAndExchange(before, before + 1);
            if (seen == before) {
                return true;
            }
            before = seen;
        }
        return false;
    }

    /** Participant that arrived and is to go on when all have: whether they have; it sees what they wrote before. */
    public boolean isComplete() {
        return missing.getAcquire() == 0;
    }

    /** The participant that runs the transaction: all have arrived, about now. */
    public void begin(long nowNs) {
        beganNs.setPlain(nowNs);
    }

    /** Participant whose transaction is over: when it began, or, to one that looks late, when a later one did. */
    public long beganNs() {
        return beganNs.getPlain();
    }

    /** The participant that ran the transaction: it is over. */
    public void end(long transactionId) {
        over.setRelease(transactionId);
    }

    /** Whether the transaction is over, or a later one has begun. Asked by participants that arrived, and before the next use. */
    public boolean isOver(long transactionId) {
        return over.getAcquire() >= transactionId;
    }
}
