package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.engine.Options;
import io.reprise.net.reprise.PortSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement whose client has gone is not planned to its end. */
@Timeout(300)
final class LostPlanningTest {
    /** It takes seconds to plan. */
    private static final String LARGE = "SELECT " + "n + n, ".repeat(8_000) + "n FROM t";

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
            awaitPlanning("-long-planning-", true);

            client.close();
            awaitPlanning("-long-planning-", false);

            assertThat(server.engine().isPlanned(LARGE)).isFalse();
        }
    }

    @Test
    void shouldPlanShortStatementsOfOtherSessionsMeanwhileAndEndWhenTheSessionIsLost() throws Exception {
        try (PostgresServer server = PostgresServer.open(Options.create()
                        .ddl("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY)")
                        .planningLimit(Duration.ofMinutes(4)));
                Connection lost = server.connect();
                Connection other = server.connect()) {
            CompletableFuture<Void> statement = CompletableFuture.runAsync(() -> {
                try {
                    PostgresDriverTest.update(lost, LARGE);
                } catch (SQLException gone) {
                    throw new CompletionException(gone);
                }
            });
            awaitPlanning("-long-session-planning-", true);

            PostgresDriverTest.update(other, "INSERT INTO t VALUES (1)");
            assertThat(isPlanning("-long-session-planning-")).isTrue();
            lost.abort(Runnable::run);
            awaitPlanning("-long-session-planning-", false);

            assertThat(statement).failsWithin(Duration.ofMinutes(1));
            assertThat(server.server().engine().isPlanned(LARGE)).isFalse();
        }
    }

    private static void awaitPlanning(String threads, boolean wanted) {
        while (isPlanning(threads) != wanted) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static boolean isPlanning(String threads) {
        Set<String> plan = Set.of(EngineBackend.class.getName(), EngineSessions.class.getName());
        for (Map.Entry<Thread, StackTraceElement[]> each :
                Thread.getAllStackTraces().entrySet()) {
            if (each.getKey().getName().contains(threads)
                    && Arrays.stream(each.getValue()).anyMatch(frame -> plan.contains(frame.getClassName()))) {
                return true;
            }
        }
        return false;
    }
}
