package io.reprise.net.session;

import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;

/** The receiver of a statement's end; called once, on any thread. */
public interface StatementReply {
    /** The statement committed. */
    void committed(Result result);

    /** The statement failed for this reason. */
    void failed(ErrorCode code, String message);

    /** The statement writes, and its user may only read. */
    void notPermitted();
}
