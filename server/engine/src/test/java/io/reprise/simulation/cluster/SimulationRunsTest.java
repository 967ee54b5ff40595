package io.reprise.simulation.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SimulationRunsTest {
    @Test
    void shouldGoOnWhereTheFileEnds(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("runs.properties");
        assertThat(new SimulationRuns(file, 1, 1).run()).isTrue();
        String before = Files.readString(file);

        SimulationRuns more = new SimulationRuns(file, 1, 2);
        assertThat(more.run()).isTrue();

        assertThat(before).contains("first=1\nnext=2\n");
        assertThat(Files.readString(file)).contains("first=1\nnext=3\n").contains("fault.");
        assertThat(more.summary()).startsWith("seeds 1 to 2: 2 runs, 0 failed []");
    }

    @Test
    void shouldRejectTheFileOfAnotherRange(@TempDir Path folder) throws Exception {
        Path file = folder.resolve("runs.properties");
        Files.writeString(file, "first=1\nnext=5\nfailing=3,\n");

        assertThatThrownBy(() -> new SimulationRuns(file, 100, 2).run())
                .hasMessageContaining("begins with seed 1, not 100");
        assertThat(new SimulationRuns(file, 1, 4).run()).isFalse();
    }
}
