package io.reprise.net.postgres;

import io.reprise.net.session.RequestTracing;
import io.reprise.runtime.time.Clock;

/** The span of the request under way, if its statement asks for one. Owned by the thread that runs the session's messages. */
final class RequestSpan {
    private final RequestTracing tracing;
    private final Clock clock;
    private String statement;
    private String state = "";
    private long beganMicros;

    RequestSpan(RequestTracing tracing, Clock clock) {
        this.tracing = tracing;
        this.clock = clock;
    }

    /** A statement of the request is known. */
    void statement(String text) {
        if (statement == null && tracing.traces(text)) {
            statement = text;
            beganMicros = clock.epochMicros();
        }
    }

    /** The request has failed. */
    void failed(String sqlState) {
        state = sqlState;
    }

    /** The request has ended. */
    void ended() {
        if (statement != null) {
            tracing.ended(statement, beganMicros, clock.epochMicros(), state);
            statement = null;
        }
        state = "";
    }
}
