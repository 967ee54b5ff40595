package io.reprise.net.reprise;

import io.reprise.catalog.SqlType;
import io.reprise.execution.Execution;
import io.reprise.execution.Result;
import io.reprise.net.session.RejectedRow;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyWriter;
import io.reprise.wire.Utf8;
import io.reprise.wire.Wire;
import io.reprise.wire.message.Failure;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Encodes the outcomes of transactions as replies. Used by one thread at a time. */
public final class ResultWriter {
    private static final int PIECE_BYTES = 256;

    private final MessageWriter to;
    private final ReplyWriter replies;
    private final int maxBytes;
    private final EncodedColumns columns;
    private int rowsWritten;

    /**
     * A writer.
     *
     * @param maxBytes the longest result
     * @param columns the cache of its thread
     */
    ResultWriter(MessageWriter to, int maxBytes, EncodedColumns columns) {
        this.to = to;
        this.maxBytes = maxBytes;
        this.columns = columns;
        replies = new ReplyWriter(to);
    }

    /** A writer for a frame with replies that is made outside of a site. */
    static ResultWriter ofOneReply(int maxResultBytes) {
        return new ResultWriter(new MessageWriter(PIECE_BYTES), maxResultBytes, new EncodedColumns());
    }

    MessageWriter bytes() {
        return to;
    }

    /** Writes the queueing delay into a frame of replies. */
    void load(int percent) {
        replies.load(percent);
    }

    /**
     * Writes the outcome of a call, or a failure if the outcome can't be written, as for want of memory: client and site go on. Returns
     * null or the problem. If even the failure could not be written, nothing was.
     */
    Throwable ended(long id, Execution execution) {
        int before = to.length();
        try {
            outcome(id, execution);
            return null;
        } catch (RuntimeException | Error problem) {
            to.truncate(before);
            untold(id, execution, problem);
            return problem;
        }
    }

    private void outcome(long id, Execution execution) {
        if (execution.outcome().succeeded()) {
            committed(id, execution.outcome().result());
        } else if (execution.wasRefused() || isNotRun(execution.outcome().error())) {
            refused(id, execution.outcome().error(), execution.outcome().message());
        } else {
            ErrorCode code = execution.outcome().error();
            failure(
                    id,
                    FailureCodes.of(code),
                    execution.outcome().message(),
                    code.retryable() || execution.outcome().repeatable());
        }
    }

    private void untold(long id, Execution execution, Throwable problem) {
        try {
            if (execution.outcome().succeeded()) {
                failure(
                        id,
                        Failure.Code.RESULT_LOST_VALUE,
                        "the transaction committed, but its result could not be sent: " + problem,
                        false);
            } else {
                ErrorCode code = execution.outcome().error();
                failure(
                        id,
                        FailureCodes.of(code),
                        "the reason could not be sent: " + problem,
                        code.retryable() || execution.outcome().repeatable(),
                        execution.wasRefused());
            }
        } catch (RuntimeException | Error nothingAtAll) {
            // The caller gets the problem, and sees that nothing was written.
        }
    }

    /** Writes that the call committed. */
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

    /** Writes the rows of a statement that are not committed. */
    void rejected(long id, List<RejectedRow> rows) {
        replies.begin(id);
        replies.beginTable();
        int integer = ColumnTypes.of(SqlType.of(SqlType.Kind.INTEGER));
        replies.column(Wire.REJECTED_ROW, integer, 0, 0);
        replies.column(Wire.REJECTED_CODE, integer, 0, 0);
        replies.column(Wire.REJECTED_MESSAGE, ColumnTypes.of(SqlType.TEXT), SqlType.MAX_STRING_BYTES, 0);
        for (RejectedRow row : rows) {
            byte[] message = String.valueOf(row.message()).getBytes(StandardCharsets.UTF_8);
            replies.beginRow();
            replies.rowInteger(row.row());
            replies.rowInteger(FailureCodes.of(row.code()));
            replies.rowText(message, 0, message.length);
            replies.endRow();
        }
        replies.endTable();
        replies.end();
    }

    /** The part of a result that was written when it had become too long. */
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
     * Throws RESULT_TOO_LARGE if these rows would exceed the limit in a client's reply; for other front ends with the same limit. Rows are
     * encoded one by one, so that the check needs no memory.
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
                    // Each character takes a byte at least; to encode them all might take more than the memory.
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
        if (rows.sqlType(column).isWide()) {
            wide(rows.decimalAt(column).unscaledValue());
            return;
        }
        switch (rows.sqlType(column).kind()) {
            case DOUBLE -> replies.rowNumber(rows.doubleAt(column));
            case DECIMAL -> replies.rowInteger(rows.unscaledAt(column));
            case VARCHAR, VARBINARY -> string(rows, column);
            default -> replies.rowInteger(rows.longAt(column));
        }
    }

    /** An unscaled value that does not fit 64 bits is sent as its bytes. */
    private void wide(BigInteger unscaled) {
        if (unscaled.bitLength() < Long.SIZE) {
            replies.rowInteger(unscaled.longValue());
        } else {
            byte[] bytes = unscaled.toByteArray();
            replies.rowBinary(bytes, 0, bytes.length);
        }
    }

    /** Strings of results on the heap are copied once, into the reply. */
    private void string(RowBuffer rows, int column) {
        if (rows.sqlType(column).isArray()) {
            byte[] text = rows.stringAt(column).getBytes(StandardCharsets.UTF_8);
            replies.rowText(text, 0, text.length);
            return;
        }
        byte[] heap = rows.stringArray();
        byte[] from = heap != null ? heap : rows.bytesAt(column);
        int start = heap != null ? rows.stringStart(column) : 0;
        int length = heap != null ? rows.stringLength(column) : from.length;
        if (rows.sqlType(column).kind() == SqlType.Kind.VARCHAR) {
            replies.rowText(from, start, length);
        } else {
            replies.rowBinary(from, start, length);
        }
    }

    /** Whether a partition says by this code that it has not run the transaction. */
    private static boolean isNotRun(ErrorCode code) {
        return code == ErrorCode.MOVED || code == ErrorCode.PARTITION_UNAVAILABLE;
    }

    /** Writes that the call failed. */
    void failed(long id, ErrorCode code, String message) {
        failure(id, FailureCodes.of(code), message, code.retryable(), isNotRun(code));
    }

    /** Writes that the call failed. */
    void failure(long id, int code, String message, boolean retryIsSafe) {
        failure(id, code, message, retryIsSafe, false);
    }

    /** Writes that the call was not run. */
    void refused(long id, ErrorCode code, String message) {
        refused(id, FailureCodes.of(code), message, code.retryable());
    }

    /** Writes that the call was not run. */
    void refused(long id, int code, String message, boolean retryIsSafe) {
        failure(id, code, message, retryIsSafe, true);
    }

    /** Throws for want of memory, and leaves nothing of the failure then. */
    void failure(long id, int code, String message, boolean retryIsSafe, boolean notRun) {
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
