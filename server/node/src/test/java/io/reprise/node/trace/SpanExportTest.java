package io.reprise.node.trace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.process.NodeProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Spans as a receiver gets them: names and texts are readable in protobuf, and ids are bytes. */
final class SpanExportTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CALLER = "b7ad6b7169203331";
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(120);

    @TempDir
    Path folder;

    private final Queue<String> received = new ConcurrentLinkedQueue<>();
    private HttpServer receiver;

    @BeforeEach
    void listen() throws IOException {
        receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/v1/traces", exchange -> {
            byte[] body = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"))
                    ? new GZIPInputStream(exchange.getRequestBody()).readAllBytes()
                    : exchange.getRequestBody().readAllBytes();
            received.add(new String(body, StandardCharsets.ISO_8859_1));
            exchange.sendResponseHeaders(200, -1);
            exchange.close();
        });
        receiver.start();
    }

    @AfterEach
    void stop() {
        receiver.stop(0);
    }

    private NodeProcess node(String slowAfter) {
        return NodeProcess.start(ConfigurationFile.parse(
                """
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 64MiB, slowAfter: %s}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0}
                postgres: {enabled: true, port: 0}
                tracing: {endpoint: "http://127.0.0.1:%d/v1/traces"}
                """.formatted(slowAfter, receiver.getAddress().getPort()), "test", folder));
    }

    private static Connection connect(NodeProcess node) throws SQLException {
        return DriverManager.getConnection("jdbc:postgresql://127.0.0.1:"
                + node.postgres().orElseThrow().getPort() + "/bank?user=ann&sslmode=disable");
    }

    private String received() {
        return String.join("", received);
    }

    private static String comment(String flags) {
        return " /*application='shop',traceparent='00-" + TRACE + "-" + CALLER + "-" + flags + "'*/";
    }

    private static String bytes(String hexadecimal) {
        return new String(HexFormat.of().parseHex(hexadecimal), StandardCharsets.ISO_8859_1);
    }

    private void await(Predicate<String> condition) throws InterruptedException {
        long deadlineNs = System.nanoTime() + LIMIT_NS;
        while (!condition.test(received()) && System.nanoTime() < deadlineNs) {
            Thread.sleep(20);
        }
        assertThat(received()).matches(condition);
    }

    @ParameterizedTest
    @CsvSource({
        "'select 1', SELECT",
        "'  /* a */ Insert into t', INSERT",
        "'/* a\nb */update t', UPDATE",
        "'-- a\n  delete from t', DELETE",
        "'/* a /* b */ c */ WITH x', WITH",
        "'(SELECT 1)', ''",
        "'/* open', ''",
        "'-- only', ''",
        "'', ''"
    })
    void shouldNameASpanByTheFirstWord(String statement, String name) {
        assertThat(SpanExport.name(statement)).isEqualTo(name);
    }

    @Test
    void shouldNameSpansOfStatementsWithLongBeginnings() {
        assertThat(SpanExport.name(" ".repeat(100_000) + "/**/".repeat(100_000) + "SELECT"))
                .isEqualTo("SELECT");
    }

    @Test
    void shouldSendRequestsThatCarryARecordedTrace() throws Exception {
        try (NodeProcess node = node("0s");
                Connection connection = connect(node);
                Statement statement = connection.createStatement()) {
            statement.execute("SELECT 1 AS untraced");
            statement.execute("SELECT 1 AS unsampled" + comment("00"));
            statement.execute("SELECT 1 AS traced" + comment("01"));
            assertThatThrownBy(() -> statement.execute("SELECT 1 / 0 AS wrong" + comment("01")))
                    .isInstanceOf(SQLException.class);
        }

        await(all -> all.contains("AS traced") && all.contains("AS wrong"));
        assertThat(received())
                .contains(bytes(TRACE), bytes(CALLER), "db.query.text", "22012", "reprise")
                .doesNotContain("untraced", "unsampled");
    }

    @Test
    void shouldSendSlowTransactionsWithTheirPhases() throws Exception {
        try (NodeProcess node = node("1us")) {
            node.engine().ddl("CREATE TABLE t (id BIGINT PRIMARY KEY)");
            for (int i = 0; i < 100; i++) {
                node.engine().sql("INSERT INTO t VALUES (?)", i);
            }
            await(all -> all.contains("(ad hoc)"));
        }

        assertThat(received()).contains("queue", "execute", "log", "reprise.partition");
    }

    @Test
    void shouldRunWithoutAReceiver() throws Exception {
        int port = receiver.getAddress().getPort();
        receiver.stop(0);

        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                http: {port: 0}
                clients: {port: 0}
                postgres: {enabled: true, port: 0}
                tracing: {endpoint: "http://127.0.0.1:%d/v1/traces"}
                """.formatted(port), "test", folder));
                Connection connection = connect(node);
                Statement statement = connection.createStatement()) {
            for (int i = 0; i < 10_000; i++) {
                assertThat(statement.execute("SELECT 1" + comment("01"))).isTrue();
            }
        }
    }
}
