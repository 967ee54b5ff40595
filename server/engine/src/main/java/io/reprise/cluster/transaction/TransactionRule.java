package io.reprise.cluster.transaction;

/** The rules of transactions over partitions. Production keeps all; a simulation breaks one and has to notice. */
public enum TransactionRule {
    /** T1: messages of a home's passed term are dropped. */
    FENCE,
    /** T2: an id that is not above all that ran is raised. */
    RAISE,
    /** T2: a raised id has the participant's own number. */
    RAISE_BY_OWN_NUMBER,
    /** T4: a part that moves is undone and runs again. */
    UNDO_WHEN_MOVED,
    /** T5: a vote leaves when each in-sync replica has forced the part. */
    VOTE_WHEN_FORCED,
    /** T5: a joiner needs all that was voted for. */
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
    /** T13: each part of a read is confirmed by its followers. */
    CONFIRM_PARTS,
    /** T13: each part of a read saw stable data before it counts. */
    READ_STABLE
}
