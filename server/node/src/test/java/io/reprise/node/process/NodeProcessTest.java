package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ErrorCode;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.execution.deploy.SourceCompiler;
import io.reprise.node.http.ClusterMetricsSample;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.http.PrometheusChecker;
import io.reprise.runtime.file.StoreLockedException;
import io.reprise.runtime.file.SystemFileStore;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A node with all that is around it, over a real socket. */
final class NodeProcessTest {
    private static final String SCHEMA =
            "CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL);"
                    + " PARTITION TABLE account ON COLUMN id;"
                    + " CREATE PROCEDURE Add PARTITION ON TABLE account COLUMN id PARAMETER 0"
                    + " AS INSERT INTO account VALUES (?, ?)";

    @TempDir
    Path folder;

    private final HttpClient client = HttpClient.newHttpClient();

    private NodeConfiguration configuration(String more) throws IOException {
        return configuration("127.0.0.1", more);
    }

    private NodeConfiguration configuration(String httpAddress, String more) throws IOException {
        return configuration(httpAddress, more, "{port: 0}");
    }

    private NodeConfiguration configuration(String httpAddress, String more, String clients) throws IOException {
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        return ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 2, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {address: "%s", port: 0}
                clients: %s
                """.formatted(httpAddress, clients) + more, "test", folder);
    }

    @Test
    void shouldTellHowItStandsWhenAskedByHttp() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            for (int i = 0; i < 20; i++) {
                node.engine().call("Add", i, 1);
            }

            assertThat(get(node, "/health").statusCode()).isEqualTo(200);
            assertThat(get(node, "/ready").body()).isEqualTo("ready\n");
            Map<String, Double> metrics =
                    PrometheusChecker.read(get(node, "/metrics").body());
            assertThat(metrics)
                    .containsEntry("reprise_ready", 1.0)
                    .containsEntry("reprise_procedure_calls_total{procedure=\"ADD\",outcome=\"committed\"}", 20.0)
                    .containsEntry("reprise_procedure_latency_seconds_count{procedure=\"ADD\"}", 20.0)
                    .containsKey("reprise_partition_busy_seconds_total{partition=\"1\"}")
                    .containsKey("reprise_partition_standstill_seconds_total{partition=\"1\"}")
                    .containsKey("jvm_threads");
            assertThat(metrics.get("reprise_log_flush_seconds_count")).isPositive();
            assertThat(get(node, "/status").body()).contains("ready", "ADD", "PARTITION", "Log: durable");
            assertThat(get(node, "/nothing").statusCode()).isEqualTo(404);
        }
    }

    @Test
    void shouldCountTheRowsOfAReplicatedTableOnce() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            node.engine().ddl("CREATE TABLE country (code VARCHAR(2) NOT NULL PRIMARY KEY)");
            node.engine().sql("INSERT INTO country VALUES ('FR'), ('DE'), ('IT')");
            long untilNs = System.nanoTime() + 30_000_000_000L;
            // Figures of partitions are a quarter of a second old.
            while (!get(node, "/status").body().contains("COUNTRY                                   3")) {
                assertThat(System.nanoTime()).as(get(node, "/status").body()).isLessThan(untilNs);
            }

            assertThat(get(node, "/status").body()).containsPattern("COUNTRY +3 +\\d+ +replicated");
            assertThat(PrometheusChecker.read(get(node, "/metrics").body()))
                    .containsEntry("reprise_table_rows{table=\"COUNTRY\",partition=\"1\",replicated=\"true\"}", 3.0)
                    .containsKey("reprise_table_rows{table=\"ACCOUNT\",partition=\"1\",replicated=\"false\"}");
        }
    }

    @Test
    void shouldTellAWrongTokenFromNone() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            HttpRequest.BodyPublisher body = HttpRequest.BodyPublishers.ofString("SELECT 1 FROM account");

            String none = send(request(node, "/sql").POST(body)).body();
            String wrong = send(request(node, "/sql")
                            .header(HttpEndpoint.TOKEN_HEADER, "guessed")
                            .POST(body))
                    .body();

            assertThat(none).contains("this needs the node's token", "reprise page", ".node");
            assertThat(wrong).contains("this token is not the node's", "reprise page", ".node");
        }
    }

    @ParameterizedTest
    @CsvSource({"100, 1000", "3000, 10"})
    void shouldShowTheFirstRowsWhenAllOfThemAreTooLong(int length, int shown) throws Exception {
        NodeConfiguration few = configuration("127.0.0.1", "", "{port: 0, largestResult: 150KiB}");
        try (NodeProcess node = NodeProcess.start(few)) {
            node.engine().ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(3000))");
            node.engine()
                    .sql("INSERT INTO note SELECT n, REPEAT('x', " + length + ") FROM GENERATE_SERIES(1, 2000) g (n)");
            HttpRequest.Builder page = request(node, "/sql")
                    .header(
                            HttpEndpoint.TOKEN_HEADER,
                            RunFile.read(folder.resolve("data")).orElseThrow().token());

            HttpResponse<String> all =
                    send(page.copy().POST(HttpRequest.BodyPublishers.ofString("SELECT * FROM note")));
            HttpResponse<String> limited =
                    send(page.copy().POST(HttpRequest.BodyPublishers.ofString("SELECT * FROM note LIMIT 1900")));

            assertThat(all.statusCode()).as(all.body()).isEqualTo(200);
            assertThat(all.body().split("\"x+\"", -1)).hasSize(shown + 1);
            assertThat(all.body()).contains("\"truncated\":true").doesNotContain("\"count\"");
            assertThat(limited.statusCode()).isEqualTo(400);
            assertThat(limited.body()).contains("result_too_large");
        }
    }

    @Test
    void shouldAskBeforeAChangeWhenToldTo() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            node.engine().call("Add", 1, 1);
            HttpRequest.Builder asking = request(node, "/sql")
                    .header(
                            HttpEndpoint.TOKEN_HEADER,
                            RunFile.read(folder.resolve("data")).orElseThrow().token())
                    .header("X-Reprise-Ask", "changes");

            String delete = send(asking.copy().POST(HttpRequest.BodyPublishers.ofString("DELETE FROM account")))
                    .body();
            String drop = send(asking.copy().POST(HttpRequest.BodyPublishers.ofString("DROP TABLE account")))
                    .body();
            String query = send(asking.copy()
                            .POST(HttpRequest.BodyPublishers.ofString("SELECT COUNT(*) AS n FROM account")))
                    .body();

            assertThat(delete).isEqualTo("{\"asks\":\"This changes the data.\"}");
            assertThat(drop).isEqualTo("{\"asks\":\"This changes the schema.\"}");
            assertThat(query).contains("\"rows\":[[\"1\"]]");
        }
    }

    @Test
    void shouldShowTheFirstRowsOfAResultThatIsTooLong() throws Exception {
        NodeConfiguration small = ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 2, memoryPerPartition: 64MiB}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0, largestResult: 64KiB}
                """, "test", folder);
        try (NodeProcess node = NodeProcess.start(small)) {
            node.engine().ddl("CREATE TABLE long (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE long ON COLUMN id");
            for (int i = 0; i < 20_000; i += 1000) {
                StringBuilder rows =
                        new StringBuilder("INSERT INTO long VALUES (").append(i).append(')');
                for (int k = i + 1; k < i + 1000; k++) {
                    rows.append(", (").append(k).append(')');
                }
                node.engine().sql(rows.toString());
            }

            String all = sql(node, "SELECT * FROM long ORDER BY id -- all").body();
            String limited = sql(node, "SELECT * FROM long LIMIT 19000").body();

            assertThat(all).contains("[\"999\"]]", "\"truncated\":true").doesNotContain("\"count\"", "[\"1000\"]");
            assertThat(limited).contains("result_too_large");
        }
    }

    @Test
    void shouldNotAskForScriptsAndJarsWhenTheDatabaseIsThere() throws Exception {
        Path jar = Files.write(
                folder.resolve("first.jar"),
                SourceCompiler.jar(Map.of(
                        "p.First",
                        "package p; public final class First extends io.reprise.procedure.Procedure {"
                                + " public long run(long x) { return x + 1; } }")));
        Files.writeString(folder.resolve("schema.sql"), "CREATE PROCEDURE FROM CLASS p.First");
        NodeConfiguration configuration = ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql, jars: first.jar}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder);
        NodeProcess.start(configuration).close();
        Files.delete(jar);
        Files.delete(folder.resolve("schema.sql"));

        try (NodeProcess node = NodeProcess.start(configuration)) {
            assertThat(node.engine().call("First", 41).longValue()).isEqualTo(42);
        }
    }

    /** The value that it was read as would be stored. */
    @Test
    void shouldRefuseAScriptThatIsNotInUtf8AndStartWhenItIs() throws Exception {
        NodeConfiguration configuration = configuration("");
        Path script = folder.resolve("schema.sql");
        String text = SCHEMA + ";\nCREATE TABLE more (name VARCHAR(10) DEFAULT 'Zo\u00eb')";
        Files.writeString(script, text, StandardCharsets.ISO_8859_1);

        assertThatThrownBy(() -> NodeProcess.start(configuration))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("schema.scripts: line 2 of " + script + " is not in UTF-8; convert it");
        Files.writeString(script, text);

        try (NodeProcess node = NodeProcess.start(configuration)) {
            assertThat(node.engine().call("Add", 1, 1).longValue()).isEqualTo(1);
        }
    }

    /** Calls are refused before the last snapshot begins, so that it has everything. */
    @Test
    void shouldHaveNothingToReplayWhenItWasStoppedUnderLoad() throws Exception {
        NodeConfiguration configuration = configuration("");
        NodeProcess node = NodeProcess.start(configuration);
        FutureTask<Long> load;
        try (Client caller = Client.connect(
                ClientSettings.to(node.clients().orElseThrow()).withConnectTimeout(Duration.ofMinutes(1)))) {
            CountDownLatch underWay = new CountDownLatch(100);
            load = new FutureTask<>(() -> {
                long answered = 0;
                try {
                    while (true) {
                        caller.call("Add", answered, 1);
                        answered++;
                        underWay.countDown();
                    }
                } catch (CallException refused) {
                    return answered;
                }
            });
            Thread.ofPlatform().daemon().start(load);
            FutureTask<Object> statements = new FutureTask<>(() -> {
                try {
                    while (true) {
                        caller.sql("UPDATE account SET balance = balance + 1 WHERE id = 0");
                    }
                } catch (CallException refused) {
                    return null;
                }
            });
            Thread.ofPlatform().daemon().start(statements);
            assertThat(underWay.await(1, TimeUnit.MINUTES)).isTrue();
            node.close();
            // At the end of the connection it has read all answers. Unanswered calls wait for another one.
            while (isConnected(caller)) {
                LockSupport.parkNanos(1_000_000);
            }
            caller.close();
            load.get(1, TimeUnit.MINUTES);
            statements.get(1, TimeUnit.MINUTES);
        }

        try (NodeProcess again = NodeProcess.start(configuration)) {
            assertThat(again.engine().recovery().transactions()).isZero();
            assertThat(again.engine().sql("SELECT id FROM account").rows().count())
                    .isEqualTo(load.get().intValue());
        }
    }

    private static boolean isConnected(Client caller) {
        try {
            return caller.partitions() > 0;
        } catch (CallException notConnected) {
            return false;
        }
    }

    @Test
    void shouldAnswerWithResultsAsLongAsTheConfigurationSays() throws Exception {
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        NodeConfiguration configuration = ConfigurationFile.parse("""
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {enabled: false}
                clients: {port: 0, largestResult: 8KiB}
                """, "test", folder);
        try (NodeProcess node = NodeProcess.start(configuration);
                Client caller = Client.connect(
                        ClientSettings.to(node.clients().orElseThrow()).withConnectTimeout(Duration.ofMinutes(1)))) {
            for (int i = 0; i < 1000; i++) {
                node.engine().call("Add", i, i);
            }

            assertThat(caller.sql("SELECT * FROM account WHERE id < 100").rows().count())
                    .isEqualTo(100);
            assertThatThrownBy(() -> caller.sql("SELECT * FROM account"))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE))
                    .hasMessageContaining("8192 bytes")
                    .hasMessageContaining("clients.largestResult")
                    .hasMessageContaining("of 1000");
        }
    }

    @Test
    void shouldEndAQueryOverHttpThatFindsMoreThanClientsAreSent() throws Exception {
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        NodeConfiguration configuration = ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 64MiB, workMemory: 2MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0, largestResult: 8KiB}
                """, "test", folder);
        try (NodeProcess node = NodeProcess.start(configuration)) {
            for (int i = 0; i < 5000; i++) {
                node.engine().call("Add", i, i);
            }

            HttpResponse<String> tooLong = sql(node, "SELECT id FROM account LIMIT 4000");
            HttpResponse<String> tooMuch = sql(
                    node,
                    "SELECT COUNT(*) FROM (SELECT a.id, a.balance + n.v FROM account a,"
                            + " (VALUES 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16) n (v)"
                            + " GROUP BY a.id, a.balance + n.v) g");

            assertThat(tooLong.statusCode()).isEqualTo(400);
            assertThat(tooLong.body()).contains("8192 bytes", "clients.largestResult", "result_too_large");
            assertThat(tooMuch.statusCode()).isEqualTo(400);
            assertThat(tooMuch.body()).contains("2097152 bytes", "engine.workMemory", "memory_limit");
            assertThat(sql(node, "SELECT id FROM account WHERE id < 10").statusCode())
                    .isEqualTo(200);
        }
    }

    @Test
    void shouldHoldResultsOverHttpToTheLengthThatClientsAreSent() throws Exception {
        Files.writeString(folder.resolve("schema.sql"), SCHEMA);
        NodeConfiguration configuration = ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0, largestResult: 8KiB}
                """, "test", folder);
        try (NodeProcess node = NodeProcess.start(configuration);
                Client caller = Client.connect(
                        ClientSettings.to(node.clients().orElseThrow()).withConnectTimeout(Duration.ofMinutes(1)))) {
            for (int i = 0; i < 2000; i++) {
                node.engine().call("Add", i, i);
            }
            int most = 2;
            while (answers(caller, most + 1)) {
                most++;
            }

            HttpResponse<String> longest = sql(node, "SELECT * FROM account WHERE id < " + most);
            // The rest of a reply, its number and so on, may be as long as one or two of these rows.
            HttpResponse<String> longer = sql(node, "SELECT * FROM account WHERE id < " + (most + 3));

            assertThat(most).isBetween(100, 1900);
            assertThat(longest.statusCode()).isEqualTo(200);
            assertThat(longer.body()).contains("\"truncated\":true").hasSizeLessThan(8 << 10);
            HttpResponse<String> limited =
                    sql(node, "SELECT * FROM account WHERE id < 2000 ORDER BY id LIMIT " + (most + 3));
            assertThat(limited.statusCode()).isEqualTo(400);
            assertThat(limited.body()).contains("8192 bytes", "clients.largestResult", "of " + (most + 3));
        }
    }

    private static boolean answers(Client caller, int rows) {
        try {
            caller.sql("SELECT * FROM account WHERE id < ?", rows);
            return true;
        } catch (CallException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.RESULT_TOO_LARGE);
            return false;
        }
    }

    @Test
    void shouldGiveTheStatusAsJsonWhenThatIsAskedFor() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration("node: {name: 'a \"b\"'}\n"))) {
            node.engine().call("Add", 1, 1);

            HttpResponse<String> answer = send(request(node, "/status").header("Accept", "application/json"));

            JsonNode status = new ObjectMapper().readTree(answer.body());
            assertThat(status.get("node").asText()).isEqualTo("a \"b\"");
            assertThat(status.get("phase").asText()).isEqualTo("serving");
            assertThat(status.get("procedures").findValue("committed").asLong()).isEqualTo(1);
            assertThat(status.get("partitions")).hasSize(2);
            assertThat(status.get("tables").get(0).get("name").asText()).isEqualTo("ACCOUNT");
            assertThat(status.get("bucketLoad")).hasSize(1024);
        }
    }

    @Test
    void shouldTellTheSchemaAndTheLastMinutes() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            ObjectMapper mapper = new ObjectMapper();

            JsonNode schema = mapper.readTree(get(node, "/schema").body());
            JsonNode history = mapper.readTree(get(node, "/history").body());
            JsonNode later = mapper.readTree(get(node, "/history?after=1000000").body());

            JsonNode table = schema.get("tables").get(0);
            assertThat(table.get("partitionColumn").asText()).isEqualTo("ID");
            assertThat(table.get("columns")).hasSize(2);
            assertThat(table.get("columns").get(0).get("primaryKey").asBoolean())
                    .isTrue();
            assertThat(table.get("indexes").get(0).get("columns").get(0).asText())
                    .isEqualTo("ID");
            JsonNode procedure = schema.get("procedures").get(0);
            assertThat(procedure.get("scope").asText()).isEqualTo("key");
            assertThat(procedure.get("routing").get(0).asText()).isEqualTo("parameter 1: ACCOUNT.ID");
            assertThat(procedure.get("statements").get(0).asText()).startsWith("INSERT INTO account");
            assertThat(history.get("points").isArray()).isTrue();
            assertThat(later.get("points")).isEmpty();
        }
    }

    @Test
    void shouldMakeASnapshotOnlyForWhoKnowsTheToken() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            node.engine().call("Add", 1, 1);
            RunFile run = RunFile.read(folder.resolve("data")).orElseThrow();

            HttpResponse<String> without = send(request(node, "/snapshot").POST(HttpRequest.BodyPublishers.noBody()));
            HttpResponse<String> wrong = send(request(node, "/snapshot")
                    .header(HttpEndpoint.TOKEN_HEADER, "guess")
                    .POST(HttpRequest.BodyPublishers.noBody()));
            HttpResponse<String> read = send(request(node, "/snapshot").header(HttpEndpoint.TOKEN_HEADER, run.token()));
            HttpResponse<String> right = send(request(node, "/snapshot")
                    .header(HttpEndpoint.TOKEN_HEADER, run.token())
                    .POST(HttpRequest.BodyPublishers.noBody()));

            assertThat(without.statusCode()).isEqualTo(403);
            assertThat(wrong.statusCode()).isEqualTo(403);
            assertThat(read.statusCode()).isEqualTo(405);
            assertThat(right.statusCode()).as(right.body()).isEqualTo(200);
            assertThat(right.body()).contains("1 rows");
            try (Stream<Path> snapshots = Files.list(folder.resolve("data").resolve("snapshot"))) {
                assertThat(snapshots.map(made -> "Snapshot " + made.getFileName() + ":"))
                        .anySatisfy(named -> assertThat(right.body()).startsWith(named));
            }
            assertThat(PosixFilePermissions.toString(
                            Files.getPosixFilePermissions(folder.resolve("data").resolve(".node"))))
                    .isEqualTo("rw-------");
        }
    }

    @Test
    void shouldRunStatementsForWhoKnowsTheToken() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            ObjectMapper mapper = new ObjectMapper();

            JsonNode ddl = mapper.readTree(sql(
                            node,
                            "CREATE TABLE v (id BIGINT NOT NULL PRIMARY KEY, d DECIMAL(6,2),"
                                    + " s VARCHAR(20), b VARBINARY(4), t TIMESTAMP, y DATE, f DOUBLE, o BOOLEAN);"
                                    + " CREATE INDEX v_d ON v (d)")
                    .body());
            JsonNode write = mapper.readTree(sql(
                            node,
                            "INSERT INTO v VALUES (9007199254740993, 1.50, '<\"é>', x'00ff', '2026-01-02 03:04:05',"
                                    + " '2026-01-02', 0.5, TRUE)")
                    .body());
            sql(node, "INSERT INTO v (id) VALUES (1)");
            JsonNode rows = mapper.readTree(
                    sql(node, "SELECT * FROM v ORDER BY id DESC").body());
            JsonNode plan = mapper.readTree(
                    sql(node, "EXPLAIN SELECT * FROM v WHERE id = 1").body());

            assertThat(ddl.get("done").asText()).contains("schema");
            assertThat(write.get("count").asLong()).isEqualTo(1);
            assertThat(rows.get("count").asLong()).isEqualTo(2);
            assertThat(rows.get("truncated").asBoolean()).isFalse();
            assertThat(rows.get("columns").get(1).get("type").asText()).isEqualTo("DECIMAL(6,2)");
            assertThat(rows.get("rows").get(0).toString())
                    .isEqualTo("[\"9007199254740993\",\"1.50\",\"<\\\"é>\",\"00ff\",\"2026-01-02 03:04:05\","
                            + "\"2026-01-02\",\"0.5\",\"true\"]");
            assertThat(rows.get("rows").get(1).toString()).isEqualTo("[\"1\",null,null,null,null,null,null,null]");
            assertThat(plan.get("plan").asText()).isNotBlank();
        }
    }

    @Test
    void shouldSayWhatIsWrongWhenAStatementIs() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            HttpResponse<String> unknown = sql(node, "SELECT nothing FROM account");
            HttpResponse<String> empty = sql(node, " -- nothing\n");
            HttpResponse<String> two = sql(node, "DELETE FROM account; DELETE FROM account");
            HttpResponse<String> large = sql(node, "SELECT '" + "x".repeat(1 << 17) + "'");
            HttpResponse<String> without =
                    send(request(node, "/sql").POST(HttpRequest.BodyPublishers.ofString("DELETE FROM account")));

            assertThat(unknown.statusCode()).isEqualTo(400);
            assertThat(unknown.body()).contains("NOTHING", "\"code\":\"invalid_request\"");
            assertThat(empty.statusCode()).isEqualTo(400);
            assertThat(two.body()).contains("2 statements");
            assertThat(large.statusCode()).isEqualTo(413);
            assertThat(without.statusCode()).isEqualTo(403);
        }
    }

    @Test
    void shouldRefuseWhatIsNotInUtf8() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            for (String path : List.of("/sql", "/ddl", "/deploy")) {
                String body = "CREATE TABLE \u00e9 (id BIGINT NOT NULL PRIMARY KEY)";
                String sent = path.equals("/deploy") ? body.length() + "\n" + body : body;

                HttpResponse<String> refused = post(node, path, sent.getBytes(StandardCharsets.ISO_8859_1));

                assertThat(refused.statusCode()).as(path).isEqualTo(400);
                assertThat(refused.body()).as(path).contains("not in UTF-8");
            }
            assertThat(node.engine().catalog().tables()).containsOnlyKeys("ACCOUNT");
        }
    }

    @Test
    void shouldChangeTheSchemaOnlyAsAWholeWhenAScriptIsSent() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            HttpResponse<String> good = post(node, "/ddl", "CREATE TABLE a (id BIGINT NOT NULL PRIMARY KEY)");
            HttpResponse<String> bad =
                    post(node, "/ddl", "CREATE TABLE b (id BIGINT NOT NULL PRIMARY KEY); CREATE TABLE c (id NOTHING)");
            HttpResponse<String> noDdl = post(node, "/ddl", "DELETE FROM a");

            assertThat(good.statusCode()).as(good.body()).isEqualTo(200);
            assertThat(bad.statusCode()).isEqualTo(400);
            assertThat(bad.body()).contains("NOTHING");
            assertThat(noDdl.statusCode()).isEqualTo(400);
            assertThat(node.engine().catalog().tables()).containsKey("A").doesNotContainKey("B");
        }
    }

    @Test
    void shouldDeployAJarWithItsScript() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            String script = "CREATE PROCEDURE FROM CLASS no.such.Thing";

            byte[] jar = SourceCompiler.jar(Map.of(
                    "p.Next",
                    "package p; public final class Next extends io.reprise.procedure.Procedure {"
                            + " public long run(long x) { return x + 1; } }"));
            String declaration = "CREATE PROCEDURE FROM CLASS p.Next";
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            body.writeBytes((declaration.length() + "\n" + declaration).getBytes(StandardCharsets.UTF_8));
            body.writeBytes(jar);

            HttpResponse<String> deployed = post(node, "/deploy", body.toByteArray());
            HttpResponse<String> missing = post(node, "/deploy", script.length() + "\n" + script);
            HttpResponse<String> malformed = post(node, "/deploy", "many\n" + script);
            HttpResponse<String> tooShort = post(node, "/deploy", "100\n" + script);

            assertThat(deployed.statusCode()).as(deployed.body()).isEqualTo(200);
            assertThat(node.engine().call("Next", 41).longValue()).isEqualTo(42);
            assertThat(missing.statusCode()).isEqualTo(400);
            assertThat(missing.body()).contains("no classes");
            assertThat(malformed.body()).contains("length");
            assertThat(tooShort.body()).contains("length");
        }
    }

    /** As of a jar with all that a program needs in it. */
    @Test
    void shouldSayHowMuchItTakesWhenAChangeIsTooLong() throws Exception {
        int mib = 1 << 20;
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            node.engine().call("Add", 1, 1);
            RunFile run = RunFile.read(folder.resolve("data")).orElseThrow();
            URI address = URI.create(run.http());
            try (Socket socket = new Socket(address.getHost(), address.getPort())) {
                socket.setSoTimeout(20_000);
                OutputStream out = socket.getOutputStream();
                out.write(("POST /deploy HTTP/1.1\r\nHost: localhost\r\n" + HttpEndpoint.TOKEN_HEADER + ": "
                                + run.token() + "\r\nContent-Length: " + 72 * mib + "\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
                for (int i = 0; i < 72; i++) {
                    out.write(new byte[mib]);
                }

                String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

                assertThat(answer).startsWith("HTTP/1.1 413 ").contains("at most " + 64 * mib + " bytes");
            }
        }
    }

    @Test
    void shouldShowSomeRowsAndCountAllWhenThereAreTooMany() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            for (int i = 0; i < 1001; i++) {
                node.engine().call("Add", i, i);
            }

            JsonNode rows = new ObjectMapper()
                    .readTree(sql(node, "SELECT id FROM account").body());

            assertThat(rows.get("count").asInt()).isEqualTo(1001);
            assertThat(rows.get("rows")).hasSize(1000);
            assertThat(rows.get("truncated").asBoolean()).isTrue();
        }
    }

    @Test
    void shouldServeThePageWithNothingFromElsewhere() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            HttpResponse<String> page = get(node, "/");
            StringBuilder scripts = new StringBuilder();
            for (String file : List.of("page", "dom", "chart", "schema", "sql")) {
                HttpResponse<String> script = get(node, "/" + file + ".js");
                assertThat(script.statusCode()).as(file).isEqualTo(200);
                scripts.append(script.body());
            }
            String script = scripts.toString();

            assertThat(page.headers().firstValue("Content-Type")).contains("text/html; charset=utf-8");
            assertThat(page.headers().firstValue("Content-Security-Policy").orElseThrow())
                    .contains("default-src 'none'");
            assertThat(page.body() + script + get(node, "/page.css").body())
                    .doesNotContain("https://", "innerHTML", "src=\"http", "@import");
            Matcher ids = Pattern.compile("(?:at|fill)\\(\"([a-z0-9-]+)\"").matcher(script);
            assertThat(ids.results().map(match -> match.group(1)).distinct())
                    .hasSizeGreaterThan(20)
                    .allSatisfy(id -> assertThat(page.body()).contains("id=\"" + id + "\""));
        }
    }

    @Test
    void shouldHaveEveryMetricThatTheDashboardAndTheDocumentsName() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration("recovery: {objective: 30s}\n"))) {
            node.engine().call("Add", 1, 1);
            node.engine().snapshot();
            String metrics = get(node, "/metrics").body() + ClusterMetricsSample.text();
            Pattern name = Pattern.compile("\\b(?:reprise|jvm|process)_[a-z0-9_]+");
            Set<String> known = new TreeSet<>();
            Matcher types = Pattern.compile("(?m)^# TYPE ([a-z_0-9]+) ").matcher(metrics);
            types.results().forEach(match -> known.add(match.group(1)));

            for (Path file : List.of(
                    Path.of("../../docker/grafana/dashboards/reprise.json"),
                    Path.of("../../docs/operating/monitoring.md"))) {
                Set<String> named = new TreeSet<>();
                name.matcher(Files.readString(file))
                        .results()
                        .forEach(match -> named.add(match.group().replaceFirst("_(bucket|sum|count)$", "")));
                assertThat(named).as(file.toString()).hasSizeGreaterThan(20);
                assertThat(known).as(file.toString()).containsAll(named);
                if (file.endsWith("monitoring.md")) {
                    assertThat(named).as("documented").containsAll(known);
                }
            }
        }
    }

    @Test
    void shouldRefuseAnotherHostsNameWhenItListensOnTheMachineOnly() throws Exception {
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            int port = URI.create(node.url().orElseThrow()).getPort();

            assertThat(raw(port, "GET /metrics HTTP/1.1\r\nHost: evil.example:80\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
            assertThat(raw(port, "GET /metrics HTTP/1.1\r\nHost: 127.0.0.1.evil.example\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 403");
            assertThat(raw(port, "GET /ready HTTP/1.1\r\nHost: localhost:1\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
            assertThat(raw(port, "GET /ready HTTP/1.1\r\nHost: LocalHost\r\nConnection: close\r\n\r\n"))
                    .startsWith("HTTP/1.1 200");
        }
    }

    /** Without that nobody finds it: neither "start --detach", which waits until it is ready, nor "status". */
    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.1.2.3", "::1"})
    void shouldAnswerAtTheAddressThatItSaysWhenThatIsOneOfTheMachineItself(String address) throws Exception {
        boolean hasVersion6 = NetworkInterface.getByInetAddress(InetAddress.ofLiteral("::1")) != null;
        assumeTrue(hasVersion6 || !address.contains(":"), "the machine has no address ::1");

        try (NodeProcess node = NodeProcess.start(configuration(address, ""))) {
            assertThat(get(node, "/ready").body()).isEqualTo("ready\n");
        }
    }

    @Test
    void shouldHaveItsDataAgainWhenItWasStopped() throws Exception {
        Path data = folder.resolve("data");
        try (NodeProcess node = NodeProcess.start(configuration(""))) {
            node.engine().call("Add", 1, 10);
            assertThat(RunFile.read(data).orElseThrow().process()).contains(ProcessHandle.current());
        }
        assertThat(RunFile.read(data)).isEmpty();

        try (NodeProcess again = NodeProcess.start(configuration(""))) {
            assertThat(again.engine().recovery().snapshot()).isPresent();
            assertThat(again.engine().sql("SELECT COUNT(*) FROM account").rows().next())
                    .isTrue();
            assertThat(PrometheusChecker.read(get(again, "/metrics").body()))
                    .containsEntry("reprise_recovery_rows", 1.0);
        }
    }

    @Test
    void shouldLeaveTheFirstAloneWhenASecondStartsOnTheSameData() throws Exception {
        NodeConfiguration configuration = configuration("");
        try (NodeProcess first = NodeProcess.start(configuration)) {
            RunFile before = RunFile.read(folder.resolve("data")).orElseThrow();

            assertThatThrownBy(() -> NodeProcess.start(configuration)).hasMessageContaining("lock the data directory");

            assertThat(RunFile.read(folder.resolve("data"))).contains(before);
            assertThat(get(first, "/ready").statusCode()).isEqualTo(200);
        }
    }

    /** The link of a configuration leads to another directory, in which another node is at work. */
    @Test
    void shouldRemoveItsOwnFileWhenTheLinkToItsDirectoryHasChanged() throws Exception {
        NodeConfiguration configuration = configuration("");
        Path link = folder.resolve("data");
        Path first = Files.createDirectory(folder.resolve("first"));
        Path second = Files.createDirectory(folder.resolve("second"));
        Files.createSymbolicLink(link, first);
        RunFile others = RunFile.ofThisProcess("http://127.0.0.1:1", "", "", "of another node");

        try (NodeProcess node = NodeProcess.start(configuration)) {
            Files.delete(link);
            Files.createSymbolicLink(link, second);
            others.write(second);
            assertThat(RunFile.read(first)).isPresent();
        }

        assertThat(RunFile.read(first)).isEmpty();
        assertThat(RunFile.read(second)).contains(others);
    }

    /** The recovery may take long; here it is a script that is not there yet. */
    @Test
    void shouldTakeItsFileBackAndNotServeWhenItIsToldToStopBeforeItIsReady() throws Exception {
        NodeConfiguration configuration = configuration("");
        Path script = folder.resolve("schema.sql");
        Files.delete(script);
        assertThat(new ProcessBuilder("mkfifo", script.toString()).start().waitFor())
                .isZero();
        NodeProcess node = NodeProcess.of(configuration);
        FutureTask<Void> opening = new FutureTask<>(() -> {
            node.open();
            return null;
        });
        Thread.ofPlatform().daemon().start(opening);
        Path data = folder.resolve("data");
        while (RunFile.read(data).isEmpty()) {
            assertThat(opening.isDone()).isFalse();
            Thread.onSpinWait();
        }

        node.close();

        assertThat(RunFile.read(data)).isEmpty();
        Files.writeString(script, SCHEMA);
        assertThatThrownBy(() -> opening.get(1, TimeUnit.MINUTES))
                .hasMessageContaining("was told to stop before it was ready");
        assertThat(RunFile.read(data)).isEmpty();
        Files.delete(script);
        Files.writeString(script, SCHEMA);
        try (NodeProcess again = NodeProcess.start(configuration)) {
            assertThat(again.engine().call("Add", 1, 1).longValue()).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldLeaveTheFileOfANodeThatTakesTheDirectoryWhenItGivesItUp(boolean failing) throws Exception {
        Path data = folder.resolve("data");
        RunFile others = RunFile.ofThisProcess("http://127.0.0.1:1", "", "", "of another node");
        NodeConfiguration configuration = configuration("");
        // The node waits for its script until it has been seen that it has said that it has the directory.
        Path script = folder.resolve("schema.sql");
        Files.delete(script);
        assertThat(new ProcessBuilder("mkfifo", script.toString()).start().waitFor())
                .isZero();
        // Takes the directory as soon as it can.
        FutureTask<Void> next = new FutureTask<>(() -> {
            while (RunFile.read(data).isEmpty()) {
                Thread.onSpinWait();
            }
            Files.writeString(script, failing ? "PARTITION TABLE nowhere ON COLUMN id" : SCHEMA);
            try (SystemFileStore store = lockWhenFree(data)) {
                others.write(data);
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(next);

        if (failing) {
            assertThatThrownBy(() -> NodeProcess.start(configuration)).hasMessageContaining("NOWHERE");
        } else {
            NodeProcess.start(configuration).close();
        }
        next.get(1, TimeUnit.MINUTES);

        assertThat(RunFile.read(data)).contains(others);
    }

    private static SystemFileStore lockWhenFree(Path data) {
        while (true) {
            SystemFileStore store = SystemFileStore.open(data);
            try {
                store.lock();
                return store;
            } catch (StoreLockedException e) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void shouldSayWhatToDoWhenItCannotListen() throws Exception {
        try (NodeProcess first = NodeProcess.start(configuration(""))) {
            int port = URI.create(first.url().orElseThrow()).getPort();

            assertThatThrownBy(() -> NodeProcess.start(
                            configuration("").in(folder.resolve("other")).onHttpPort(port)))
                    .hasMessageContaining("http.port");
            // Everything opened until then is closed: the same directory can be used at once.
            NodeConfiguration taken = configuration("")
                    .in(folder.resolve("other"))
                    .onClientPort(first.clients().orElseThrow().getPort());
            assertThatThrownBy(() -> NodeProcess.start(taken))
                    .hasMessageContaining(
                            "can't listen on 127.0.0.1, port " + taken.clients().port())
                    .hasMessageContaining("in use")
                    .hasMessageContaining("clients.port");
            try (NodeProcess other = NodeProcess.start(taken.onClientPort(0))) {
                assertThat(other.clients()).isPresent();
            }
        }
        assertThatThrownBy(() -> NodeProcess.start(withAddress("0.0.0.0"))).hasMessageContaining("http.allowRemote");
        assertThatThrownBy(() -> NodeProcess.start(withAddress("no.such.host.invalid")))
                .hasMessageContaining("http.address");
        assertThat(folder.resolve("remote")).doesNotExist();
    }

    @Test
    void shouldSayWhichFileWhenOneOfTheSchemaIsMissing() throws Exception {
        NodeConfiguration configuration =
                ConfigurationFile.parse("schema: {jars: [none.jar]}\nhttp: {port: 0}", "test", folder);

        assertThatThrownBy(() -> NodeProcess.start(configuration))
                .hasMessageContaining("schema.jars")
                .hasMessageContaining("none.jar");
    }

    private NodeConfiguration withAddress(String address) {
        return ConfigurationFile.parse(
                "data: {directory: remote}\nhttp: {port: 0, address: " + address + "}", "test", folder);
    }

    private HttpResponse<String> sql(NodeProcess node, String statement) throws Exception {
        return post(node, "/sql", statement);
    }

    private HttpResponse<String> post(NodeProcess node, String path, String body) throws Exception {
        return post(node, path, body.getBytes(StandardCharsets.UTF_8));
    }

    private HttpResponse<String> post(NodeProcess node, String path, byte[] body) throws Exception {
        String token = RunFile.read(folder.resolve("data")).orElseThrow().token();
        return send(request(node, path)
                .header(HttpEndpoint.TOKEN_HEADER, token)
                .POST(HttpRequest.BodyPublishers.ofByteArray(body)));
    }

    private HttpResponse<String> get(NodeProcess node, String path) throws Exception {
        return send(request(node, path));
    }

    private static HttpRequest.Builder request(NodeProcess node, String path) {
        return HttpRequest.newBuilder(URI.create(node.url().orElseThrow() + path));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private static String raw(int port, String request) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
