package io.reprise.benchmark.postgres;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A PostgreSQL of this machine with a new database in a folder: its usual settings, except for memory and the distance of checkpoints.
 * PostgreSQL does not run as root, so that root starts it as the user "postgres".
 */
final class PostgresTarget implements Target {
    private static final Path INSTALLATIONS = Path.of("/usr/lib/postgresql");
    private static final String USER = "postgres";
    private static final int STOP_SECONDS = 60;
    private static final int START_SECONDS = 60;
    private static final int CONNECT_MS = 100;

    private final Process process;
    private final int port;

    private PostgresTarget(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    /** The folder with the programs of the newest PostgreSQL that is installed. */
    static Optional<Path> programs() throws IOException {
        if (!Files.isDirectory(INSTALLATIONS)) {
            return Optional.empty();
        }
        try (Stream<Path> versions = Files.list(INSTALLATIONS)) {
            return versions.map(version -> version.resolve("bin"))
                    .filter(bin ->
                            Files.isExecutable(bin.resolve("postgres")) && Files.isExecutable(bin.resolve("initdb")))
                    .max(Path::compareTo);
        }
    }

    /** Makes a database in a new folder and starts its server. */
    static PostgresTarget start(Path programs, Path folder) throws IOException, InterruptedException {
        Files.createDirectories(folder);
        Path data = folder.resolve("postgres");
        if (isRoot()) {
            open(folder);
            run(List.of("install", "-d", "-o", USER, "-m", "700", data.toString()));
        }
        run(command(
                programs.resolve("initdb"),
                "-D",
                data.toString(),
                "-U",
                "bench",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "--locale=C"));
        int port = freePort();
        List<String> command = command(programs.resolve("postgres"), "-D", data.toString(), "-p", String.valueOf(port));
        for (String setting : List.of(
                "listen_addresses=127.0.0.1",
                "unix_socket_directories=",
                "shared_buffers=1GB",
                "max_wal_size=8GB",
                "max_connections=200")) {
            command.addAll(List.of("-c", setting));
        }
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("postgres.log").toFile())
                .start();
        PostgresTarget target = new PostgresTarget(process, port);
        target.awaitReady(folder);
        return target;
    }

    private static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Lets the other user pass through the folders down to this one. */
    private static void open(Path folder) throws IOException, InterruptedException {
        run(List.of(
                "chmod",
                "a+rx",
                folder.toString(),
                folder.toAbsolutePath().getParent().toString()));
    }

    private static List<String> command(Path program, String... arguments) {
        List<String> command = new ArrayList<>(
                isRoot() ? List.of("setpriv", "--reuid", USER, "--regid", USER, "--clear-groups") : List.of());
        command.add(program.toString());
        command.addAll(List.of(arguments));
        return command;
    }

    private static void run(List<String> command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        if (process.waitFor() != 0) {
            throw new IOException(String.join(" ", command) + " failed: " + said);
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private void awaitReady(Path folder) throws IOException, InterruptedException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(START_SECONDS);
        SQLException last = null;
        while (process.isAlive() && System.nanoTime() < deadlineNs) {
            try (Connection connection = DriverManager.getConnection(url())) {
                connection.setReadOnly(true);
                return;
            } catch (SQLException notYet) {
                last = notYet;
                Thread.sleep(CONNECT_MS);
            }
        }
        close();
        throw new IOException("PostgreSQL did not start: " + Files.readString(folder.resolve("postgres.log")), last);
    }

    @Override
    public boolean isPostgres() {
        return true;
    }

    @Override
    public String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres?user=bench";
    }

    /** Each connection has a process. Time of those that have ended is not in it. */
    @Override
    public Duration cpu() {
        return Stream.concat(Stream.of(process.toHandle()), process.descendants())
                .map(each -> each.info().totalCpuDuration().orElse(Duration.ZERO))
                .reduce(Duration.ZERO, Duration::plus);
    }

    /** Stops it without waiting for its clients. */
    @Override
    public void close() throws IOException {
        try {
            process.destroy();
            new ProcessBuilder("kill", "-INT", String.valueOf(process.pid()))
                    .start()
                    .waitFor();
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}
