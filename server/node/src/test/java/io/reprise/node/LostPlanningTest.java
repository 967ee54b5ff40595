package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement whose client has gone is not planned to its end. */
@Timeout(300)
final class LostPlanningTest {
    /** It takes seconds to plan. */
    private static final String LARGE = "SELECT " + "n + 1, ".repeat(8_000) + "n FROM t";

    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    @Test
    void shouldEndPlanningWhenTheConnectionIsLost() {
        Options options = Options.create()
                .ddl("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY)")
                .planningLimit(Duration.ofMinutes(4));
        try (Server server =
                Server.open(options, PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)))) {
            Client client = PatientClient.connect(server);
            client.sqlAsync(LARGE).exceptionally(gone -> null);
            awaitPlanning(true);

            client.close();
            awaitPlanning(false);

            assertThat(server.engine().isPlanned(LARGE)).isFalse();
        }
    }

    private static void awaitPlanning(boolean wanted) {
        while (isPlanning() != wanted) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static boolean isPlanning() {
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            if (each.getKey().getName().contains("-long-planning-")
                    && Arrays.stream(each.getValue())
                            .anyMatch(frame -> frame.getClassName().equals(EngineBackend.class.getName()))) {
                return true;
            }
        }
        return false;
    }
}
