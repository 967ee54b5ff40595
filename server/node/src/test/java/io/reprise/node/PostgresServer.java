package io.reprise.node;

import io.reprise.access.Protection;
import io.reprise.engine.Options;
import io.reprise.net.listen.ListenSettings;
import io.reprise.net.postgres.PostgresSettings;
import io.reprise.net.reprise.PortSettings;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Optional;

/** A server with a port for PostgreSQL's clients. */
final class PostgresServer implements AutoCloseable {
    private final Server server;

    private PostgresServer(Server server) {
        this.server = server;
    }

    static PostgresServer open(Options options) {
        return open(options, Protection.NONE);
    }

    static PostgresServer open(Options options, Protection protection) {
        PortSettings port = PortSettings.at(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .withProtection(protection);
        ListenSettings listen = port.listen();
        PostgresSettings postgres = new PostgresSettings(
                new ListenSettings(
                        listen.address(),
                        listen.networkThreads(),
                        listen.maxConnections(),
                        listen.unreadBytes(),
                        listen.patienceMs(),
                        protection),
                port.limits());
        return new PostgresServer(Server.open(options, port, Optional.of(postgres), () -> {}));
    }

    Server server() {
        return server;
    }

    int port() {
        return server.postgresAddress().orElseThrow().getPort();
    }

    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port() + "/bank?user=ann&sslmode=disable";
    }

    /** Connects by pgjdbc. */
    Connection connect(String... settings) throws SQLException {
        return DriverManager.getConnection(url() + "&" + String.join("&", settings));
    }

    @Override
    public void close() {
        server.close();
    }
}
