package io.reprise.node;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/** A PostgreSQL server of the machine's, with a new database, for comparisons. It does not run as root. */
final class RealPostgres implements AutoCloseable {
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);
    private static final String USER = "nobody";

    private final Path folder;
    private final Process process;
    private final int port;

    private RealPostgres(Path folder, Process process, int port) {
        this.folder = folder;
        this.process = process;
        this.port = port;
    }

    /** Whether the machine has the programs. */
    static boolean isInstalled() {
        return Stream.of(System.getenv("PATH").split(File.pathSeparator))
                .anyMatch(path ->
                        Files.isExecutable(Path.of(path, "initdb")) && Files.isExecutable(Path.of(path, "postgres")));
    }

    static RealPostgres open() throws IOException {
        Path folder = Files.createTempDirectory("semantics");
        int port;
        try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        List<String> command = new ArrayList<>();
        if (System.getProperty("user.name").equals("root")) {
            Files.setOwner(
                    folder,
                    folder.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(USER));
            command.addAll(List.of("setpriv", "--reuid=" + USER, "--clear-groups"));
        }
        command.addAll(List.of(
                "sh",
                "-c",
                "initdb -D data -U postgres -A trust --locale=C -E UTF8 > init.log"
                        + " && exec postgres -D data -h 127.0.0.1 -k . -c fsync=off -p " + port));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("log").toFile())
                .start();
        return new RealPostgres(folder, process, port);
    }

    /** Connects as soon as the server answers. */
    Connection connect() throws SQLException {
        long end = System.nanoTime() + PATIENCE_NS;
        while (true) {
            try {
                return DriverManager.getConnection(
                        "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=postgres&sslmode=disable");
            } catch (SQLException e) {
                if (System.nanoTime() > end || !process.isAlive()) {
                    throw e;
                }
                LockSupport.parkNanos(50_000_000);
            }
        }
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        process.onExit().join();
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
