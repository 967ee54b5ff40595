package io.reprise.benchmark.fork;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own, with the flags of this one, for one alternative of a comparison. Alternatives that share a JVM
 * share the compiler's profiles, its heap and its caches; so each makes the others slower, and not each as much.
 *
 * <p>The parent asks, the child answers, one question at a time. A child does nothing between two answers but keep
 * its resources open, so that several take turns: {@link io.reprise.benchmark.Interleaved} measures them as it does
 * everything else. A child's output goes to standard error. It ends with its parent, however that ends.
 *
 * <pre>{@code
 * try (Fork with = Fork.start(MyTask.class, "log");
 *         Fork without = Fork.start(MyTask.class, "none")) {
 *     new Interleaved()
 *             .add("with", () -> with.ask("measure").get("tps"))
 *             ...
 * }
 * }</pre>
 *
 * <p>Owned by one thread.
 */
public final class Fork implements AutoCloseable {
    private static final long CLOSE_SECONDS = 60;

    private final String name;
    private final Process process;
    private final BufferedReader answers;
    private final Writer requests;
    private boolean failed;

    private Fork(String name, Process process) {
        this.name = name;
        this.process = process;
        answers = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        requests = new OutputStreamWriter(process.getOutputStream(), StandardCharsets.UTF_8);
    }

    /**
     * Starts one, and waits until it is ready.
     *
     * @param words the task's arguments
     */
    public static Fork start(Class<? extends ForkedTask> task, String... words) {
        return start(List.of(), task, words);
    }

    /** The same in a JVM that has more flags. */
    public static Fork start(List<String> flags, Class<? extends ForkedTask> task, String... words) {
        List<String> all = flagsOfThisProcess();
        all.addAll(flags);
        return startWith(all, task, words);
    }

    /** The same in a JVM that lacks a flag of this one. */
    public static Fork startWithout(String flag, Class<? extends ForkedTask> task, String... words) {
        List<String> others = flagsOfThisProcess();
        if (!others.remove(flag)) {
            throw new IllegalStateException("this process was started without " + flag + "; use scripts/bench");
        }
        return startWith(others, task, words);
    }

    private static List<String> flagsOfThisProcess() {
        return new ArrayList<>(ManagementFactory.getRuntimeMXBean().getInputArguments());
    }

    private static Fork startWith(List<String> flags, Class<? extends ForkedTask> task, String... words) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), ForkedProcess.class.getName(), task.getName()));
        String name = task.getSimpleName() + " " + String.join(" ", words);
        Process process;
        try {
            process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.INHERIT)
                    .start();
        } catch (IOException e) {
            throw new UncheckedIOException("no process could be started for " + name, e);
        }
        Fork fork = new Fork(name, process);
        try {
            fork.ask(words);
            return fork;
        } catch (RuntimeException | Error failure) {
            fork.destroy();
            throw failure;
        }
    }

    /** Asks for something, and waits for the answer. Fails if the child does. */
    public Map<String, Double> ask(String... request) {
        String line;
        try {
            requests.write(Lines.ofWords(List.of(request)));
            requests.flush();
            line = answers.readLine();
        } catch (IOException e) {
            failed = true;
            throw new UncheckedIOException(name + " does not listen; what it said last is above", e);
        }
        if (line == null) {
            failed = true;
            throw new IllegalStateException(
                    name + " ended without an answer, with code " + exitCode() + "; what it said last is above");
        }
        if (Lines.isFailure(line)) {
            failed = true;
            throw new IllegalStateException(name + " failed, as it says above: " + Lines.failure(line));
        }
        return Lines.numbers(line);
    }

    private String exitCode() {
        return process.onExit()
                .thenApply(ended -> Integer.toString(ended.exitValue()))
                .completeOnTimeout("unknown", 10, TimeUnit.SECONDS)
                .join();
    }

    /** Lets the child close its task and end. Fails if it can't, unless it has failed before. */
    @Override
    public void close() {
        try {
            requests.close();
            if (!process.waitFor(CLOSE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException(name + " has not ended after " + CLOSE_SECONDS + " s");
            }
            if (process.exitValue() != 0 && !failed) {
                throw new IllegalStateException(name + " could not be closed, as it says above");
            }
        } catch (IOException e) {
            // It has ended already.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            destroy();
        }
    }

    private void destroy() {
        process.destroyForcibly();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
