package io.reprise.net.postgres;

import io.reprise.net.listen.ListenSettings;
import io.reprise.net.session.SessionLimits;

/**
 * Settings of a port with the PostgreSQL protocol.
 *
 * @param listen the address and its protection
 * @param limits the limits of its clients
 */
public record PostgresSettings(ListenSettings listen, SessionLimits limits) {
    /** The default port. */
    public static final int DEFAULT_PORT = 5432;
}
