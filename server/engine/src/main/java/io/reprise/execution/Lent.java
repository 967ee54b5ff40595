package io.reprise.execution;

import java.util.Arrays;

/**
 * The partitions that were lent to the transaction which this partition's thread runs, treated as one: begun, committed,
 * rolled back and marked with savepoints together. One for each partition, reused; owned by the thread that runs the
 * transaction.
 */
public final class Lent {
    private final LocalPartitions peers;

    /** By slot. */
    private final boolean[] holds;

    /** Row k: the savepoint number k, at each participant in turn. */
    private int[][] savepoints = new int[4][];

    private int savepointCount;
    private Execution execution;

    /** Null unless answers of other partitions are kept. */
    private Answers kept;

    /** Those of the present transaction: kept, or handed out by a replay. Null if it has none. */
    private Answers answers;

    Lent(LocalPartitions peers) {
        this.peers = peers;
        holds = new boolean[peers.count()];
    }

    /** A failure of the engine has left participants in doubt: those in the middle of a change, or else all. False: it ends the engine. */
    boolean doubtFor(Throwable failure) {
        boolean isAnyBroken = false;
        for (int i = 0; i < count(); i++) {
            isAnyBroken |= !participant(i).store().isWhole();
        }
        for (int i = 0; i < count(); i++) {
            if ((!isAnyBroken || !participant(i).store().isWhole())
                    && !participant(i).doubtFor(failure)) {
                return false;
            }
        }
        return true;
    }

    /** Takes over the participants and begins the transaction at each. */
    public void begin(Execution theExecution) {
        takeOver(theExecution);
        for (int i = 0; i < execution.participantCount(); i++) {
            participant(i).begin(execution);
        }
    }

    /** Takes over participants that have begun the transaction themselves. */
    public void takeOver(Execution theExecution) {
        execution = theExecution;
        savepointCount = 0;
        answers = execution.answers();
        if (answers == null && kept != null) {
            answers = kept;
            answers.keep();
        }
        for (int i = 0; i < execution.participantCount(); i++) {
            holds[participant(i).slot()] = true;
        }
    }

    /** From now on the answers that this partition's transactions get from others are kept. Before any transaction. */
    public void keepAnswers() {
        kept = new Answers();
    }

    /** Begins to keep the answers to a call over nodes, whose home this is. Returns null if none are kept. */
    public Answers beginAnswers() {
        if (kept != null) {
            kept.keep();
        }
        return kept;
    }

    /** The answers to the call over nodes that has run here last; null if none are kept. */
    public Answers keptAnswers() {
        return kept;
    }

    /** The answers from elsewhere of the present transaction; null if they are neither kept nor handed out. */
    public Answers answers() {
        return answers;
    }

    /** The number of participants. */
    public int count() {
        return execution.participantCount();
    }

    /** A participant, in ascending order. */
    public Partition participant(int position) {
        return peers.withId(execution.participant(position));
    }

    /** Whether every partition was lent. */
    public boolean isAll() {
        return execution.participantCount() == execution.map().partitions();
    }

    /**
     * The participant that holds the bucket, or null if the transaction does not hold that one. A replay of a call that ran at one
     * partition has it hold all buckets, because a bucket may have moved since; the statement checks the call's confinement.
     */
    public Partition holderOf(int bucket) {
        if (execution.answers() != null && execution.participantCount() == 1) {
            return participant(0);
        }
        int slot = peers.slotOf(execution.map().partition(bucket));
        return slot >= 0 && holds[slot] ? peers.at(slot) : null;
    }

    /** Takes a savepoint at all participants; {@link #rollbackTo} takes the returned number. */
    public int savepoint() {
        if (savepointCount == savepoints.length) {
            savepoints = Arrays.copyOf(savepoints, 2 * savepointCount);
        }
        int[] marks = savepoints[savepointCount];
        if (marks == null) {
            marks = new int[peers.count()];
            savepoints[savepointCount] = marks;
        }
        for (int i = 0; i < count(); i++) {
            marks[i] = participant(i).store().savepoint();
        }
        return savepointCount++;
    }

    /** Undoes all writes since the savepoint at all participants; later savepoints are gone. */
    public void rollbackTo(int savepoint) {
        if (savepoint < 0 || savepoint >= savepointCount) {
            throw new IllegalArgumentException(
                    "no savepoint " + savepoint + " in this transaction, which has " + savepointCount);
        }
        for (int i = 0; i < count(); i++) {
            participant(i).store().rollbackTo(savepoints[savepoint][i]);
        }
        savepointCount = savepoint + 1;
    }

    /** Gives a savepoint up that is not needed any more, and those after it. */
    public void releaseSavepoint(int savepoint) {
        savepointCount = savepoint;
    }

    /** Throws if the transaction must not commit for what it met anywhere, whatever it made of that. */
    public void checkLimitsKept() {
        boolean wrote = hasWrites();
        for (int i = 0; i < count(); i++) {
            participant(i).store().checkLimitsKept(wrote);
        }
    }

    /** Whether the transaction that has just run needed a bucket that is not loaded. The caller rolls it back. */
    public boolean hasMissed() {
        for (int i = 0; i < count(); i++) {
            if (participant(i).hasMissed(execution)) {
                return true;
            }
        }
        return false;
    }

    /** Whether anything was written, wherever. */
    public boolean hasWrites() {
        for (int i = 0; i < count(); i++) {
            if (participant(i).store().hasWrites()) {
                return true;
            }
        }
        return false;
    }

    /** The hash of all that was written, wherever: the same for every number of partitions. */
    public long writeHash() {
        long hash = 0;
        for (int i = 0; i < count(); i++) {
            hash += participant(i).store().writeHash();
        }
        return hash;
    }

    /** Commits at all participants. */
    public void commit() {
        for (int i = 0; i < count(); i++) {
            participant(i).commit();
        }
        end();
    }

    /** Rolls back at all participants. */
    public void rollback() {
        for (int i = 0; i < count(); i++) {
            participant(i).rollback();
        }
        end();
    }

    private void end() {
        for (int i = 0; i < count(); i++) {
            holds[participant(i).slot()] = false;
        }
        execution = null;
    }
}
