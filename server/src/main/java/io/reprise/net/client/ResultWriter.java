package io.reprise.net.client;

import io.reprise.catalog.SqlType;
import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import io.reprise.sql.compile.runtime.RowBuffer;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.ReplyWriter;
import io.reprise.wire.message.Failure;

/** Makes a reply of what came of a transaction. One thread's at a time. */
final class ResultWriter {
    private final MessageWriter to;
    private final ReplyWriter replies;
    private final int maxBytes;
    private int rowsWritten;

    /** Writes replies that are not longer than this. */
    ResultWriter(MessageWriter to, int maxBytes) {
        this.to = to;
        this.maxBytes = maxBytes;
        replies = new ReplyWriter(to);
    }

    MessageWriter bytes() {
        return to;
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
                    "the transaction committed, but its result has more than the " + maxBytes
                            + " bytes that the server sends (clients.largestResult in its configuration): "
                            + howFar(result, written)
                            + "; ask for fewer rows at a time",
                    false);
        }
    }

    /** How much of a result there was when it had become too long. */
    private String howFar(Result result, int written) {
        return result.kind() == Result.Kind.ROWS
                ? "it came to " + written + " with row " + rowsWritten + " of " + ((RowBuffer) result.rows()).count()
                : "it has " + written;
    }

    private boolean write(Result result, int before) {
        switch (result.kind()) {
            case NOTHING -> {}
            case INTEGER -> replies.integer(result.word());
            case BOOLEAN -> replies.bool(result.word() != 0);
            case DOUBLE -> replies.number(Double.longBitsToDouble(result.word()));
            case STRING -> replies.text(result.string());
            case ROWS -> {
                return rows((RowBuffer) result.rows(), before);
            }
        }
        return to.length() - before <= maxBytes;
    }

    private boolean rows(RowBuffer rows, int before) {
        int columns = rows.columns();
        replies.beginTable();
        for (int i = 0; i < columns; i++) {
            SqlType type = rows.columnType(i);
            replies.column(rows.columnName(i), ColumnTypes.of(type.kind()), type.precision(), type.scale());
        }
        rows.rewind();
        rowsWritten = 0;
        while (rows.next()) {
            rowsWritten++;
            replies.beginRow();
            for (int i = 0; i < columns; i++) {
                value(rows, i);
            }
            replies.endRow();
            if (to.length() - before > maxBytes) {
                replies.endTable();
                return false;
            }
        }
        replies.endTable();
        return to.length() - before <= maxBytes;
    }

    private void value(RowBuffer rows, int column) {
        if (rows.isNull(column)) {
            replies.rowNull();
            return;
        }
        switch (rows.columnType(column).kind()) {
            case DOUBLE -> replies.rowNumber(rows.doubleAt(column));
            case DECIMAL -> replies.rowInteger(rows.unscaledAt(column));
            case VARCHAR -> replies.rowText(rows.bytesAt(column));
            case VARBINARY -> replies.rowBinary(rows.bytesAt(column));
            default -> replies.rowInteger(rows.longAt(column));
        }
    }

    /** The call failed. */
    void failed(long id, ErrorCode code, String message) {
        failure(id, FailureCodes.of(code), message, code.retryable());
    }

    /** The call failed. */
    void failure(long id, int code, String message, boolean retryIsSafe) {
        replies.begin(id);
        replies.failure(code, message == null ? "" : message, retryIsSafe);
        replies.end();
    }
}
