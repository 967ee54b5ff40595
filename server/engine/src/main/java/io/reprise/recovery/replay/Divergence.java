package io.reprise.recovery.replay;

import io.reprise.redo.DivergedReplayException;

/** The exceptions of a replay whose result differs from the first execution. */
final class Divergence {
    private Divergence() {}

    /** The place of a frame, for messages. */
    static String at(long position) {
        return "at position " + position;
    }

    /**
     * The exception that ends the replay.
     *
     * @param where the place of the transaction's frame
     * @param work the replayed work
     * @param what the difference
     */
    static DivergedReplayException of(long transactionId, String where, String work, String what) {
        return new DivergedReplayException(
                transactionId,
                "The replay of transaction 0x" + Long.toHexString(transactionId) + " (" + work
                        + ", in the log's frame " + where + ") differs from the first time: " + what
                        + ". Nothing was changed on disk, and the engine is not opened. Either the procedure's result depends on"
                        + " something that is not logged, or the server has a bug: keep the data directory and report it. To go"
                        + " on meanwhile, choose by \"reprise recover\": --accept 0x" + Long.toHexString(transactionId)
                        + " takes what it writes now, --skip leaves it out, --up-to discards it and all behind it."
                        + " Or restore a backup.");
    }

    /**
     * The exception that ends the replay at work which this version of the server refuses.
     *
     * @param why the reason of the refusal
     */
    static DivergedReplayException notRunnable(long transactionId, String where, String work, String why) {
        return new DivergedReplayException(
                transactionId,
                "Transaction 0x" + Long.toHexString(transactionId) + " (" + work + ", in the log's frame " + where
                        + ") had committed, and this version of the server can't run it again: " + why
                        + ". Nothing was changed on disk, and the engine is not opened. Go on with the version that wrote the log;"
                        + " or start that one, have it make a snapshot without calls meanwhile (a node that is stopped in order makes"
                        + " one), stop it, and start this one then.");
    }
}
