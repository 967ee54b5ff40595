package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs {@link WakerStress} under jcstress, in processes of its own: some ten seconds on an idle machine. */
@Tag("long")
class WakerStressTest {
    @TempDir
    Path directory;

    @Test
    void shouldNeverLoseAWakeUp() throws Exception {
        Process jcstress = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx64m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "org.openjdk.jcstress.Main",
                        "-t",
                        WakerStress.class.getSimpleName(),
                        "-f",
                        "1",
                        "-iters",
                        "5",
                        "-time",
                        "300",
                        "-hs",
                        "64",
                        "-jvmArgs",
                        "-Xmx256m",
                        "-af",
                        "NONE",
                        "-sc",
                        "false",
                        "-v")
                .directory(directory.toFile())
                .redirectErrorStream(true)
                .start();
        String report = new String(jcstress.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(jcstress.waitFor()).as(report).isZero();
        assertThat(report).contains("[OK] io.reprise.runtime.agent.WakerStress.OneProducer");
        assertThat(report).contains("Failed tests: No matches").contains("Error tests: No matches");
    }
}
