package io.reprise.node;

import io.reprise.net.listen.ClientSession;
import io.reprise.net.listen.Listener;
import io.reprise.net.listen.PortConnection;
import io.reprise.runtime.time.Clock;
import io.reprise.session.Backends;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The sessions of the port for PostgreSQL's clients, whose number is a part of their id. */
final class PortBackends implements Backends {
    private static final String PREFIX = "postgres-";
    private static final long MICROS = 1_000_000;
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss.SSSSSS'+00'");

    private final Listener port;
    private final Clock clock;

    PortBackends(Listener port, Clock clock) {
        this.port = port;
        this.clock = clock;
    }

    @Override
    public List<Backend> list() {
        List<Backend> backends = new ArrayList<>();
        for (ClientSession each : port.sessions()) {
            int colon = each.address().lastIndexOf(':');
            backends.add(new Backend(
                    Long.parseLong(each.id().substring(PREFIX.length())),
                    each.user(),
                    each.address().substring(0, colon),
                    Integer.parseInt(each.address().substring(colon + 1)),
                    time(clock.epochMicros() - (long) (each.connectedSeconds() * MICROS)),
                    state(each.state()),
                    each.statement()));
        }
        return backends;
    }

    private static String time(long micros) {
        return LocalDateTime.ofEpochSecond(
                        Math.floorDiv(micros, MICROS), (int) Math.floorMod(micros, MICROS) * 1000, ZoneOffset.UTC)
                .format(TIME);
    }

    /** The words of {@code pg_stat_activity}. */
    private static String state(ClientSession.State state) {
        return switch (state) {
            case CONNECTING, ACTIVE -> "active";
            case IDLE -> "idle";
            case IN_TRANSACTION -> "idle in transaction";
            case IN_FAILED_TRANSACTION -> "idle in transaction (aborted)";
        };
    }

    @Override
    public boolean cancel(long pid) {
        Optional<PortConnection> connection = port.session(PREFIX + pid);
        connection.ifPresent(PortConnection::cancelStatement);
        return connection.isPresent();
    }

    @Override
    public boolean end(long pid) {
        Optional<PortConnection> connection = port.session(PREFIX + pid);
        connection.ifPresent(PortConnection::endSession);
        return connection.isPresent();
    }
}
