package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Messages to a caller whose node does not finish its start. The node reads a pipe into which nobody writes, for its
 * schema after it has said its address, or for its configuration before that.
 */
@Timeout(120)
final class DetachedStartTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int SIGINT = 2;
    private static final int LOOK_MS = 50;
    private static final Pattern PROCESS = Pattern.compile("process ([0-9]+)");

    @TempDir
    Path folder;

    private Path pipe;
    private Path configuration;
    private Path log;
    private Optional<ProcessHandle> node = Optional.empty();

    @BeforeEach
    void makePipe() throws Exception {
        pipe = folder.resolve("schema.sql");
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

    /** The message names it. */
    private ProcessHandle nodeIn(String said) {
        Matcher named = PROCESS.matcher(said);
        assertThat(named.find()).as(said).isTrue();
        node = ProcessHandle.of(Long.parseLong(named.group(1)));
        return node.orElseThrow();
    }

    /** A shell that runs something in the background has it ignore interrupts, and all that it starts. */
    private static boolean ignoresInterrupts() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.substring(7).strip(), 16) & 1 << SIGINT - 1) != 0);
    }

    @Test
    void shouldNameTheFileWhenTheNodesOutputCannotBeWritten() {
        PrintWriter to = new PrintWriter(new StringWriter(), true);

        assertThatThrownBy(() -> new DetachedStart(folder, Path.of("/proc/none/node.log"), to, to).run(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(
                        "can't be written to /proc/none/node.log", "nothing was started", "--log-file");
        assertThatThrownBy(() -> new DetachedStart(folder, folder, to, to).run(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll("can't be written to " + folder, "nothing was started");
    }

    @Test
    void shouldSayThatTheNodeGoesOnWhenItIsInterrupted() throws Exception {
        assumeFalse(ignoresInterrupts(), "needs a shell that does not have it ignore interrupts");
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
                new DetachedStart(data, log, 1, to, to).run(List.of("--config", pipe.toString()));
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

    /** The log of a node that has run for months; a part of it may be cut off at any time, as by logrotate. */
    @Test
    void shouldShowTheReasonWhenTheLogBeforeItIsLong() throws Exception {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.setLength(3L << 30);
        }
        StringWriter err = new StringWriter();
        PrintWriter to = new PrintWriter(err, true);

        int code = new DetachedStart(folder.resolve("data"), log, to, to)
                .run(List.of("--config", folder.resolve("none.yaml").toString()));

        assertThat(code).isEqualTo(3);
        assertThat(err.toString()).contains("the node has ended with code 3", "there is no configuration file");
    }

    /** As when it is started again on the disk that it has filled: nobody knows when there will be room. */
    @Test
    void shouldReturnWhenTheNodeServesButCannotWriteItsLog() throws Exception {
        Path data = Files.createDirectories(folder.resolve("data"));
        StringWriter out = new StringWriter();
        StringWriter err = new StringWriter();
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        // At the first look it has just begun to serve when it is asked for the second time: no reason not to wait.
        AtomicInteger asked = new AtomicInteger();
        answer(
                http,
                "/ready",
                503,
                () -> asked.getAndIncrement() < 2 ? "it is starting" : "the log can't be written: no space left");
        answer(
                http,
                "/metrics",
                200,
                () -> "reprise_phase{phase=\"serving\"} " + (asked.getAndIncrement() < 1 ? 0 : 1));
        http.start();
        CompletableFuture<Integer> code = CompletableFuture.supplyAsync(() -> {
            try {
                return new DetachedStart(data, log, 1, new PrintWriter(out, true), new PrintWriter(err, true))
                        .run(List.of("--config", pipe.toString()));
            } catch (IOException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        try {
            long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
            while (!err.toString().contains("Is the disk full?")) {
                assertThat(System.nanoTime()).isLessThan(deadlineNs);
                Thread.onSpinWait();
            }
            long pid = nodeIn(err.toString()).pid();
            Files.writeString(
                    data.resolve(".node"),
                    "pid=" + pid + "\nstarted=0\nhttp=http://127.0.0.1:"
                            + http.getAddress().getPort() + "\nclients=127.0.0.1:4711\ncertificate=\ntoken=t\n");

            assertThat(code.get(PATIENCE_SECONDS, TimeUnit.SECONDS)).isEqualTo(RepriseCommand.NOT_READY);
            assertThat(out.toString()).contains("The node is at work, process " + pid, "clients  127.0.0.1:4711");
            assertThat(err.toString())
                    .contains("reprise: the node is at work, but not ready: the log can't be written: no space left");
        } finally {
            http.stop(0);
        }
    }

    private static void answer(HttpServer http, String path, int code, Supplier<String> text) {
        http.createContext(path, exchange -> {
            byte[] body = text.get().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(code, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
    }
}
