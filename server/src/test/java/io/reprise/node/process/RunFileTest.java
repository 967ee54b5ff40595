package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
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

    private RunFile written(RunFile file) {
        file.write(folder);
        return RunFile.read(folder).orElseThrow();
    }

    private static RunFile with(long startedMs, String began) {
        return new RunFile(ProcessHandle.current().pid(), startedMs, began, "", "", "", "token");
    }
}
