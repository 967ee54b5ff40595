package io.reprise.recovery.replay;

import io.reprise.execution.Answers;
import io.reprise.execution.Execution;
import io.reprise.execution.ReplyTarget;
import io.reprise.log.WriteHash;

/**
 * A pooled execution of a replay with its expected write hash, and the divergence if there is one. It goes from the replaying thread to
 * an executor and back.
 */
final class InFlight implements ReplyTarget {
    private final Execution execution = new Execution().withoutResult();
    private final ReplayLane[] lanes;
    private long logPosition;
    private long recordId;
    private int expectedHash;
    private boolean hashed;
    private RecoveryChoices accepting;
    private String divergence;

    /** Of a boundary record; null before the first one. */
    private Answers answers;

    InFlight(ReplayLane[] lanes) {
        this.lanes = lanes;
    }

    Execution execution() {
        return execution;
    }

    /** The answers that the replay of a boundary record hands out. */
    Answers answers() {
        if (answers == null) {
            answers = new Answers();
        }
        return answers;
    }

    /** Expects this write hash of a command, which is a record or a part of one. */
    void expect(long position, long ofRecord, int writeHash) {
        recordId = ofRecord;
        logPosition = position;
        expectedHash = writeHash;
        hashed = true;
        accepting = null;
        divergence = null;
    }

    /** Expects success only. */
    void expectSuccess(long position) {
        logPosition = position;
        hashed = false;
        accepting = null;
        divergence = null;
    }

    /** Accepts any outcome, by an operator's choice. Behind {@link #expect}. */
    void accept(RecoveryChoices by) {
        accepting = by;
    }

    /** The choices by which any outcome is accepted, or null. */
    RecoveryChoices accepting() {
        return accepting;
    }

    long logPosition() {
        return logPosition;
    }

    /** The transaction; of a run of data records the one that diverged. */
    long transactionId() {
        return execution.work() instanceof DataRun run ? run.diverged() : recordId;
    }

    /** The place in the log, for messages. */
    String where() {
        return Divergence.at(logPosition) + (execution.work() instanceof DataRun ? " or behind it" : "");
    }

    /** The difference from the first execution, or null. */
    String divergence() {
        return divergence;
    }

    @Override
    public void complete(Execution finished) {
        if (!finished.outcome().succeeded()) {
            divergence = "it had committed, but failed when it was replayed: "
                    + finished.outcome().message();
        } else if (hashed && WriteHash.folded(finished.outcome().writeHash()) != expectedHash) {
            divergence = "it wrote something else when it was replayed (hash "
                    + Integer.toHexString(WriteHash.folded(finished.outcome().writeHash())) + ", the log has "
                    + Integer.toHexString(expectedHash) + ")";
        }
        int lane = Math.max(0, finished.ranAt());
        if (!lanes[lane].done().offer(this)) {
            throw new IllegalStateException("more replayed executions come back than were sent");
        }
    }
}
