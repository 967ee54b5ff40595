package io.reprise.cluster.transaction;

/** The way in which a reserved transaction runs at a participant. */
enum Mode {
    /** Statements come by rounds; the partition is held from the turn to the decision. */
    ROUNDS,
    /** As {@link #ROUNDS}, without a decision: the participants release and confirm. */
    READ_ROUNDS,
    /** As {@link #ROUNDS}, but no statements follow the opening: participants other than the home vote with it. */
    OPENING_ONLY
}
