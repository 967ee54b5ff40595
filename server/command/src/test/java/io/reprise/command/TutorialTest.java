package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The commands of the tutorials print what stands below them. */
final class TutorialTest {
    @TempDir
    Path folder;

    @Test
    void shouldPrintWhatTheTutorialSays() throws IOException, InterruptedException {
        try (Walkthrough shell = new Walkthrough(folder)) {
            // Its first connection a process makes with what it loads just then, which takes long where others want the
            // processor.
            String text = Walkthrough.document("tutorial.md")
                    .replace(
                            Walkthrough.USUAL_PORT + ")))",
                            Walkthrough.USUAL_PORT + ")).withConnectTimeout(java.time.Duration.ofMinutes(1)))")
                    .replace(Walkthrough.USUAL_PORT, String.valueOf(shell.port()));
            assertThat(text).contains("withConnectTimeout");

            assertThat(shell.follow(text)).isGreaterThan(12);
        }
    }

    @Test
    void shouldPrintWhatTheTutorialOfTheClusterSays() throws IOException, InterruptedException {
        try (Walkthrough shell = new Walkthrough(folder)) {
            assertThat(shell.follow(Walkthrough.document("cluster.md"))).isGreaterThan(15);
        }
    }
}
