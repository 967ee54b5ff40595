package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.NodeProcess;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node with adaptive logging tells the form of each procedure's records, and the reason. */
final class AdaptiveStatusTest {
    private static final int PUTS = 10;

    @TempDir
    private Path folder;

    private NodeConfiguration configuration(String method) {
        return ConfigurationFile.parse("""
                data: {directory: data-%1$s}
                engine: {partitions: 2, memoryPerPartition: 16MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB, method: %1$s}
                http: {port: 0}
                clients: {enabled: false}
                """.formatted(method), "test", folder);
    }

    private void writeSchema() throws Exception {
        Files.writeString(folder.resolve("schema.sql"), """
                CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY);
                PARTITION TABLE t ON COLUMN id;
                CREATE PROCEDURE put AS INSERT INTO t VALUES (?);
                CREATE PROCEDURE put_data LOGGED AS DATA AS INSERT INTO t VALUES (?);
                """);
    }

    @Test
    @Timeout(120)
    void shouldTellFormAndReasonOfEachProcedureThatHasRun() throws Exception {
        writeSchema();
        try (NodeProcess node = NodeProcess.start(configuration("adaptive"))) {
            for (long id = 0; id < PUTS; id++) {
                node.engine().call("put", id);
                node.engine().call("put_data", PUTS + id);
            }

            String text = get(node, "text/plain");
            assertThat(text).containsPattern("PUT_DATA +one +0 +10 +0   LOGGED AS DATA\n");
            assertThat(text).containsPattern("PUT +one +\\d+ +\\d+ +0   (no data record|a data record|the commands)");
            assertThat(text).containsPattern("Data and boundary records have added \\d+ bytes to the log");
            assertThat(get(node, "application/json"))
                    .contains("\"adaptive\":{\"bytes\":")
                    .contains("\"name\":\"PUT_DATA\",\"partitions\":\"one\",\"commands\":0,\"data\":10")
                    .contains("\"reason\":\"LOGGED AS DATA\"");
        }
    }

    @Test
    @Timeout(120)
    void shouldTellNothingOfItWithAnotherMethod() throws Exception {
        writeSchema();
        try (NodeProcess node = NodeProcess.start(configuration("command"))) {
            node.engine().call("put", 1L);

            assertThat(get(node, "text/plain")).doesNotContain("LOGGING OF");
            assertThat(get(node, "application/json")).doesNotContain("\"adaptive\"");
        }
    }

    private static String get(NodeProcess node, String accepted) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.url().orElseThrow() + "/status"))
                .header("Accept", accepted)
                .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
        }
    }
}
