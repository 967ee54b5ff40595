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
                new FootprintCostBenchmark("log-footprint", Logging.FOOTPRINT, 0.98),
                new FootprintCostBenchmark("log-adaptive", Logging.ADAPTIVE, 0.95),
                new ReplayBucketsBenchmark(),
                new ReplayMixedBenchmark(),
                new ClosurePassBenchmark(),
                new PredictBenchmark(),
                new LogLatencyBenchmark(),
                new LogPriorityBenchmark(),
                new LogReuseBenchmark(),
                new ReplayBenchmark(),
                new SnapshotUnderLoadBenchmark(),
                new VirtualSnapshotBenchmark(),
                new RestartBenchmark(),
                new StartRecoveryBenchmark(),
                new MemoryAccessBenchmark(),
                new DemandRestartBenchmark(),
                new ArchiveBenchmark(),
                new ExportBenchmark(),
                new FineLineBenchmark(),
                new RestoreBenchmark(),
                new ObjectiveBenchmark(),
                new RebuildBenchmark(),
                new InstantFigures(),
                new PaperFigures(),
                new PaperDistributed());
    }
}
