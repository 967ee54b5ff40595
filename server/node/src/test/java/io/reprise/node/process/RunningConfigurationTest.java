package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.configuration.ConfigurationException;
import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.configuration.NodeConfiguration.Level;
import io.reprise.engine.Reprise;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A configuration that changes while its node runs. */
final class RunningConfigurationTest {
    private static final String BASE = """
            data: {directory: data}
            http: {port: 0}
            log: {segment: 1MiB, largestRecord: 256KiB}
            """;

    /** A join that takes minutes. */
    private static final String LONG_QUERY = "SELECT COUNT(*) FROM n a, n b, n c, n d WHERE a.v + b.v + c.v + d.v = 1";

    @TempDir
    Path folder;

    private final List<Level> levels = new ArrayList<>();
    private String text;

    private NodeProcess start(String first) {
        text = first;
        NodeProgram program = new NodeProgram() {
            @Override
            public Optional<NodeConfiguration> read() {
                return Optional.of(parsed());
            }

            @Override
            public void level(Level level) {
                levels.add(level);
            }
        };
        NodeProcess node = NodeProcess.of(parsed(), program);
        node.open();
        return node;
    }

    private NodeConfiguration parsed() {
        return ConfigurationFile.parse(BASE + text, "test", folder);
    }

    @Test
    void shouldTakeOverWhatCanChangeAndNameTheRest() {
        try (NodeProcess node = start("""
                engine: {partitions: 1, memoryPerPartition: 64MiB, timeLimit: 10min}
                clients: {port: 0, connections: 100}
                """)) {
            Reprise engine = node.engine();
            engine.ddl("CREATE TABLE n (id INTEGER PRIMARY KEY, v BIGINT NOT NULL)");
            for (int i = 0; i < 400; i++) {
                engine.sql("INSERT INTO n VALUES (?, ?)", i, i);
            }
            assertThat(node.reload()).isEqualTo("Nothing has changed.");

            text = """
                    engine: {partitions: 1, memoryPerPartition: 128MiB, timeLimit: 300ms, slowAfter: 1ms}
                    clients: {port: 0, connections: 1}
                    snapshot: {every: 1h}
                    logging: {level: debug}
                    """;
            String told = node.reload();

            assertThat(told.lines())
                    .containsExactly(
                            "clients.connections: changed",
                            "engine.memoryPerPartition: takes a restart",
                            "engine.slowAfter: changed",
                            "engine.timeLimit: changed",
                            "logging.level: changed",
                            "snapshot.every: changed");
            assertThat(levels).endsWith(Level.DEBUG);
            long beganNs = System.nanoTime();
            assertThatThrownBy(() -> engine.sql(LONG_QUERY))
                    .isInstanceOfSatisfying(
                            ProcedureException.class,
                            failure -> assertThat(failure.code()).isEqualTo(ErrorCode.TIME_LIMIT));
            assertThat(Duration.ofNanos(System.nanoTime() - beganNs)).isLessThan(Duration.ofSeconds(60));
            ClientSettings settings =
                    ClientSettings.to(node.clients().orElseThrow()).withConnectTimeout(Duration.ofSeconds(60));
            try (Client client = Client.connect(settings)) {
                assertThat(client.sql("SELECT COUNT(*) FROM n").rows().count()).isEqualTo(1);
                assertThatThrownBy(() -> Client.connect(settings.withConnectTimeout(Duration.ofSeconds(1))))
                        .hasMessageContaining("1");
            }
            assertThat(node.reload()).isEqualTo("engine.memoryPerPartition: takes a restart");
        }
    }

    @Test
    void shouldKeepTheOldValuesWhenTheFileIsWrong() {
        try (NodeProcess node = start("clients: {enabled: false}")) {
            text = "clients: {connections: many}";

            assertThatThrownBy(node::reload).isInstanceOf(ConfigurationException.class);

            text = "clients: {enabled: false}";
            assertThat(node.reload()).isEqualTo("Nothing has changed.");
        }
    }

    @Test
    void shouldSayThatThereIsNoFile() {
        try (NodeProcess node = NodeProcess.start(ConfigurationFile.parse(BASE, "test", folder))) {
            assertThatThrownBy(node::reload).hasMessageContaining("without a configuration file");
        }
    }
}
