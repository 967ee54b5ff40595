package io.reprise.net.postgres;

import io.reprise.net.listen.ListenSettings;
import io.reprise.net.session.RequestTracing;
import io.reprise.net.session.SessionLimits;

/**
 * Settings of a port with the PostgreSQL protocol.
 *
 * @param listen the address and its protection
 * @param limits the limits of its clients
 * @param tracing takes the spans of requests
 */
public record PostgresSettings(ListenSettings listen, SessionLimits limits, RequestTracing tracing) {
    /** The default port. */
    public static final int DEFAULT_PORT = 5432;

    /** A port without spans. */
    public PostgresSettings(ListenSettings listen, SessionLimits limits) {
        this(listen, limits, RequestTracing.NONE);
    }
}
