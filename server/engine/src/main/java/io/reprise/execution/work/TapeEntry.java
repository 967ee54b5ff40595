package io.reprise.execution.work;

import io.reprise.execution.deploy.Arguments;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ErrorSubject;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.HeapRows;

/**
 * An entry of a {@link TapeWork}: a statement with its arguments, or a step between savepoints. The transaction's thread writes its
 * answer.
 */
public final class TapeEntry {
    /** The kinds of entries. */
    public enum Kind {
        STATEMENT,
        SAVEPOINT,
        ROLLBACK_TO
    }

    final Kind kind;
    final int savepoint;
    final StatementWork work;
    final Arguments arguments;
    final TapeAnswer expected;
    private ErrorCode error;
    private String message;
    private ErrorSubject subject;
    private HeapRows rows;
    private long count;
    private boolean ran;

    TapeEntry(Kind kind, int savepoint, StatementWork work, Arguments arguments, TapeAnswer expected) {
        this.kind = kind;
        this.savepoint = savepoint;
        this.work = work;
        this.arguments = arguments;
        this.expected = expected;
    }

    /** A statement whose answer the client does not know yet. */
    public static TapeEntry statement(StatementWork work, Arguments arguments) {
        return new TapeEntry(Kind.STATEMENT, 0, work, arguments, null);
    }

    /** A statement whose answer the client knows. */
    public static TapeEntry told(StatementWork work, TapeAnswer expected, Arguments arguments) {
        return new TapeEntry(Kind.STATEMENT, 0, work, arguments, expected);
    }

    /** SAVEPOINT; later entries refer to it by this number. */
    public static TapeEntry savepoint(int number) {
        return new TapeEntry(Kind.SAVEPOINT, number, null, null, null);
    }

    /** ROLLBACK TO SAVEPOINT. */
    public static TapeEntry rollbackTo(int number) {
        return new TapeEntry(Kind.ROLLBACK_TO, number, null, null, null);
    }

    /** Whether the client has been told an answer. */
    boolean isTold() {
        return expected != null;
    }

    void found(HeapRows result) {
        rows = result;
        ran = true;
    }

    void counted(long result) {
        count = result;
        ran = true;
    }

    void failed(ProcedureException failure) {
        failed(failure.code(), failure.getMessage(), failure.subject());
    }

    void failed(ErrorCode code, String why, ErrorSubject about) {
        error = code;
        message = why;
        subject = about;
        ran = true;
    }

    /** Whether the statement has an answer. */
    public boolean ran() {
        return ran;
    }

    /** The rows of a query that has run. */
    public HeapRows rows() {
        return rows;
    }

    /** The count of a write that has run. */
    public long count() {
        return count;
    }

    /** The failure; null if there was none. */
    public ErrorCode error() {
        return error;
    }

    /** The subject of the failure; null if it has none. */
    public ErrorSubject subject() {
        return subject;
    }

    /** The failure in words. */
    public String message() {
        return message;
    }
}
