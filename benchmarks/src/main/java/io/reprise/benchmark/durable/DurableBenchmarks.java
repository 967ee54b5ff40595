package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import java.util.List;

/** The benchmarks of this package. */
public final class DurableBenchmarks {
    private DurableBenchmarks() {}

    /** All of them. */
    public static List<Benchmark> all() {
        return List.of(
                new LogCostBenchmark("log-tpcc", Load.TPCC, 0.95, 0.85),
                new LogCostBenchmark("log-voter", Load.VOTER, 0.97, 0.92),
                new LogBytesBenchmark(),
                new FootprintBytesBenchmark(),
                new FootprintCostBenchmark(),
                new LogLatencyBenchmark(),
                new LogReuseBenchmark(),
                new ReplayBenchmark(),
                new SnapshotUnderLoadBenchmark(),
                new VirtualSnapshotBenchmark(),
                new RestartBenchmark(),
                new DemandRestartBenchmark(),
                new RebuildBenchmark(),
                new PaperFigures());
    }
}
