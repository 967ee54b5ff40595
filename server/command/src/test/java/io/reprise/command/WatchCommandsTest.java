package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.process.NodeProcess;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands that watch a node: top and sessions. */
final class WatchCommandsTest {
    @TempDir
    Path folder;

    private NodeProcess node;

    private record Run(int code, String out, String err) {}

    @BeforeEach
    void start() throws Exception {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;"
                        + " CREATE PROCEDURE Add PARTITION ON TABLE t COLUMN id AS INSERT INTO t VALUES (?)");
        node = NodeProcess.start(ConfigurationFile.parse("""
                node: {name: till}
                data: {directory: data}
                engine: {partitions: 2, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0}
                """, "test", folder));
    }

    @AfterEach
    void stop() {
        node.close();
    }

    private Run reprise(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private String data() {
        return folder.resolve("data").toString();
    }

    @Test
    void shouldShowProceduresPartitionsAndLogWhenAskedOnce() {
        node.engine().call("Add", 1);

        Run top = reprise("top", data(), "--once");

        assertThat(top.code()).as(top.err()).isZero();
        assertThat(top.out())
                .contains("till  ready  up", "PROCEDURE", "ADD", "PARTITION", "64.0 MiB", "log ", "SESSION");
    }

    @Test
    void shouldListAndEndTheSessionOfAClient() {
        try (Client client = Client.connect(ClientSettings.to(node.clients().orElseThrow()))) {
            client.call("Add", 1);

            Run listed = reprise("sessions", data());
            Run json = reprise("sessions", data(), "--json");
            Run canceled = reprise("sessions", data(), "--cancel", "native-0");
            Run ended = reprise("sessions", data(), "--end", "native-0");

            assertThat(listed.code()).as(listed.err()).isZero();
            assertThat(listed.out()).contains("native-0", "127.0.0.1:", "CONNECTED");
            assertThat(json.out()).startsWith("{\"sessions\":[{\"id\":\"native-0\"");
            assertThat(canceled.code()).isEqualTo(3);
            assertThat(canceled.err()).contains("end the session");
            assertThat(ended.code()).as(ended.err()).isZero();
            assertThat(ended.out()).contains("The session is ended");
        }
    }

    @Test
    void shouldSayThatThereIsNoSuchSession() {
        Run ended = reprise("sessions", data(), "--end", "native-17");

        assertThat(ended.code()).isEqualTo(3);
        assertThat(ended.err()).contains("there is no session native-17 any more");
    }

    @Test
    void shouldPutTheBusiestFirstAndKeepToTheTerminal() throws Exception {
        JsonNode status = new ObjectMapper().readTree("""
                {"node": "till", "ready": true, "uptimeSeconds": 7300, "warnings": ["partition 0 is full"],
                 "cluster": {"name": "shop", "nodeCount": 2, "allLed": false, "nodes": [{"running": true}, {"running": false}]},
                 "procedures": [
                   {"name": "QUIET", "committed": 5, "recent": {"committed": 1, "failed": 0, "p50Ms": 0.5, "p99Ms": 2}},
                   {"name": "BUSY", "committed": 5000, "recent": {"committed": 1000, "failed": 3, "p50Ms": 0.02, "p99Ms": 120}}],
                 "partitions": [
                   {"partition": 0, "busy": 0.1, "queued": 0, "waitingReplies": 0, "memoryUsed": 2048, "memoryLimit": 4096},
                   {"partition": 1, "busy": 0.9, "queued": 7, "waitingReplies": 1, "memoryUsed": 1, "memoryLimit": 4096,
                    "hot": [{"bucket": 518, "share": 0.5}]}],
                 "log": {"recent": {"bytes": 1048576, "flushes": 100, "p50FlushMs": 0.1, "p99FlushMs": 3}},
                 "snapshot": {"phase": "idle", "completed": 2, "failed": 0}}""");
        JsonNode sessions = new ObjectMapper().readTree("""
                [{"id": "native-1", "address": "a:1", "state": "idle"},
                 {"id": "postgres-2", "user": "eve", "address": "b:2", "state": "active", "statement": "SELECT\\n1"}]""");

        List<String> lines = new TopView(status, sessions).lines(40, 100);
        List<String> few = new TopView(status, sessions).lines(10, 20);

        assertThat(lines.getFirst()).isEqualTo("till  ready  up 2 h  1,004 transactions/s  3.0 failed/s  2 sessions");
        assertThat(lines)
                .contains("! partition 0 is full", "cluster shop: 1 of 2 nodes running, some partition has no leader");
        String text = String.join("\n", lines);
        assertThat(text.indexOf("BUSY")).isLessThan(text.indexOf("QUIET"));
        assertThat(text).contains("|||||||||.   90%", "518:50%", "log 1.0 MiB/s, 100 flushes/s");
        assertThat(text.indexOf("postgres-2")).isLessThan(text.indexOf("native-1"));
        assertThat(text).contains("SELECT 1");
        assertThat(few).hasSize(10).allMatch(line -> line.length() <= 20);
    }
}
