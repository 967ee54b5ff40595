package io.reprise.recovery.replay;

import io.reprise.execution.Work;

/** The schema while a log is replayed: it changes where the log says so. */
public interface ReplaySchema {
    /** The version of a procedure that has this number; null if the schema has none. */
    Work procedure(int version);

    /** A statement that is no procedure. */
    Work statement(String text);

    /**
     * Makes a change again. No transaction is under way.
     *
     * @param record what the log has of it
     * @param transactionId the id that it had
     */
    void change(byte[] record, long transactionId);
}
