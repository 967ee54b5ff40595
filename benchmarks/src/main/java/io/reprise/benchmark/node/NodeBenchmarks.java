package io.reprise.benchmark.node;

import io.reprise.benchmark.Benchmark;
import java.util.List;

/** All benchmarks of nodes as processes. */
public final class NodeBenchmarks {
    private NodeBenchmarks() {}

    public static List<Benchmark> all() {
        return List.of(new StartEmptyBenchmark());
    }
}
