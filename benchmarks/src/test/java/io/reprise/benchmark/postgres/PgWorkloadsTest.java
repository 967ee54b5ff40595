package io.reprise.benchmark.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Options;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The workloads of JDBC's clients at a small scale: they run with conflicts, and leave their tables consistent. */
@Timeout(600)
final class PgWorkloadsTest {
    private static final int TERMINALS = 4;
    private static final int SECONDS = 1;
    private static final int MOST_RUNS = 60;

    private static Server server;

    @BeforeAll
    static void open() {
        PortSettings port = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        server = Server.open(
                Options.create().partitions(2),
                port,
                Optional.of(new PostgresSettings(port.listen(), port.limits())),
                () -> {});
    }

    @AfterAll
    static void close() {
        server.close();
    }

    /** The server of this process. */
    private static final class Here implements Target {
        @Override
        public boolean isPostgres() {
            return false;
        }

        @Override
        public String url() {
            return "jdbc:postgresql://127.0.0.1:"
                    + server.postgresAddress().orElseThrow().getPort() + "/bench?user=bench";
        }

        @Override
        public Duration cpu() {
            return Duration.ZERO;
        }

        @Override
        public void close() {}
    }

    static Stream<PgWorkload> workloads() {
        return Stream.of(PgTpcc.small(2), new PgSmallbank(200), new PgVoter(20), new PgTatp(100), new PgYcsb(200));
    }

    @ParameterizedTest
    @MethodSource("workloads")
    void shouldRunAndStayConsistent(PgWorkload workload) throws Exception {
        Target target = new Here();
        try (Connection connection = target.connect();
                Statement statement = connection.createStatement()) {
            for (String sql : workload.tables(false)) {
                statement.execute(sql);
            }
            workload.load(connection);
        }

        // On a busy machine a second may pass with the planning of statements.
        double tps = 0;
        for (int runs = 0; runs < MOST_RUNS && tps == 0; runs++) {
            tps = new PgRun(workload, target, TERMINALS).measure(0, SECONDS).tps();
        }
        assertThat(tps).as(workload.name()).isPositive();
        try (Connection connection = target.connect()) {
            workload.check(connection);
        }
    }
}
