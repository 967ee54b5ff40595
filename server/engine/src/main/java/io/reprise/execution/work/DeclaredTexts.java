package io.reprise.execution.work;

import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.List;

/** A procedure's constructor has to declare the same statements each time that it is run. */
final class DeclaredTexts {
    private DeclaredTexts() {}

    static void check(List<String> collected, int position, String text) {
        if (position >= collected.size() || !collected.get(position).equals(text)) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the procedure declares other statements each time that it is constructed: the one at position "
                            + position + " is now: " + text + "; declare the same statements in the same order always");
        }
    }
}
