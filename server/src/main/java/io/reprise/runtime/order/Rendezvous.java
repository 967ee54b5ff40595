package io.reprise.runtime.order;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where the participants of a multi-partition transaction meet: each arrives once, the last one learns that it is the
 * last and sees all that the others wrote before they arrived; when it has finished, the others see all that it wrote.
 *
 * <p>Reused for transaction after transaction: what is over is told by an id that only grows, so a participant that
 * looks late, when the next transaction is already under way, still sees that its own is over.
 */
public final class Rendezvous {
    private final AtomicInteger missing = new AtomicInteger();
    private final AtomicLong over = new AtomicLong();

    /** Owner: prepares for a transaction with so many participants, before any of them can know of it. */
    public void expect(int participants) {
        missing.setPlain(participants);
    }

    /** Participant: arrives. True for the last one. */
    public boolean arrive() {
        return missing.decrementAndGet() == 0;
    }

    /** Last participant: the transaction is over. */
    public void end(long transactionId) {
        over.setRelease(transactionId);
    }

    /** Participant that arrived: whether its transaction is over. */
    public boolean isOver(long transactionId) {
        return over.getAcquire() >= transactionId;
    }
}
