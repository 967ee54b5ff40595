package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is said to whoever waits for a node that does not come to its end of starting: it reads a pipe into which nobody writes. */
@Timeout(120)
final class DetachedStartTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int LOOK_MS = 50;
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]+)");

    @TempDir
    Path folder;

    private Path configuration;
    private Path log;
    private Optional<ProcessHandle> node = Optional.empty();

    @BeforeEach
    void makePipe() throws Exception {
        Path pipe = folder.resolve("schema.sql");
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        configuration = Files.writeString(folder.resolve("node.yaml"), """
                data: {directory: data}
                engine: {partitions: 1, memoryPerPartition: 64MiB}
                schema: {scripts: schema.sql}
                http: {port: 0}
                clients: {port: 0}
                """);
        log = folder.resolve("start.log");
    }

    @AfterEach
    void endNode() {
        node.ifPresent(ProcessHandle::destroyForcibly);
    }

    /** What is said names it. */
    private ProcessHandle nodeIn(String said) {
        Matcher named = PROCESS.matcher(said);
        assertThat(named.find()).as(said).isTrue();
        node = ProcessHandle.of(Long.parseLong(named.group(1)));
        return node.orElseThrow();
    }

    @Test
    void shouldSayThatTheNodeGoesOnWhenItIsInterrupted() throws Exception {
        Process start = new ProcessBuilder(CommandProcess.line(
                        "start", "--config", configuration.toString(), "--detach", "--log-file", log.toString()))
                .redirectErrorStream(true)
                .start();
        while (!start.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)
                && !(Files.exists(log) && Files.readString(log).contains("HTTP on"))) {
            continue;
        }

        new ProcessBuilder("kill", "-INT", Long.toString(start.pid())).start().waitFor();

        assertThat(start.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        String said = new String(start.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(said).contains(", the node, goes on starting", "reprise status", log.toString());
        assertThat(nodeIn(said).isAlive()).isTrue();
    }

    /** As on a full disk: the node is at work, but can't say so. */
    @Test
    void shouldSayWhatItWaitsForWhenTheNodeDoesNotSayHowItIsFound() throws Exception {
        Path data = folder.resolve("data");
        CountDownLatch said = new CountDownLatch(1);
        StringWriter err = new StringWriter() {
            @Override
            public void write(String text, int from, int length) {
                super.write(text, from, length);
                if (text.contains("Is the disk full?")) {
                    said.countDown();
                }
            }
        };
        PrintWriter to = new PrintWriter(err, true);
        Thread start = Thread.ofPlatform().daemon().start(() -> {
            try {
                new DetachedStart(data, log, 1, to, to).run(List.of("--config", configuration.toString()));
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });

        assertThat(said.await(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        nodeIn(err.toString()).destroyForcibly();
        start.join();

        assertThat(err.toString())
                .contains("has not said yet how it is found, in " + data.resolve(".node"), "Log: " + log)
                .contains("the node has ended with code 137");
    }
}
