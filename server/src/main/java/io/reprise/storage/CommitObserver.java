package io.reprise.storage;

/** Is told of each transaction that wrote something, when it commits: a physiological log takes its records then. */
public interface CommitObserver {
    /**
     * The transaction's writes are complete and about to become permanent. What was deleted or replaced is still there.
     *
     * @param writes positioned before the first write; valid during the call
     */
    void committing(long transactionId, TransactionWrites writes);
}
