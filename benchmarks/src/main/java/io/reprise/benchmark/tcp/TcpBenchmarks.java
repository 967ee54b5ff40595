package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import java.util.List;

/** The benchmarks of this package. */
public final class TcpBenchmarks {
    private TcpBenchmarks() {}

    /** All of them. */
    public static List<Benchmark> all() {
        return List.of(
                new TcpThroughputBenchmark(TcpWorkload.VOTER, 400_000, 450_000),
                new TcpThroughputBenchmark(TcpWorkload.TPCC, 60_000, 90_000),
                new TcpLatencyBenchmark("tcp-tpcc-10k", TcpWorkload.TPCC, 10_000),
                new TcpLatencyBenchmark("tcp-latency", TcpWorkload.VOTER, 0),
                new TcpClosedBenchmark());
    }
}
