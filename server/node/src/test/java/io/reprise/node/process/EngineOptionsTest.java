package io.reprise.node.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.configuration.ConfigurationFile;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Durability;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.log.LogSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class EngineOptionsTest {
    @TempDir
    Path folder;

    /** The configuration's module knows no server code, and has the numbers once more. */
    @Test
    void shouldKeepANodeOfWhichNothingIsSaidAsAnEngineKeepsItself() {
        NodeConfiguration defaults = NodeConfiguration.defaults(Path.of("data"));

        assertThat(EngineOptions.durability(defaults)).isEqualTo(Durability.standard());
    }

    @Test
    void shouldKeepNoMoreThanFourGibibytesOfSegmentsToBeUsedAgainWhateverTheirSize() throws IOException {
        for (String size : new String[] {"1GiB", "256MiB", "64MiB", "8MiB"}) {
            Path file =
                    Files.writeString(folder.resolve("node.yaml"), "log: {segment: " + size + ", largestRecord: 1MiB}");

            LogSettings log =
                    EngineOptions.durability(ConfigurationFile.read(file)).log();

            assertThat(log.spareSegments() * log.segmentBytes()).as(size).isEqualTo(4L << 30);
        }
    }

    @Test
    void shouldTakeTheMethodAndTheBudgetOfAdaptiveLogging() throws IOException {
        Path file = Files.writeString(folder.resolve("node.yaml"), "log: {method: adaptive, budget: 1MiB}");

        Durability durability = EngineOptions.durability(ConfigurationFile.read(file));

        assertThat(durability.method()).isEqualTo(LoggingMethod.ADAPTIVE);
        assertThat(durability.adaptive()).isEqualTo(AdaptiveSettings.within(1 << 20));
    }
}
