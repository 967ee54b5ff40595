package io.reprise.benchmark.cluster;

import io.reprise.benchmark.Benchmark;
import java.util.List;

/** All benchmarks of clusters. */
public final class ClusterBenchmarks {
    private ClusterBenchmarks() {}

    public static List<Benchmark> all() {
        return List.of(
                ClusterThroughputBenchmark.voter(),
                ClusterThroughputBenchmark.tpcc(),
                ClusterThroughputBenchmark.smallbank(),
                new ClusterMultiBenchmark(),
                new ClusterInsertBenchmark(),
                new ClusterFlatBenchmark(),
                new SimulateBenchmark(),
                new ClusterFailoverBenchmark(),
                new ClusterRejoinBenchmark(),
                new ClusterMoveBenchmark());
    }
}
