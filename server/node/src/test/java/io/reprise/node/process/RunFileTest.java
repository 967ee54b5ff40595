package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RunFileTest {
    @TempDir
    private Path folder;

    @Test
    void shouldSayWhatItIsForAndWhatToDoWhenItCantBeWritten() {
        RunFile file = RunFile.ofThisProcess("", "", "", "token");

        assertThatThrownBy(() -> file.write(folder.resolve("missing")))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessageContaining("by which commands find this node; see who may write in that folder");
    }

    /** The system's account of when a process began moves along when the clock is set, as once the time has come by network. */
    @Test
    void shouldFindTheProcessWhenTheClockWasSetSinceItsStart() {
        RunFile own = written(RunFile.ofThisProcess("", "", "", "token"));
        assumeTrue(!own.began().isEmpty(), "this system has no /proc");

        assertThat(written(with(own.startedMs() - 3_600_000, own.began())).process())
                .isPresent();
    }

    @Test
    void shouldNotTakeALaterProcessOfTheSamePidForTheNode() {
        RunFile own = RunFile.ofThisProcess("", "", "", "token");
        assumeTrue(!own.began().isEmpty(), "this system has no /proc");
        String[] began = own.began().split(" ");

        assertThat(written(with(own.startedMs(), "1 " + began[1])).process()).isEmpty();
        assertThat(written(with(own.startedMs(), began[0] + " another-start-of-the-system"))
                        .process())
                .isEmpty();
    }

    @Test
    void shouldFindTheProcessOfAnEarlierVersion() throws IOException {
        RunFile own = RunFile.ofThisProcess("", "", "", "token");
        for (long startedMs : new long[] {own.startedMs(), own.startedMs() + 1}) {
            Files.writeString(
                    RunFile.path(folder),
                    "pid=" + own.pid() + "\nstarted=" + startedMs + "\nhttp=\nclients=\ncertificate=\ntoken=t\n");

            assertThat(RunFile.read(folder).orElseThrow().process().isPresent())
                    .isEqualTo(startedMs == own.startedMs());
        }
    }

    @Test
    void shouldReadWhenAProcessBeganWhateverItsNameIs() {
        String stat = "4711 (a) S 1 (b) c) S 1 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 1 0 48151623 1 2 3";

        assertThat(RunFile.ticks(stat)).isEqualTo("48151623");
    }

    /** Its first thread has ended, but others, and with them files and locks, are there until the last one has. */
    @Test
    void shouldNotTakeAProcessForEndedWhileThreadsOfItAreLeft() {
        String stat = "4711 (java) %s 1 4711 4711 0 -1 4194560 1 0 0 0 0 0 0 0 20 0 %d 0 48151623 1 2 3";

        assertThat(RunFile.hasEnded(stat.formatted("Z", 1))).isTrue();
        assertThat(RunFile.hasEnded(stat.formatted("X", 0))).isTrue();
        assertThat(RunFile.hasEnded(stat.formatted("Z", 2))).isFalse();
        assertThat(RunFile.hasEnded(stat.formatted("S", 1))).isFalse();
    }

    /** As in a container whose first process asks nobody for his exit code: the system goes on listing the process. */
    @Test
    void shouldNotFindAProcessThatWasKilledAndThatNobodyAskedAboutSince() throws Exception {
        Process parent = new ProcessBuilder("sh", "-c", "sleep 600 & echo $!; exec sleep 600").start();
        try {
            long pid = Long.parseLong(parent.inputReader().readLine());
            String began = RunFile.began(pid);
            assumeTrue(!began.isEmpty(), "this system has no /proc");
            RunFile child = new RunFile(pid, 0, began, "", "", "", "token");
            assertThat(child.process()).isPresent();
            assertThat(child.awaitEnd(1, TimeUnit.MILLISECONDS)).isFalse();

            ProcessHandle.of(pid).orElseThrow().destroyForcibly();

            assertThat(child.awaitEnd(30, TimeUnit.SECONDS)).isTrue();
            assertThat(child.process()).isEmpty();
            assertThat(ProcessHandle.of(pid)).as("what the system says").isPresent();
        } finally {
            parent.destroyForcibly();
        }
    }

    /** As where a link leads to another directory now. */
    @Test
    void shouldRemoveNoFileOfAnotherNode() {
        RunFile own = written(RunFile.ofThisProcess("", "", "", "own"));
        RunFile others = written(RunFile.ofThisProcess("", "", "", "others"));

        own.remove(folder);
        assertThat(RunFile.read(folder)).contains(others);

        others.remove(folder);
        assertThat(RunFile.read(folder)).isEmpty();
    }

    private RunFile written(RunFile file) {
        file.write(folder);
        return RunFile.read(folder).orElseThrow();
    }

    private static RunFile with(long startedMs, String began) {
        return new RunFile(ProcessHandle.current().pid(), startedMs, began, "", "", "", "token");
    }
}
