package io.reprise.net.session;

import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;
import java.util.List;

/** The receiver of a statement's end; called once, on any thread. */
public interface StatementReply {
    /** The connection that sent the statement; those of one take turns with those of others. */
    Object client();

    /** Whether the connection is still open. A statement whose client is gone is not planned or begun. */
    boolean isWanted();

    /** The statement committed. */
    void committed(Result result);

    /** A statement for many rows has ended; all rows but these are committed. */
    void rowsEnded(List<RejectedRow> rejected);

    /** The statement failed for this reason. */
    void failed(ErrorCode code, String message);

    /** Another node leads the only partition that the statement needs; it was not run. */
    default void moved(int partition, String message) {
        failed(ErrorCode.MOVED, message);
    }

    /** The statement writes, and its user may only read. */
    void notPermitted();
}
