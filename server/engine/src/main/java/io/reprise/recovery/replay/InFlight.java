package io.reprise.recovery.replay;

import io.reprise.execution.Invocation;
import io.reprise.execution.ReplyTarget;
import io.reprise.log.WriteHash;

/**
 * An invocation of a replay: what it has to come to, and whether it did. Goes from the replaying thread to an executor
 * and back, again and again.
 */
final class InFlight implements ReplyTarget {
    private final Invocation invocation = new Invocation().withoutResult();
    private final ReplayLane[] lanes;
    private long logPosition;
    private int expectedHash;
    private boolean hashed;
    private String divergence;

    InFlight(ReplayLane[] lanes) {
        this.lanes = lanes;
    }

    Invocation invocation() {
        return invocation;
    }

    /** Begins a command again. */
    void expect(long position, int writeHash) {
        logPosition = position;
        expectedHash = writeHash;
        hashed = true;
        divergence = null;
    }

    /** Begins something whose outcome is its own affair. */
    void expectSuccess(long position) {
        logPosition = position;
        hashed = false;
        divergence = null;
    }

    long logPosition() {
        return logPosition;
    }

    /** Whose outcome it is; of data records the one that was different. */
    long transactionId() {
        return invocation.work() instanceof DataRun run ? run.diverged() : invocation.id();
    }

    /** Where that is in the log. */
    String where() {
        return Divergence.at(logPosition) + (invocation.work() instanceof DataRun ? " or behind it" : "");
    }

    /** What was different this time; null if nothing was. */
    String divergence() {
        return divergence;
    }

    @Override
    public void complete(Invocation finished) {
        if (!finished.succeeded()) {
            divergence = "it had committed, but failed when it was replayed: " + finished.message();
        } else if (hashed && WriteHash.folded(finished.writeHash()) != expectedHash) {
            divergence = "it wrote something else when it was replayed (hash "
                    + Integer.toHexString(WriteHash.folded(finished.writeHash())) + ", the log has "
                    + Integer.toHexString(expectedHash) + ")";
        }
        int lane = Math.max(0, finished.ranAt());
        if (!lanes[lane].done().offer(this)) {
            throw new IllegalStateException("more replayed invocations come back than were sent");
        }
    }
}
