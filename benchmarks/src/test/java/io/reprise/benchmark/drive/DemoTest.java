package io.reprise.benchmark.drive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The script {@code scripts/demo}, with processes of its own, from the classes of this test. */
@Timeout(value = 5, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class DemoTest {
    private static final long PATIENCE_SECONDS = 120;

    /** A line for one second, or for more if the machine stands still. */
    private static final String A_SECOND = "^ +[0-9]+ s ";

    @TempDir
    Path folder;

    private Path temporary;
    private Path reprise;
    private Process demo;

    @BeforeEach
    void makeProgram() throws IOException {
        temporary = Files.createDirectory(folder.resolve("tmp"));
        String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
        reprise = folder.resolve("reprise");
        Files.writeString(
                reprise,
                "#!/usr/bin/env bash\nexec '" + java + "' --enable-native-access=ALL-UNNAMED"
                        + " --sun-misc-unsafe-memory-access=allow -Xmx512m -XX:+UseSerialGC -XX:TieredStopAtLevel=1 -cp '"
                        + System.getProperty("java.class.path")
                        + "' io.reprise.command.RepriseCommand \"$@\"\n");
        Files.setPosixFilePermissions(reprise, PosixFilePermissions.fromString("rwx------"));
    }

    /** A test that fails must not leave a node behind. */
    @AfterEach
    void end() {
        if (demo != null && demo.isAlive()) {
            demo.descendants().forEach(ProcessHandle::destroyForcibly);
            demo.destroyForcibly();
        }
    }

    private BufferedReader start(String... arguments) throws IOException {
        // A test run in the background may ignore signals, and a shell can't undo that inheritance.
        List<String> command =
                new ArrayList<>(List.of("env", "--default-signal=INT,TERM,HUP", "bash", script().toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("REPRISE_COMMAND", reprise.toString());
        builder.environment().put("TMPDIR", temporary.toString());
        demo = builder.start();
        return demo.inputReader(StandardCharsets.UTF_8);
    }

    private static Path script() {
        Path script = Path.of("..", "scripts", "demo").toAbsolutePath().normalize();
        return Files.exists(script) ? script : Path.of("scripts", "demo").toAbsolutePath();
    }

    /** Reads up to a line that has this pattern. */
    private static String readUntil(BufferedReader out, String wanted) throws IOException {
        StringBuilder read = new StringBuilder();
        for (String line = out.readLine(); line != null; line = out.readLine()) {
            read.append(line).append('\n');
            if (Pattern.compile(wanted).matcher(line).find()) {
                return read.toString();
            }
        }
        throw new AssertionError("it ended without " + wanted + ":\n" + read);
    }

    private int exitCode() throws InterruptedException {
        assertThat(demo.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)).isTrue();
        return demo.exitValue();
    }

    private void assertThatNothingIsLeft(List<ProcessHandle> children) throws IOException {
        try (Stream<Path> left = Files.list(temporary)) {
            assertThat(left.filter(path -> path.getFileName().toString().startsWith("reprise-demo")))
                    .isEmpty();
        }
        assertThat(children).noneMatch(ProcessHandle::isAlive);
    }

    @Test
    void shouldShowFiguresAndThePageAndLeaveNothingWhenItsTimeIsOver() throws Exception {
        BufferedReader out = start("--seconds", "2", "--rate", "500");

        String begin = readUntil(out, "calls/s  ");
        List<ProcessHandle> children = demo.descendants().toList();
        String rest = readUntil(out, "all invariants of the workload hold");

        assertThat(begin).containsPattern("Watch it at {2}http://127\\.0\\.0\\.1:\\d+");
        assertThat(rest).containsPattern(" calls/s for ([2-9]|[1-9][0-9]+) s; p50 ");
        assertThat(exitCode()).isZero();
        assertThat(children).hasSizeGreaterThanOrEqualTo(2);
        assertThatNothingIsLeft(children);
    }

    @ParameterizedTest
    @CsvSource({"INT,130", "TERM,143", "HUP,129"})
    void shouldStopInOrderWhenItGetsASignal(String signal, int code) throws Exception {
        BufferedReader out = start("--rate", "500");
        readUntil(out, A_SECOND);
        List<ProcessHandle> children = demo.descendants().toList();

        new ProcessBuilder("kill", "-" + signal, String.valueOf(demo.pid()))
                .start()
                .waitFor();

        readUntil(out, "the run was stopped");
        assertThat(exitCode()).isEqualTo(code);
        assertThatNothingIsLeft(children);
    }

    @Test
    void shouldEndWhenNobodyReadsItAnyMore() throws Exception {
        BufferedReader out = start("--rate", "500");
        readUntil(out, A_SECOND);
        List<ProcessHandle> children = demo.descendants().toList();

        out.close();

        exitCode();
        assertThatNothingIsLeft(children);
    }

    @Test
    void shouldSayWhyAndLeaveNothingWhenTheNodeDoesNotStart() throws Exception {
        Files.writeString(
                reprise, "#!/usr/bin/env bash\n[ \"$1\" = start ] && { echo 'no memory'; exit 3; }\nexit 0\n");

        BufferedReader out = start("tpcc");

        assertThat(readUntil(out, "the node has ended before it was ready")).contains("no memory");
        assertThat(exitCode()).isEqualTo(3);
        assertThatNothingIsLeft(List.of());
    }

    @Test
    void shouldRefuseWhatItDoesNotKnow() throws Exception {
        BufferedReader out = start("tpch");

        assertThat(readUntil(out, "demo: tpch is no workload")).contains("scripts/demo [tpcc|smallbank|");
        assertThat(exitCode()).isEqualTo(2);
    }
}
