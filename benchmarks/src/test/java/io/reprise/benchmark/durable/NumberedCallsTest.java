package io.reprise.benchmark.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.log.LogStats;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NumberedCallsTest {
    @TempDir
    Path folder;

    @Test
    void shouldLogTheClientAndTheNumberOfEachCallWhenCallsHaveNumbers() {
        try (EngineRun run =
                EngineRun.load(Load.VOTER.setup(1).in(folder.resolve("engine"), Logging.COMMAND.durability()))) {
            double without = bytesOfRecord(run);
            run.numberCalls();

            double with = bytesOfRecord(run);

            assertThat(with - without)
                    .as("an id of eight bytes, a number, a result")
                    .isBetween(9.0, 24.0);
            run.check();
        }
    }

    private static double bytesOfRecord(EngineRun run) {
        LogStats log = run.engine().logStats().orElseThrow();
        long bytes = log.recordBytes();
        long records = log.records();
        run.measure(Load.VOTER.workload(1), 0, 0.3);
        return (double) (log.recordBytes() - bytes) / (log.records() - records);
    }
}
