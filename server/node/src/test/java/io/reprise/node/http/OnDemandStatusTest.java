package io.reprise.node.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.process.NodeProcess;
import io.reprise.procedure.Rows;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A node that loads its rows on demand reports its progress. */
final class OnDemandStatusTest {
    private static final int ROWS = 300;

    @TempDir
    private Path folder;

    private NodeConfiguration configuration(boolean onDemand) {
        return ConfigurationFile.parse("""
                data: {directory: data}
                engine: {partitions: 2, memoryPerPartition: 16MiB}
                schema: {scripts: schema.sql}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {enabled: false}
                recovery: {onDemand: %s}
                """.formatted(onDemand), "test", folder);
    }

    @Test
    @Timeout(120)
    void shouldReportLoadedBucketsWhenItRecoversOnDemand() throws Exception {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;");
        try (NodeProcess node = NodeProcess.start(configuration(false))) {
            for (long id = 0; id < ROWS; id++) {
                node.engine().sql("INSERT INTO t VALUES (?)", id);
            }
            assertThat(get(node, "/status")).doesNotContain("on demand");
        }

        try (NodeProcess node = NodeProcess.start(configuration(true))) {
            Rows count = node.engine().sql("SELECT COUNT(*) FROM t").rows();
            assertThat(count.next()).isTrue();
            assertThat(count.longAt(0)).isEqualTo(ROWS);
            String status = get(node, "/status");
            while (!status.contains("log records loaded, in")) {
                status = get(node, "/status");
            }

            assertThat(status)
                    .contains(
                            "Recovery on demand: 1024 of 1024 buckets serve, 0 failed; 300 of 300 rows and 0 of 0 log records");
            assertThat(get(node, "/status", "application/json"))
                    .contains(
                            "\"onDemand\":{\"complete\":true,\"buckets\":1024,\"bucketsReady\":1024,\"bucketsFailed\":0,");
            assertThat(get(node, "/metrics"))
                    .contains("reprise_on_demand_buckets{state=\"ready\"} 1024")
                    .contains("reprise_on_demand_buckets{state=\"missing\"} 0")
                    .contains("reprise_on_demand_rows{state=\"loaded\"} 300");
        }
    }

    private static String get(NodeProcess node, String path) throws Exception {
        return get(node, path, "text/plain");
    }

    private static String get(NodeProcess node, String path, String accept) throws Exception {
        try (HttpClient http = HttpClient.newHttpClient()) {
            URI address = URI.create(node.url().orElseThrow() + path);
            return http.send(
                            HttpRequest.newBuilder(address)
                                    .header("Accept", accept)
                                    .build(),
                            HttpResponse.BodyHandlers.ofString())
                    .body();
        }
    }
}
