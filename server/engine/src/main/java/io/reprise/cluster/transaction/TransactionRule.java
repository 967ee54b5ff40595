package io.reprise.cluster.transaction;

/** The rules of transactions over partitions. Production keeps all; a simulation breaks one and has to notice. */
public enum TransactionRule {
    /** T1: messages of a home's passed term are dropped. */
    FENCE,
    /** T2: an id that is not above all that ran is raised. */
    RAISE,
    /** T2: a raised id has the participant's own number. */
    RAISE_BY_OWN_NUMBER,
    /** T2: a new leader stamps above all ids that were promised, also to reads. */
    PROMISE,
    /** T4: a part that moves is undone and runs again. */
    UNDO_WHEN_MOVED,
    /** T5: a vote leaves when each in-sync replica has received the part. */
    VOTE_WHEN_RECEIVED,
    /** T5: a joiner needs all that was voted by receipt. */
    JOINER_NEEDS_VOTED,
    /** T5: a vote counts for its run only. */
    VOTE_FOR_RUN,
    /** T5: the home votes too. */
    HOME_VOTES,
    /** T9: transactions behind a decision wait until all participants hold it stably. */
    STABLE_EVERYWHERE,
    /** T9: a participant reports a transaction as stable when all in front of it is. */
    STABLE_IN_FRONT,
    /** T9: the home's decision is stable before its reply. */
    HOME_STABLE,
    /** T10: a new home leader waits for silent participants. */
    ASK_ALL,
    /** T10: a participant that is asked keeps its part until the home knows all answers. */
    KEEP_UNTIL_VERDICT,
    /** T12: a partition that may have lost records compares with all others before it opens. */
    COMPARE_BEFORE_OPENING,
    /** T12: votes of a partition that lost records are void. */
    VOID_LOST_VOTES,
    /** T12: a cut is stable before the asker opens. */
    CUT_ON_ALL,
    /** T12: a partition that has not opened answers comparisons. */
    ANSWER_WHILE_CLOSED,
    /** T13: a one-shot read counts only if all proposals are equal. */
    READ_AT_ONE_ID,
    /** T13: each part of a read is confirmed by its followers. */
    CONFIRM_PARTS,
    /** T13: the home confirms a read again when all parts have run. */
    CONFIRM_HOME_LAST,
    /** T13: each part of a read saw stable data before it counts. */
    READ_STABLE,
    /** T13: transactions behind a read wait until all parts have run. */
    GATE_BEHIND_READ,
    /** T13: a read whose participant changed its term is given up. */
    GIVE_UP_READ
}
