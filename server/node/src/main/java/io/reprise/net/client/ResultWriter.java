package io.reprise.net.client;

import io.reprise.catalog.SqlType;
import io.reprise.execution.Invocation;
import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyWriter;
import io.reprise.wire.Utf8;
import io.reprise.wire.message.Failure;

/** Makes a reply of what came of a transaction. One thread's at a time. */
public final class ResultWriter {
    private static final int PIECE_BYTES = 256;

    private final MessageWriter to;
    private final ReplyWriter replies;
    private final int maxBytes;
    private final EncodedColumns columns;
    private int rowsWritten;

    /**
     * Writes replies that are not longer than this.
     *
     * @param columns those that its thread has
     */
    ResultWriter(MessageWriter to, int maxBytes, EncodedColumns columns) {
        this.to = to;
        this.maxBytes = maxBytes;
        this.columns = columns;
        replies = new ReplyWriter(to);
    }

    MessageWriter bytes() {
        return to;
    }

    /** Says in a frame of replies how long calls wait. */
    void load(int percent) {
        replies.load(percent);
    }

    /**
     * What the call came to. If that can't be written, as for want of memory, that is what the reply says: whoever waits for it, and the
     * site whose thread this is, go on. Returns null, or what was wrong; if not even that could be said, nothing was written.
     */
    Throwable ended(long id, Invocation invocation) {
        int before = to.length();
        try {
            outcome(id, invocation);
            return null;
        } catch (RuntimeException | Error problem) {
            to.truncate(before);
            untold(id, invocation, problem);
            return problem;
        }
    }

    private void outcome(long id, Invocation invocation) {
        if (invocation.succeeded()) {
            committed(id, invocation.result());
        } else if (invocation.wasRefused()) {
            refused(id, invocation.error(), invocation.message());
        } else {
            failed(id, invocation.error(), invocation.message());
        }
    }

    private void untold(long id, Invocation invocation, Throwable problem) {
        try {
            if (invocation.succeeded()) {
                failure(
                        id,
                        Failure.Code.RESULT_LOST_VALUE,
                        "the transaction committed, but its result could not be sent: " + problem,
                        false);
            } else {
                ErrorCode code = invocation.error();
                failure(
                        id,
                        FailureCodes.of(code),
                        "what there is to say of it could not be sent: " + problem,
                        code.retryable(),
                        invocation.wasRefused());
            }
        } catch (RuntimeException | Error nothingAtAll) {
            // As the caller is told, who sees that nothing was written.
        }
    }

    /** The call committed. */
    void committed(long id, Result result) {
        int before = to.length();
        replies.begin(id);
        boolean fits = write(result, before);
        replies.end();
        int written = to.length() - before;
        if (!fits) {
            to.truncate(before);
            failure(
                    id,
                    Failure.Code.RESULT_TOO_LARGE_VALUE,
                    "the transaction committed, but its " + tooLong(maxBytes, howFar(result, written)),
                    false);
        }
    }

    /** How much of a result there was when it had become too long. */
    private String howFar(Result result, int written) {
        return result.kind() == Result.Kind.ROWS
                ? howFar(written, rowsWritten, (RowBuffer) result.rows())
                : "it has " + (result.kind() == Result.Kind.STRING ? Utf8.length(result.string()) : written);
    }

    private static String howFar(long written, int row, RowBuffer of) {
        return "it came to " + written + " with row " + row + " of " + of.count();
    }

    private static String tooLong(long limit, String howFar) {
        return "result has more than the " + limit
                + " bytes that the server sends (clients.largestResult in its configuration): " + howFar
                + "; ask for fewer rows at a time";
    }

