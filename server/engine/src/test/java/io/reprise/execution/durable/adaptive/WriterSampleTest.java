package io.reprise.execution.durable.adaptive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.SeededRandomness;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class WriterSampleTest {
    @Test
    void shouldHoldAllRowsWhileThereIsRoom() {
        WriterSample sample = new WriterSample(64);

        for (int row = 0; row < 64; row++) {
            sample.put(key(1, row), row);
        }

        assertThat(sample.size()).isEqualTo(64);
        assertThat(sample.chain(key(1, 63))).isEqualTo(63);
        assertThat(sample.chain(key(2, 63))).isNegative();
    }

    /** The sampled index against a full one: entries of the sample are exact. */
    @Test
    void shouldAgreeWithAFullIndexOnEachRowOfTheSample() {
        WriterSample sample = new WriterSample(256);
        TreeMap<Long, Float> full = new TreeMap<>();
        SeededRandomness random = new SeededRandomness(11);
        for (int i = 0; i < 100_000; i++) {
            long key = key(1 + random.nextInt(3), random.nextInt(20_000));
            full.put(key, (float) i);
            if (sample.isSampled(key)) {
                sample.put(key, i);
            }
        }

        int found = 0;
        for (long key : full.keySet()) {
            if (sample.isSampled(key)) {
                assertThat(sample.chain(key)).isEqualTo(full.get(key));
                found++;
            }
        }

        assertThat(found).isEqualTo(sample.size()).isBetween(64, 256);
    }

    private static long key(int table, long row) {
        return WriterSample.key(LoggingTables.hash(table, row));
    }
}
