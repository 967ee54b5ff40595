package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Runs leave nothing behind, however they end. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class ScratchTest {
    private static final int SIGTERM_CODE = 143;

    @TempDir
    Path parent;

    @Test
    void shouldRemoveFilesAndProcessesWhenTheRunIsToldToEnd() throws Exception {
        Process run = endless();
        try (BufferedReader said = run.inputReader()) {
            long child = Long.parseLong(said.readLine());

            run.destroy();

            assertThat(run.waitFor(30, TimeUnit.SECONDS)).isTrue();
            assertThat(run.exitValue()).isEqualTo(SIGTERM_CODE);
            assertThat(parent).isEmptyDirectory();
            awaitEnd(child);
        } finally {
            run.destroyForcibly();
        }
    }

    @Test
    void shouldRemoveWhatARunHasLeftThatWasKilled() throws Exception {
        Process run = endless();
        try (BufferedReader said = run.inputReader()) {
            long child = Long.parseLong(said.readLine());
            run.destroyForcibly().waitFor();
            ProcessHandle.of(child).ifPresent(ProcessHandle::destroyForcibly);
            awaitEnd(child);
            assertThat(parent).isNotEmptyDirectory();

            Scratch.in(parent).close();

            assertThat(parent).isEmptyDirectory();
        }
    }

    @Test
    void shouldLeaveAloneWhatIsAtWorkOrNoRunsFolder() throws IOException {
        Path others = Files.createDirectory(parent.resolve("bench-of-somebody-else"));

        try (Scratch first = Scratch.in(parent);
                Scratch second = Scratch.in(parent)) {
            assertThat(first.folder()).isDirectory().isNotEqualTo(second.folder());
            assertThat(second.folder()).isDirectory();
        }

        assertThat(parent.toFile().list()).containsExactly(others.getFileName().toString());
    }

    /** One that is killed ends when it is given a core. */
    private static void awaitEnd(long pid) {
        ProcessHandle.of(pid)
                .ifPresent(process ->
                        process.onExit().orTimeout(30, TimeUnit.SECONDS).join());
    }

    private Process endless() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Endless.class.getName(),
                        parent.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** A program that measures without end: in its folder it has a file and a process that writes into it. */
    static final class Endless implements Benchmark {
        public static void main(String[] arguments) {
            BenchmarkRunner runner =
                    new BenchmarkRunner(List.of(new Endless()), Path.of(arguments[0]), System.out, System.err);
            System.exit(runner.run("endless", "--quick", "--scratch", arguments[0]));
        }

        @Override
        public String name() {
            return "endless";
        }

        @Override
        public String description() {
            return "Nothing";
        }

        @Override
        public List<Key> keys() {
            return List.of();
        }

        @Override
        public Result run(Context context) throws Exception {
            Path file = Files.writeString(context.scratch().resolve("file"), "x");
            Process child = new ProcessBuilder("/bin/sh", "-c", "while :; do echo x > more; sleep 0.01; done")
                    .directory(context.scratch().toFile())
                    .redirectErrorStream(true)
                    .start();
            try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ)) {
                System.out.println(child.pid());
                System.out.flush();
                Thread.sleep(TimeUnit.MINUTES.toMillis(5));
                return new Result().put("bytes", (double) open.size());
            }
        }
    }
}
