package io.reprise.net.client;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Work;

/** What clients are served from: the engine, as the network sees it. Any thread may ask. */
public interface Backend {
    /** The procedure of this name as it is now, or null. Doesn't wait. */
    Work procedure(String name);

    /** Which partition holds which bucket. */
    BucketMap buckets();

    /**
     * Runs a statement as a transaction of its own, on another thread; doesn't wait.
     *
     * @param mayWrite false: it is refused if it does more than read
     * @return false if too many wait already; then there will be no reply
     */
    boolean statement(String sql, Object[] arguments, boolean mayWrite, StatementReply reply);

    /** The server's name and version, for clients. */
    String software();
}
