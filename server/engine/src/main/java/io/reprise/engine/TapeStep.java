package io.reprise.engine;

import io.reprise.execution.work.TapeAnswer;
import io.reprise.execution.work.TapeEntry;
import java.util.Optional;

/**
 * A step of a session's transaction, independent of the version of the schema.
 *
 * @param kind a statement, or a step between savepoints
 * @param savepoint the number of the savepoint
 * @param sql the statement
 * @param arguments its arguments
 * @param told the answer that the client knows; empty: the answer is asked for
 */
public record TapeStep(TapeEntry.Kind kind, int savepoint, String sql, Object[] arguments, Optional<TapeAnswer> told) {
    /** A statement whose answer is asked for. */
    public static TapeStep statement(String sql, Object... arguments) {
        return new TapeStep(TapeEntry.Kind.STATEMENT, 0, sql, arguments, Optional.empty());
    }

    /** The same statement with its answer. */
    public TapeStep told(TapeAnswer answer) {
        return new TapeStep(kind, savepoint, sql, arguments, Optional.of(answer));
    }

    /** SAVEPOINT, with a number for later steps. */
    public static TapeStep savepoint(int number) {
        return new TapeStep(TapeEntry.Kind.SAVEPOINT, number, "", new Object[0], Optional.empty());
    }

    /** ROLLBACK TO SAVEPOINT. */
    public static TapeStep rollbackTo(int number) {
        return new TapeStep(TapeEntry.Kind.ROLLBACK_TO, number, "", new Object[0], Optional.empty());
    }
}
