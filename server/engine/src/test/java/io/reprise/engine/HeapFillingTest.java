package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A procedure that fills the Java heap costs its own transaction and nothing else. In a process of its own, whose heap may end. */
final class HeapFillingTest {
    @TempDir
    Path folder;

    @Test
    void shouldRollBackAProcedureThatFillsTheHeapAndGoOn() throws Exception {
        Process process = new ProcessBuilder(
                        ProcessHandle.current().info().command().orElseThrow(),
                        "-Xmx192m",
                        "--enable-native-access=ALL-UNNAMED",
                        "-cp",
                        System.getProperty("java.class.path"),
                        HeapFilling.class.getName(),
                        folder.resolve("data").toString())
                .redirectErrorStream(true)
                .start();
        String report = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

        assertThat(process.waitFor(120, TimeUnit.SECONDS)).isTrue();
        assertThat(report).contains("rows 30 sum 30 failure Optional.empty");
        assertThat(report.lines()
                        .filter(line -> line.startsWith("MEMORY_LIMIT procedure Fill allocated more Java heap")))
                .hasSize(30);
    }
}
