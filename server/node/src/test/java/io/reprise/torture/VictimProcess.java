package io.reprise.torture;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A {@link Victim} as its killer sees it: remembers what it acknowledged. */
final class VictimProcess {
    private static final long SECOND_NS = 1_000_000_000L;
    private static final long MS_NS = 1_000_000L;

    private final Process process;
    private final Thread reader;
    private final List<String> kinds;
    private final WriteCounts acknowledged;
    private final WriteCounts kept;
    private final Deque<Heard> lastHeard = new ArrayDeque<>();
    private final Set<String> said = new HashSet<>();
    private WriteCounts whenBackupBegan;
    private Made lastBackup;
    private String wrong;
    private boolean ended;

    /** A write that was acknowledged just now. */
    private record Heard(long atNs, int client, int kind) {}

    /**
     * A backup that is complete.
     *
     * @param name of its folder
     * @param answered the acknowledged writes when it was begun
     */
    record Made(String name, WriteCounts answered) {}

    /**
     * Starts one.
     *
     * @param kinds of writes that its clients make
     * @param acknowledged before; its acknowledged writes are added
     * @param kept the part of that it must have
     */
    VictimProcess(
            Path errors,
            List<String> jvmFlags,
            List<String> arguments,
            List<String> kinds,
            WriteCounts acknowledged,
            WriteCounts kept) {
        this.kinds = kinds;
        this.acknowledged = acknowledged;
        this.kept = kept;
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow"));
        command.addAll(jvmFlags);
        command.addAll(List.of(
                "-cp",
                System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
                Victim.class.getName()));
        command.addAll(arguments);
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors.toFile()))
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        reader = Thread.ofPlatform().daemon().start(this::read);
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                hear(line);
            }
        } catch (IOException e) {
            // It was killed; its last lines are read.
        }
        synchronized (this) {
            ended = true;
            notifyAll();
        }
    }

    private synchronized void hear(String line) {
        String[] words = line.split(" ", 3);
        switch (words[0]) {
            case "ack" -> acknowledge(Integer.parseInt(words[1]), Integer.parseInt(words[2]));
            case "backing-up" -> whenBackupBegan = acknowledged.copy();
            case "backup" -> lastBackup = new Made(words[1], whenBackupBegan);
            case "found" -> becomeFound(WriteCounts.parse(words[1]));
            case "wrong" -> wrong = line;
            default -> {}
        }
        said.add(words[0]);
        notifyAll();
    }

    private void acknowledge(int client, int kind) {
        acknowledged.add(client, kind, 1);
        long nowNs = System.nanoTime();
        lastHeard.add(new Heard(nowNs, client, kind));
        while (nowNs - lastHeard.element().atNs() > 2 * VictimSettings.LOST_MS * MS_NS) {
            lastHeard.remove();
        }
    }

    /** Its acknowledged writes at that time, which is at most {@link VictimSettings#LOST_MS} ago. */
    synchronized WriteCounts acknowledgedAt(long timeNs) {
        WriteCounts then = acknowledged.copy();
        for (Heard heard : lastHeard) {
            if (heard.atNs() - timeNs > 0) {
                then.add(heard.client(), heard.kind(), -1);
            }
        }
        return then;
    }

    /** The last backup that it has made; null if none is complete. */
    synchronized Made lastBackup() {
        return lastBackup;
    }

    /** It has compared them itself. But what was answered is remembered here, and is not forgotten for what it says. */
    private void becomeFound(WriteCounts found) {
        List<String> problems = acknowledged.problems(kept, found, kinds);
        if (!problems.isEmpty()) {
            wrong = "it takes for right that " + problems;
        }
        acknowledged.become(found);
    }

    /** Whether it has said that. */
    synchronized boolean hasSaid(String word) {
        return said.contains(word);
    }

    /** Waits until it has said something, or is no more. Returns whether it has said it. */
    synchronized boolean awaitWord(String word, long seconds) throws InterruptedException {
        long deadline = System.nanoTime() + seconds * SECOND_NS;
        while (!said.contains(word) && !ended && System.nanoTime() < deadline) {
            wait(100);
        }
        return said.contains(word);
    }

    /** Lets it work for a moment. Returns whether it is still there. */
    boolean leave(long millis) throws InterruptedException {
        return !process.waitFor(millis, TimeUnit.MILLISECONDS);
    }

    /** Ends it with SIGKILL, and hears what it had still to say. */
    void kill() throws InterruptedException {
        // Not the process's own method, which closes the pipe and with it what was still to be heard.
        process.toHandle().destroyForcibly();
        process.waitFor();
        reader.join();
    }

    /** Ends its input and waits for its own end. Returns its exit code; -1 if it doesn't end. */
    int close(long seconds) throws IOException, InterruptedException {
        process.getOutputStream().close();
        boolean over = process.waitFor(seconds, TimeUnit.SECONDS);
        if (!over) {
            kill();
            return -1;
        }
        reader.join();
        return process.exitValue();
    }

    /** The problem it found; null if none. */
    synchronized String wrong() {
        return wrong;
    }
}
