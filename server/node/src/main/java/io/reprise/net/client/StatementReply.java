package io.reprise.net.client;

import io.reprise.execution.Result;
import io.reprise.procedure.ErrorCode;

/** Who waits for a statement's end; told once, on any thread. */
public interface StatementReply {
    /** It committed. */
    void committed(Result result);

    /** It did not, for this reason. */
    void failed(ErrorCode code, String message);

    /** It writes, which its user may not. */
    void notPermitted();
}
