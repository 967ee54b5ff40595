package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.node.process.RunFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands as somebody at a terminal meets them; nodes are processes of their own. */
final class NodeCommandsTest {
    private static final int WAIT_SECONDS = 60;

    @TempDir
    Path folder;

    private Process process;

    private record Run(int code, String out, String err) {}

    @AfterEach
    void end() {
        if (process != null) {
            process.destroyForcibly();
        }
    }

    private Run reprise(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Path configuration() throws IOException {
        Files.writeString(
                folder.resolve("schema.sql"),
                "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE t ON COLUMN id;");
        return Files.writeString(folder.resolve("node.yaml"), """
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: [schema.sql]}
                log: {segment: 1MiB, largestRecord: 256KiB}
                http: {port: 0}
                clients: {port: 0}
                logging: {format: json}
                """);
    }

    /** Starts a node as a process, and waits until it has said that it is ready. */
    private List<String> start(Path configuration) throws IOException {
        process = new ProcessBuilder(CommandProcess.line("start", "--config", configuration.toString()))
                .redirectErrorStream(true)
                .start();
        List<String> lines = new ArrayList<>();
        var reader = process.inputReader(StandardCharsets.UTF_8);
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            lines.add(line);
            if (line.contains("is ready")) {
                return lines;
            }
        }
        throw new AssertionError("the node has ended: " + lines);
    }

    @Test
    void shouldStartTellAndStopWhenEverythingIsFine() throws Exception {
        Path configuration = configuration();
        String data = folder.resolve("data").toString();

        List<String> lines = start(configuration);
        Run status = reprise("status", data);
        Run json = reprise("status", "--config", configuration.toString(), "--json");
        Run second = reprise("start", "--config", configuration.toString());
        Files.writeString(
                configuration,
                Files.readString(configuration).replace("partitions: 1,", "partitions: 1, slowAfter: 5s,"));
        Run reload = reprise("reload", data);
        Run snapshot = reprise("snapshot", data);
        Run rebuild = reprise("rebuild", data, "--partition", "0");
        Run noPartition = reprise("rebuild", data, "--partition", "77");
        Run repair = reprise("repair", "--bucket", "17", data);
        Run noBucket = reprise("repair", "--bucket", "99999", data);
        Run stop = reprise("stop", data);

        assertThat(lines).allSatisfy(line -> assertThat(line).startsWith("{").endsWith("}"));
        assertThat(status.code()).as(status.err()).isZero();
        assertThat(status.out()).contains("ready", "T ", "http://127.0.0.1:");
        assertThat(json.out()).startsWith("{").contains("\"phase\":\"serving\"");
        assertThat(second.code()).isEqualTo(StartCommand.FAILED);
        assertThat(second.err()).contains("a node is at work in " + data + " already", "reprise stop");
        assertThat(reload.code()).as(reload.err()).isZero();
        assertThat(reload.out()).isEqualTo("engine.slowAfter: changed\n");
        assertThat(snapshot.code()).as(snapshot.err()).isZero();
        assertThat(snapshot.out()).contains("Snapshot");
        assertThat(rebuild.code()).as(rebuild.err()).isZero();
        assertThat(rebuild.out()).contains("Partition 0 is rebuilt");
        assertThat(noPartition.code()).isEqualTo(3);
        assertThat(noPartition.err()).contains("not 77");
        assertThat(repair.code()).as(repair.err()).isZero();
        assertThat(repair.out()).contains("Bucket 17 is rebuilt from snapshot");
        assertThat(noBucket.code()).isEqualTo(3);
        assertThat(noBucket.err()).contains("there is no bucket 99999");
        assertThat(stop.code()).as(stop.err()).isZero();
        assertThat(process.waitFor(WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("has stopped");
        assertThat(reprise("verify", data).code()).isZero();
        assertThat(reprise("snapshots", data).out().lines()).hasSizeGreaterThan(2);
        assertThat(reprise("status", data).code()).isEqualTo(RepriseCommand.NOT_RUNNING);
    }

    /** As with an asynchronous log on a disk that is full. */
    @Test
    void shouldSayThatANodeHasNotStoppedInOrder() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        NodeThatCannotStop.class.getName(),
                        data.toString())
                .redirectErrorStream(true)
                .start();
        var reader = process.inputReader(StandardCharsets.UTF_8);
        assertThat(reader.readLine()).isEqualTo("is ready");

        Run stop = reprise("stop", data.toString());

        assertThat(process.waitFor()).isEqualTo(StartCommand.FAILED);
        assertThat(reader.readLine())
                .isEqualTo("reprise: the node did not stop in order: The last answered transactions are lost");
        assertThat(stop.code()).isEqualTo(StartCommand.FAILED);
        assertThat(stop.err()).contains("process " + process.pid() + ", has ended, but not in order");
        assertThat(reprise("status", data.toString()).code()).isEqualTo(RepriseCommand.NOT_RUNNING);
    }

    /** Found as a node, and stopped as one. */
    static final class NodeThatCannotStop {
        private NodeThatCannotStop() {}

        public static void main(String[] arguments) throws Exception {
            ProcessHandle own = ProcessHandle.current();
            Files.writeString(
                    RunFile.path(Path.of(arguments[0])),
                    "pid=" + own.pid() + "\nstarted="
                            + own.info().startInstant().orElseThrow().toEpochMilli() + "\n");
            Runtime.getRuntime()
                    .addShutdownHook(new Thread(() -> StartCommand.stop(
                            () -> {
                                throw new IllegalStateException("The last answered transactions are lost");
                            },
                            () -> {})));
            System.out.println("is ready");
            Thread.currentThread().join();
        }
    }

