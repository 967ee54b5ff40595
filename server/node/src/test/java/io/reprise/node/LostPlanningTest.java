package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.access.Protection;
import io.reprise.client.Client;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.http.NodeState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A statement whose client has gone is not planned to its end, and a query of a lost request is not run to its end. */
@Timeout(300)
final class LostPlanningTest {
    /** It takes seconds to plan. */
    private static final String LARGE = "SELECT " + "n + n, ".repeat(8_000) + "n FROM t";

    /** More than there are threads for requests. */
    private static final int REQUESTS = 6;

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

    @Test
    void shouldPlanStatementsOfOtherRequestsMeanwhileAndEndWhenTheRequestsAreLost() throws Exception {
        try (HttpNode node = new HttpNode();
                HttpClient client = HttpClient.newHttpClient()) {
            List<Socket> lost = new ArrayList<>();
            for (int i = 0; i < REQUESTS; i++) {
                lost.add(node.send(LARGE + " WHERE n > " + i));
            }
            awaitPlanning("-long-planning-", true);

            assertThat(node.ask(client, "INSERT INTO t VALUES (1)")).contains("\"count\":1");
            assertThat(isPlanning("-long-planning-")).isTrue();
            for (Socket each : lost) {
                each.close();
            }
            awaitPlanning("-long-planning-", false);

            for (int i = 0; i < REQUESTS; i++) {
                assertThat(node.server.engine().isPlanned(LARGE + " WHERE n > " + i))
                        .isFalse();
            }
        }
    }

    @Test
    void shouldEndAQueryWhenItsRequestIsLost() throws Exception {
        String endless = "SELECT COUNT(*) FROM t a, t b, t c, t d WHERE a.n + b.n + c.n + d.n = -1";
        try (HttpNode node = new HttpNode();
                HttpClient client = HttpClient.newHttpClient()) {
            StringBuilder rows = new StringBuilder("INSERT INTO t VALUES (0)");
            for (int n = 1; n < 1000; n++) {
                rows.append(", (").append(n).append(')');
            }
            node.ask(client, rows.toString());
            Socket lost = node.send(endless);
            await(() -> node.server.engine().isPlanned(endless) && isOn("reprise-engine-site", "io.reprise.sql"));

            lost.close();

            assertThat(node.ask(client, "SELECT n FROM t WHERE n = 7")).contains("[\"7\"]");
        }
    }

    /** A node's server with its HTTP port. */
    private static final class HttpNode implements AutoCloseable {
        final Server server = Server.open(
                Options.create()
                        .ddl("CREATE TABLE t (n INTEGER NOT NULL PRIMARY KEY)")
                        .timeLimit(Duration.ofMinutes(4))
                        .planningLimit(Duration.ofMinutes(4)),
                PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)));
        private final NodeState state = new NodeState("till", "1");
        private final HttpEndpoint endpoint = HttpEndpoint.open(
                new HttpEndpoint.Settings("127.0.0.1", 0, Protection.NONE, 16 << 20), state, () -> "", "token");

        HttpNode() {
            state.planBy(server.planning());
            state.serving(server.engine());
        }

        /** Sends a statement whose answer is not read. */
        Socket send(String statement) throws IOException {
            Socket socket = new Socket(InetAddress.getLoopbackAddress(), endpoint.port());
            socket.getOutputStream()
                    .write(("POST /sql HTTP/1.1\r\nHost: localhost\r\n" + HttpEndpoint.TOKEN_HEADER
                                    + ": token\r\nContent-Length: " + statement.length() + "\r\n\r\n" + statement)
                            .getBytes(StandardCharsets.US_ASCII));
            return socket;
        }

        String ask(HttpClient client, String statement) throws Exception {
            return client.send(
                            HttpRequest.newBuilder(URI.create(endpoint.url() + "/sql"))
                                    .header(HttpEndpoint.TOKEN_HEADER, "token")
                                    .timeout(Duration.ofMinutes(1))
                                    .POST(HttpRequest.BodyPublishers.ofString(statement))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }

        @Override
        public void close() {
            endpoint.close();
            server.close();
        }
    }

    private static void await(BooleanSupplier wanted) {
        while (!wanted.getAsBoolean()) {
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static boolean isOn(String threads, String packages) {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(each -> each.getKey().getName().startsWith(threads)
                        && Arrays.stream(each.getValue())
                                .anyMatch(frame -> frame.getClassName().startsWith(packages)));
    }

    private static void awaitPlanning(String threads, boolean wanted) {
        await(() -> isPlanning(threads) == wanted);
    }

    private static boolean isPlanning(String threads) {
        return Thread.getAllStackTraces().entrySet().stream()
                .anyMatch(each -> each.getKey().getName().contains(threads)
                        && Arrays.stream(each.getValue())
                                .anyMatch(frame -> frame.getClassName().equals(Reprise.class.getName())));
    }
}
