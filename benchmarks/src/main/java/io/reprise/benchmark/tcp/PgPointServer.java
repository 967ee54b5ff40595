package io.reprise.benchmark.tcp;

import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.log.LogSettings;
import io.reprise.net.listen.ListenSettings;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.node.Server;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;

/** The server process of {@link PgPointBenchmark}: prints its port for PostgreSQL's clients, and ends with its standard input. */
public final class PgPointServer {
    private static final Duration ASYNCHRONOUS = Duration.ofMillis(100);

    private PgPointServer() {}

    /** Argument: the folder of the data. */
    public static void main(String[] arguments) throws IOException {
        Options options = Options.create()
                .name("bench")
                .partitions(1)
                .ddl(
                        "CREATE TABLE point (id INTEGER NOT NULL, balance BIGINT NOT NULL, owner VARCHAR(20), PRIMARY KEY (id));"
                                + " PARTITION TABLE point ON COLUMN id;")
                .directory(Path.of(arguments[0]))
                .durability(Durability.standard().with(LogSettings.DEFAULTS.asynchronous(ASYNCHRONOUS.toNanos())));
        PortSettings port = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        ListenSettings listen = port.listen();
        PostgresSettings postgres = new PostgresSettings(listen, port.limits());
        try (Server server = Server.open(options, port, Optional.of(postgres), () -> {})) {
            System.out.println("port " + server.postgresAddress().orElseThrow().getPort());
            System.out.flush();
            System.in.transferTo(java.io.OutputStream.nullOutputStream());
        }
    }
}