    /**
     * Throws RESULT_TOO_LARGE if these rows would be longer than the limit in a client's reply: for whoever shows them otherwise, and
     * is to be held to the same. One row after the other, so that nothing long is made to find it out.
     */
    public static void check(RowBuffer rows, long limit) {
        MessageWriter piece = new MessageWriter(PIECE_BYTES);
        ResultWriter writer = new ResultWriter(piece, 0, new EncodedColumns());
        writer.columns.write(rows.shape(), writer.replies);
        long length = piece.length();
        int row = 0;
        rows.rewind();
        while (rows.next()) {
            piece.clear();
            writer.row(rows);
            row++;
            length += piece.length();
            if (length > limit) {
                throw new ProcedureException(
                        ErrorCode.RESULT_TOO_LARGE, "the " + tooLong(limit, howFar(length, row, rows)));
            }
        }
        rows.rewind();
    }

    private boolean write(Result result, int before) {
        switch (result.kind()) {
            case NOTHING -> {}
            case INTEGER -> replies.integer(result.word());
            case BOOLEAN -> replies.bool(result.word() != 0);
            case DOUBLE -> replies.number(Double.longBitsToDouble(result.word()));
            case STRING -> {
                String string = result.string();
                if (string != null && string.length() > maxBytes) {
                    // Each of its characters takes a byte at least, and all of them perhaps more than there is memory.
                    return false;
                }
                replies.text(string);
            }
            case ROWS -> {
                return rows((RowBuffer) result.rows(), before);
            }
        }
        return to.length() - before <= maxBytes;
    }

    private boolean rows(RowBuffer rows, int before) {
        replies.beginTable();
        columns.write(rows.shape(), replies);
        rows.rewind();
        rowsWritten = 0;
        while (rows.next()) {
            rowsWritten++;
            row(rows);
            if (to.length() - before > maxBytes) {
                replies.endTable();
                return false;
            }
        }
        replies.endTable();
        return to.length() - before <= maxBytes;
    }

    private void row(RowBuffer rows) {
        replies.beginRow();
        for (int i = 0; i < rows.columns(); i++) {
            value(rows, i);
        }
        replies.endRow();
    }

    private void value(RowBuffer rows, int column) {
        if (rows.isNull(column)) {
            replies.rowNull();
            return;
        }
        switch (rows.columnType(column).kind()) {
            case DOUBLE -> replies.rowNumber(rows.doubleAt(column));
            case DECIMAL -> replies.rowInteger(rows.unscaledAt(column));
            case VARCHAR, VARBINARY -> string(rows, column);
            default -> replies.rowInteger(rows.longAt(column));
        }
    }

    /** Of results, which are on the heap, no string is copied before it is in the reply. */
    private void string(RowBuffer rows, int column) {
        byte[] heap = rows.stringArray();
        byte[] from = heap != null ? heap : rows.bytesAt(column);
        int start = heap != null ? rows.stringStart(column) : 0;
        int length = heap != null ? rows.stringLength(column) : from.length;
        if (rows.columnType(column).kind() == SqlType.Kind.VARCHAR) {
            replies.rowText(from, start, length);
        } else {
            replies.rowBinary(from, start, length);
        }
    }

    /** The call failed. */
    void failed(long id, ErrorCode code, String message) {
        failure(id, FailureCodes.of(code), message, code.retryable());
    }

    /** The call failed. */
    void failure(long id, int code, String message, boolean retryIsSafe) {
        failure(id, code, message, retryIsSafe, false);
    }

    /** Nothing was run of the call. */
    void refused(long id, ErrorCode code, String message) {
        refused(id, FailureCodes.of(code), message, code.retryable());
    }

    /** Nothing was run of the call. */
    void refused(long id, int code, String message, boolean retryIsSafe) {
        failure(id, code, message, retryIsSafe, true);
    }

    /** If there is no memory for it this throws, and nothing of it stays. */
    private void failure(long id, int code, String message, boolean retryIsSafe, boolean notRun) {
        int before = to.length();
        try {
            replies.begin(id);
            replies.failure(code, message == null ? "" : message, retryIsSafe, notRun);
            replies.end();
        } catch (RuntimeException | Error untold) {
            to.truncate(before);
            throw untold;
        }
    }
}
