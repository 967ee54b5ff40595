package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.Benchmark;
import java.util.List;

/** The benchmarks of this package. */
public final class AdaptiveBenchmarks {
    private AdaptiveBenchmarks() {}

    /** All of them. */
    public static List<Benchmark> all() {
        return List.of(new RecoverDistributedBenchmark(), new ChooserBenchmark(), new AdaptiveFigures());
    }
}
