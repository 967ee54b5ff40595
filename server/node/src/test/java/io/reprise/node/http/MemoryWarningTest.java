package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.node.process.NodeProcess;
import io.reprise.procedure.ProcedureException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node whose partition is at its memory limit says so wherever an operator looks. */
final class MemoryWarningTest {
    @TempDir
    Path folder;

    @Test
    @Timeout(120)
    void shouldWarnEverywhereWhenAPartitionIsAtItsMemoryLimit() throws Exception {
        Files.writeString(folder.resolve("schema.sql"), "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY)");
        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 2MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {enabled: false}
                """, "test", folder))) {
            assertThat(get(node, "/ready")).isEqualTo("ready\n");

            assertThatThrownBy(() -> {
                        for (long id = 0; ; id++) {
                            node.engine().sql("INSERT INTO t VALUES (?)", id);
                        }
                    })
                    .isInstanceOf(ProcedureException.class);

            // The partition's thread publishes its state four times a second.
            String ready = get(node, "/ready");
            while (ready.equals("ready\n")) {
                ready = get(node, "/ready");
            }
            assertThat(ready).isEqualTo("ready\nwarning: partition 0 is at its memory limit, see /status\n");
            assertThat(get(node, "/status"))
                    .containsPattern("Warning: partition 0 is at its memory limit: [0-9]+ of 2097152 bytes are in use");
            assertThat(get(node, "/metrics"))
                    .contains("reprise_partition_memory_full{partition=\"0\"} 1")
                    .contains("reprise_partition_memory_refusals_total{partition=\"0\"} 1");
        }
    }

    private static String get(NodeProcess node, String path) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI address = URI.create(node.url().orElseThrow() + path);
            return http.send(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
