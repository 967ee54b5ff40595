package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.node.process.RunFile;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Nodes whose end is not the usual one; they are processes of their own. */
@Timeout(180)
final class NodeEndTest {
    private static final int PATIENCE_SECONDS = 60;
    private static final int SIGTERM_CODE = 143;

    /** The bytes that Linux lets wait in a pipe. */
    private static final int PIPE_BYTES = 1 << 16;

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

    private static Run reprise(String... arguments) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        int code = RepriseCommand.run(out, err, arguments);
        return new Run(code, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    private Path pipe(String name) throws IOException, InterruptedException {
        Path pipe = folder.resolve(name);
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                .isZero();
        return pipe;
    }

    private String configuration(String more) throws IOException {
        return Files.writeString(folder.resolve("node.yaml"), """
                        data: {directory: data}
                        engine: {partitions: 1, memoryPerPartition: 64MiB}
                        log: {segment: 1MiB, largestRecord: 256KiB}
                        snapshot: {onStop: false}
                        http: {port: 0}
                        clients: {port: 0}
                        """ + more).toString();
    }

    private static void await(String what, BooleanSupplier come) throws InterruptedException {
        for (int look = 0; !come.getAsBoolean(); look++) {
            assertThat(look).as("waiting until " + what).isLessThan(PATIENCE_SECONDS * 20);
            TimeUnit.MILLISECONDS.sleep(50);
        }
    }

    private boolean isFound() {
        Path data = folder.resolve("data");
        return Files.isDirectory(data) && RunFile.read(data).isPresent();
    }

    /** As with a pager that shows the first page, a terminal after Ctrl-S, a collector that is stuck. */
    @Test
    void shouldServeAndStopWhenNobodyReadsWhatItSays() throws Exception {
        String configuration = configuration("");
        try (RandomAccessFile pipe = new RandomAccessFile(pipe("output").toFile(), "rw")) {
            pipe.write(new byte[PIPE_BYTES]);
            process = new ProcessBuilder(CommandProcess.line("start", "--config", configuration))
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("output").toFile())
                    .start();
            String data = folder.resolve("data").toString();
            await("it has said how it is found", this::isFound);
            await("it is ready", () -> reprise("status", data).code() == 0);

            Run stop = reprise("stop", data, "--timeout", "60");

            assertThat(stop.code()).as(stop.err()).isZero();
            assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
            assertThat(process.exitValue()).isEqualTo(SIGTERM_CODE);
        }
    }

    /** The recovery may take long; here it is a script that is not there yet. */
    @Test
    void shouldEndInOrderWhenItIsToldToBeforeItIsReady() throws Exception {
        pipe("schema.sql");
        String configuration = configuration("schema: {scripts: schema.sql}\n");
        process = new ProcessBuilder(CommandProcess.line("start", "--config", configuration))
                .redirectErrorStream(true)
                .start();
        await("it has said how it is found", this::isFound);

        Run stop = reprise("stop", folder.resolve("data").toString(), "--timeout", "60");

        assertThat(stop.code()).as(stop.err()).isZero();
        assertThat(isFound()).isFalse();
        assertThat(process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(SIGTERM_CODE);
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("Node reprise was told to stop before it was ready.");
    }

    /** As in a container whose first process asks nobody for his exit code: the system goes on listing the process. */
    @Test
    void shouldNotWaitForAProcessThatHasEndedAndThatNobodyAskedAboutSince() throws Exception {
        process = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        long pid = Long.parseLong(process.inputReader().readLine());
        Path stat = Path.of("/proc/" + pid + "/stat");
        assumeTrue(Files.exists(stat), "this system has no /proc");
        String began = Files.readString(stat).split(" ")[21] + " "
                + Files.readString(Path.of("/proc/sys/kernel/random/boot_id")).strip();
        Path data = Files.createDirectory(folder.resolve("data"));
        Files.writeString(
                data.resolve(".node"), "pid=" + pid + "\nstarted=0\nbegan=" + began + "\nhttp=\nclients=\ntoken=t\n");

        Run stop = reprise("stop", data.toString(), "--timeout", "60");

        assertThat(stop.err()).contains("process " + pid + ", has ended, but not in order");
        assertThat(reprise("status", data.toString()).code()).isEqualTo(RepriseCommand.NOT_RUNNING);
        assertThat(DetachedStart.staysAtWork(RunFile.read(data).orElseThrow())).isFalse();
    }
}
