package io.reprise.net.session;

/** The spans of requests for a tracing system. Any thread. */
public interface RequestTracing {
    /** No spans. */
    RequestTracing NONE = new RequestTracing() {
        @Override
        public boolean traces(String statement) {
            return false;
        }

        @Override
        public void ended(String statement, long beganMicros, long endedMicros, String state) {}
    };

    /** Whether a request with this statement becomes a span: its comment has a trace context that asks for it. */
    boolean traces(String statement);

    /**
     * Such a request has ended.
     *
     * @param beganMicros its beginning, in microseconds since 1970
     * @param endedMicros its end
     * @param state the SQLSTATE of its failure; empty: it has succeeded
     */
    void ended(String statement, long beganMicros, long endedMicros, String state);
}
