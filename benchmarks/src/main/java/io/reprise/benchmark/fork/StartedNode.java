package io.reprise.benchmark.fork;

import io.reprise.node.process.RunFile;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A node as a user starts one: a process of {@code reprise start}, with the flags of this JVM. A node outlives the process that
 * started it; this one does not: a guard beside it, whose input is a pipe from this process, kills it when that pipe ends. So the
 * node itself is started exactly as otherwise.
 *
 * <p>Owned by one thread.
 */
public final class StartedNode implements AutoCloseable {
    private static final double NS_PER_MS = 1e6;
    private static final int OK = 200;
    private static final int STOP_SECONDS = 30;

    private final Process process;
    private final Process guard;
    private final BufferedReader output;
    private final Path data;
    private final long beganNs;

    private StartedNode(Process process, Process guard, Path data, long beganNs) {
        this.process = process;
        this.guard = guard;
        this.data = data;
        this.beganNs = beganNs;
        output = process.inputReader(StandardCharsets.UTF_8);
    }

    /**
     * Starts a node, and doesn't wait for it.
     *
     * @param flags more of them for its JVM
     * @param data the directory of its data, as the configuration has it
     */
    public static StartedNode start(List<String> flags, Path configuration, Path data) throws IOException {
        List<String> command = PreparedStart.command(flags, "start", "--config", configuration.toString());
        long beganNs = System.nanoTime();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        try {
            return new StartedNode(process, guard(process.pid()), data, beganNs);
        } catch (IOException | RuntimeException | Error failure) {
            process.destroyForcibly();
            throw failure;
        }
    }

    /** Signals that a terminal sends to all are not for it: its end is that of the pipe. */
    private static Process guard(long pid) throws IOException {
        return new ProcessBuilder("/bin/sh", "-c", "trap '' INT HUP; read line; kill -9 " + pid)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Waits until it says that it is ready. Returns the milliseconds since the process was started. */
    public double awaitReady() throws IOException {
        StringBuilder said = new StringBuilder();
        for (String line = output.readLine(); line != null; line = output.readLine()) {
            if (line.contains("is ready")) {
                return elapsedMs();
            }
            said.append(line).append('\n');
        }
        throw new IllegalStateException("the node has ended before it was ready:\n" + said);
    }

    /** Runs a statement, and waits for its answer. Returns the milliseconds since the process was started. */
    public double answered(HttpClient client, String sql) throws IOException, InterruptedException {
        RunFile node = RunFile.read(data).orElseThrow();
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(node.http() + "/sql"))
                        .header("X-Reprise-Token", node.token())
                        .POST(HttpRequest.BodyPublishers.ofString(sql))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        double ms = elapsedMs();
        if (answer.statusCode() != OK) {
            throw new IllegalStateException("the node's first statement failed: " + answer.body());
        }
        return ms;
    }

    /** The node's status as JSON. */
    public String status(HttpClient client) throws IOException, InterruptedException {
        RunFile node = RunFile.read(data).orElseThrow();
        HttpRequest request = HttpRequest.newBuilder(URI.create(node.http() + "/status"))
                .header("Accept", "application/json")
                .build();
        return client.send(request, HttpResponse.BodyHandlers.ofString()).body();
    }

    private double elapsedMs() {
        return (System.nanoTime() - beganNs) / NS_PER_MS;
    }

    /** The process. */
    public long pid() {
        return process.pid();
    }

    /** Ends it as a crash does: nothing more is written. */
    public void kill() {
        process.destroyForcibly();
        await();
    }

    /** Lets it stop in order, if it still runs. */
    @Override
    public void close() {
        process.destroy();
        await();
    }

    private void await() {
        try {
            if (!process.waitFor(STOP_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly().waitFor();
            }
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } finally {
            // The guard ends last, because it kills the node if this process ends first.
            guard.destroyForcibly();
        }
    }
}
