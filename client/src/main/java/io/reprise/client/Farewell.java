package io.reprise.client;

import io.reprise.wire.message.Goodbye;

/** Why a connection ends, as it becomes known: from the server, from the handshake, or from this side. The network thread's. */
final class Farewell {
    private String why = "";
    private CallException refusal;
    private boolean otherProtocol;
    private String certificate = "";

    /** The reason of the end as the rest of a sentence; empty without a reason. */
    String why() {
        return why;
    }

    /** Why another connection would end the same way, or null. */
    CallException refusal() {
        return refusal;
    }

    /** Whether the two don't agree on TLS, or one of them is none of this protocol. */
    boolean isOfOtherProtocol() {
        return otherProtocol;
    }

    /** This side ends it. */
    void ending(String because) {
        why = ": " + because;
    }

    /** There is a certificate for servers that ask for one, which this one has not seen: TLS shows only what it says it accepts. */
    void certificateNotShown() {
        certificate =
                "; this client's certificate was not shown, because the server asks for none, or for one of other authorities";
    }

    /** The user is not taken, or may not be named. */
    void refused(String because) {
        refusal = new CallException(ErrorCode.NOT_AUTHENTICATED, because + certificate, false);
    }

    /** It is not this protocol that is spoken there. */
    void otherProtocol(String because) {
        ending(because);
        otherProtocol = true;
    }

    /** There was no handshake, unless there was something before that explains this. */
    void noHandshake(Throwable cause) {
        if (why.isEmpty()) {
            why = ": " + ClientTls.explain(cause);
            otherProtocol = !ClientTls.mayPass(cause);
        }
    }

    /** Something failed, unless there was something before that explains this. */
    void broken(Throwable cause) {
        if (ClientTls.isRefusal(cause)) {
            noHandshake(cause);
        } else if (why.isEmpty()) {
            why = ": " + Unreachable.broken(cause);
        }
    }

    /** The server ends it. */
    void said(Goodbye goodbye) {
        why = ": " + goodbye.getReason() + ": " + goodbye.getMessage();
        if (goodbye.getReason() == Goodbye.Reason.NOT_AUTHENTICATED) {
            refused(goodbye.getMessage());
        }
        otherProtocol = goodbye.getReason() == Goodbye.Reason.TLS_REQUIRED;
    }
}