    @Test
    void shouldStartAgainWhenItWasKilled() throws Exception {
        Path configuration = configuration();
        String data = folder.resolve("data").toString();
        start(configuration);
        process.destroyForcibly().waitFor();

        Run status = reprise("status", data);
        Run stop = reprise("stop", data);
        start(configuration);

        assertThat(status.code()).isEqualTo(RepriseCommand.NOT_RUNNING);
        assertThat(status.err()).contains("no node is at work in");
        assertThat(stop.code()).isEqualTo(RepriseCommand.NOT_RUNNING);
        assertThat(reprise("status", data).code()).isZero();
        assertThat(reprise("stop", data).code()).isZero();
    }

    @Test
    void shouldReturnWhenItIsReadyIfItIsDetached() throws Exception {
        Path configuration = configuration();
        String data = folder.resolve("data").toString();
        try {
            Run start = reprise("start", "--config", configuration.toString(), "--detach");

            assertThat(start.code()).as(start.err()).isZero();
            assertThat(start.out())
                    .contains("The node is ready, process ", "http://127.0.0.1:", "clients  127.0.0.1:", "node.log");
            assertThat(reprise("status", "--data", data).code()).isZero();
            assertThat(reprise("sql", data, "-e", "SELECT COUNT(*) AS n FROM t").out())
                    .contains("(1 row)");
            assertThat(reprise("start", data, "--detach").err()).contains("a node is at work in");
            assertThat(Files.readString(folder.resolve("data").resolve("node.log")))
                    .contains("is ready");
        } finally {
            assertThat(reprise("stop", "-d", data).code()).isZero();
        }
        assertThat(reprise("verify", "-d", data).code()).isZero();
        assertThat(reprise("snapshots", "--data", data).code()).isZero();
    }

    @Test
    void shouldShowWhyWhenADetachedStartFails() throws Exception {
        Path configuration = Files.writeString(folder.resolve("bad.yaml"), """
                data: {directory: data}
                schema: {scripts: [none.sql]}
                http: {port: 0}
                clients: {port: 0}
                """);
        Path log = folder.resolve("start.log");

        Run start = reprise("start", "--detach", "--config", configuration.toString(), "--log-file", log.toString());

        assertThat(start.code()).isEqualTo(3);
        assertThat(start.err()).contains("the node has ended with code 3", "start.log", "there is no file", "none.sql");
    }

    @Test
    void shouldNameTheDataDirectoryWhenAFileInItCannotBeUsed() throws IOException {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(data.resolve("log"), "a file where a folder belongs");

        Run start = reprise("start", "--http-port", "0", "--port", "0", data.toString());

        assertThat(start.code()).isEqualTo(3);
        assertThat(start.err())
                .startsWith("reprise: the node could not start in " + data + ": can't ")
                .contains("(log");
    }

    @Test
    void shouldSayThatAFileIsNoDataDirectory() throws IOException {
        Path file = Files.writeString(folder.resolve("data.txt"), "");
        Path inFile = file.resolve("below");

        Run start = reprise("start", "-d", file.toString());
        Run detached = reprise("start", "--detach", "-d", file.toString());
        Run below = reprise("start", "--detach", "-d", inFile.toString());

        assertThat(start.code()).isEqualTo(3);
        assertThat(start.err()).isEqualTo("reprise: " + file + " is a file; a node's data need a folder\n");
        assertThat(detached.err()).isEqualTo(start.err());
        assertThat(below.code()).isEqualTo(3);
        assertThat(below.err())
                .startsWith("reprise: the data directory can't be made: ")
                .contains("--data");
    }

    @Test
    void shouldRefuseTwoDataDirectories() {
        for (String command : List.of("stop", "sql", "verify", "status")) {
            Run run = reprise(command, "one", "-d", "two");

            assertThat(run.code()).as(command).isEqualTo(2);
            assertThat(run.err()).contains("two data directories are named, one and, by --data, two");
        }
    }

    @Test
    void shouldNotStopAProcessThatHasOnlyTheSamePid() throws Exception {
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(
                data.resolve(".node"), "pid=" + ProcessHandle.current().pid() + "\nstarted=1\nhttp=\ntoken=x\n");

        Run stop = reprise("stop", data.toString());

        assertThat(stop.code()).isEqualTo(RepriseCommand.NOT_RUNNING);
        assertThat(RunFile.read(data)).isPresent();
    }

    @Test
    void shouldSayWhatIsWrongWhenTheConfigurationIs() throws IOException {
        Path file = Files.writeString(folder.resolve("bad.yaml"), "engine:\n  partitons: 2\n");

        Run start = reprise("start", "--config", file.toString());
        Run missing = reprise("start", "--config", folder.resolve("none.yaml").toString());
        Run status = reprise("status", folder.resolve("nowhere").toString());

        assertThat(start.code()).isEqualTo(3);
        assertThat(start.err()).contains("line 2, column 3", "did you mean 'engine.partitions'?");
        assertThat(missing.err()).contains("there is no configuration file");
        assertThat(status.code()).isEqualTo(3);
        assertThat(status.err()).contains("there is no data directory");
    }

    @Test
    void shouldShowExamplesWhenAskedForHelp() {
        for (String command :
                List.of("start", "stop", "status", "snapshot", "rebuild", "verify", "export", "backup", "restore")) {
            Run help = reprise(command, "--help");

            assertThat(help.code()).isZero();
            assertThat(help.out()).contains("Example").contains("reprise " + command);
        }
        assertThat(reprise("--help").out()).contains("start", "status", "verify", "Exit codes");
        assertThat(reprise("stat").code()).isEqualTo(2);
    }
}
