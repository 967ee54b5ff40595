package io.reprise.cluster.transaction;

/** The way in which a reserved transaction runs at a participant. */
enum Mode {
    /** All work is known; the part is held until the decision. */
    WRITE,
    /** All work is known and reads only; the part runs at its proposal and is not held. */
    READ,
    /** A repeated read: its part waits at its turn until the id is final. */
    READ_AT_FINAL,
    /** Statements come by rounds; the partition is held from the turn to the decision. */
    ROUNDS,
    /** As {@link #ROUNDS}, without a decision: the participants release and confirm. */
    READ_ROUNDS,
    /** As {@link #ROUNDS}, but no statements follow the opening: participants other than the home vote with it. */
    OPENING_ONLY;

    boolean hasRounds() {
        return this == ROUNDS || this == READ_ROUNDS || this == OPENING_ONLY;
    }

    boolean isOneShotRead() {
        return this == READ || this == READ_AT_FINAL;
    }
}
