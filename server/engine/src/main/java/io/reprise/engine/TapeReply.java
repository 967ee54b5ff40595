package io.reprise.engine;

import io.reprise.execution.work.TapeEntry;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import java.util.List;

/**
 * The outcome of a tape.
 *
 * @param error the failure; null if it succeeded
 * @param message the failure in words
 * @param subject the subject of the failure; null if it has none
 * @param overtaken whether a change of the schema came first, so that it did not run and can be made again
 * @param conflict the step whose answer has changed; -1: none
 * @param failed the step that failed; -1: none
 * @param entries the steps with the answers that were asked for
 */
public record TapeReply(
        ErrorCode error,
        String message,
        ErrorSubject subject,
        boolean overtaken,
        int conflict,
        int failed,
        List<TapeEntry> entries) {
    /** Whether it succeeded. */
    public boolean succeeded() {
        return error == null;
    }
}
