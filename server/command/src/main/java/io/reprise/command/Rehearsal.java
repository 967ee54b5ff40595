package io.reprise.command;

import io.reprise.client.Client;
import io.reprise.node.process.RunFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A program that recovers some databases, then starts a node in an empty folder as "reprise start" does, has it answer over HTTP and
 * TCP, and ends. A JVM that has run it knows which classes starts and recoveries need: see {@link StartCache}.
 */
final class Rehearsal {
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int OK = 200;

    /** With the value "start" no recovery is rehearsed: a benchmark measures their gain so. */
    private static final String EXTENT = "reprise.rehearsal";

    private Rehearsal() {}

    /** Runs it; the argument is the folder. The parent process limits its time. */
    public static void main(String[] arguments) {
        try {
            rehearse(Path.of(arguments[0]));
        } catch (IOException | InterruptedException | RuntimeException e) {
            e.printStackTrace();
            // The node's threads would keep the program alive.
            System.exit(1);
        }
        // The node's own hook stops it.
        System.exit(0);
    }

    private static void rehearse(Path folder) throws IOException, InterruptedException {
        if (!"start".equals(System.getProperty(EXTENT))) {
            RecoveryRehearsal.rehearse(folder.resolve("recoveries"));
        }
        Path configuration = configuration(folder);
        Thread.ofPlatform()
                .daemon()
                .name("reprise-rehearsal")
                .start(() -> System.exit(
                        RepriseCommand.run(System.out, System.err, "start", "--config", configuration.toString())));
        RunFile node = started(folder.resolve("data"));
        try (NodeClient http = new NodeClient(node)) {
            http.get("/metrics", "text/plain");
            http.get("/", "text/html");
            http.post("/sql", "INSERT INTO rehearsal VALUES (1, 'one')");
        }
        try (Client client = Client.connect(ServerChoice.atHome(node))) {
            client.sql("UPDATE rehearsal SET v = ? WHERE k = ?", "two", 1);
            client.call("Read", 1);
        }
        RepriseCommand.run(OutputStream.nullOutputStream(), System.err, "status", "--data", folder + "/data");
    }

    private static Path configuration(Path folder) throws IOException {
        Files.writeString(folder.resolve("schema.sql"), """
                CREATE TABLE rehearsal (k BIGINT NOT NULL PRIMARY KEY, v VARCHAR(10));
                PARTITION TABLE rehearsal ON COLUMN k;
                CREATE PROCEDURE Read PARTITION ON TABLE rehearsal COLUMN k PARAMETER 0 AS
                    SELECT v FROM rehearsal WHERE k = ?;
                """);
        return Files.writeString(folder.resolve("node.yaml"), """
                data: {directory: data}
                engine: {partitions: 2}
                schema: {scripts: [schema.sql]}
                snapshot: {onStop: false}
                http: {port: 0}
                clients: {port: 0}
                """);
    }

    private static RunFile started(Path data) throws InterruptedException {
        while (true) {
            Optional<RunFile> node = Files.isDirectory(data) ? RunFile.read(data) : Optional.empty();
            if (node.isPresent() && !node.get().clients().isEmpty() && isReady(node.get())) {
                return node.get();
            }
            LockSupport.parkNanos(LOOK_NS);
        }
    }

    private static boolean isReady(RunFile node) throws InterruptedException {
        try (NodeClient http = new NodeClient(node)) {
            return http.get("/ready", "text/plain").statusCode() == OK;
        } catch (IOException | IllegalStateException notYet) {
            return false;
        }
    }
}
