package io.reprise.cluster.transaction;

/** The end of a transaction as a coordinator, or a participant that was asked, knows it. */
enum Verdict {
    /** Its effects stay. */
    COMMIT,
    /** Its effects are undone. */
    ABORT,
    /** Its effects are undone because the user aborted; each participant confirms what was read. */
    ABORT_AND_CONFIRM,
    /** There is no decision yet: ask again later. */
    UNDECIDED
}
