package io.reprise.node;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import java.net.InetSocketAddress;
import java.time.Duration;

/**
 * Clients of tests that are about something else than how long a client waits: on a busy machine a server may need more than the
 * seconds that are usual.
 */
public final class PatientClient {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private PatientClient() {}

    /** The usual settings, but for how long each thing may take. */
    public static ClientSettings of(InetSocketAddress server) {
        return ClientSettings.to(server)
                .withConnectTimeout(PATIENCE)
                .withCallTimeout(PATIENCE.multipliedBy(2))
                .withSilenceTimeout(PATIENCE);
    }

    static Client connect(Server server) {
        return Client.connect(of(server.address()));
    }
}
