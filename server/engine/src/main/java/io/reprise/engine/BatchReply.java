package io.reprise.engine;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;

/**
 * The outcome of a batch of {@link Batches}.
 *
 * @param error the failure; null if all rows are committed
 * @param message the failure in words
 * @param subject the subject of the failure; null if it has none
 * @param failed the row that failed, from 0; -1: none, or the batch as a whole
 * @param written the number of rows that were written
 */
public record BatchReply(ErrorCode error, String message, ErrorSubject subject, int failed, long written) {
    /** Whether it is committed. */
    public boolean succeeded() {
        return error == null;
    }
}
