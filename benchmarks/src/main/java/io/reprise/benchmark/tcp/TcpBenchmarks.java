package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.drive.NamedWorkload;
import java.util.List;

/** The benchmarks of this package. */
public final class TcpBenchmarks {
    private TcpBenchmarks() {}

    /** All of them. */
    public static List<Benchmark> all() {
        return List.of(
                new TcpThroughputBenchmark(NamedWorkload.VOTER, 400_000, 450_000, false),
                new TcpThroughputBenchmark(NamedWorkload.VOTER, 0, 0, true),
                new TcpThroughputBenchmark(NamedWorkload.TPCC, 60_000, 90_000, false),
                new TcpThroughputBenchmark(NamedWorkload.SMALLBANK, 0, 0, false),
                new TcpThroughputBenchmark(NamedWorkload.YCSB, 0, 0, false),
                new TcpThroughputBenchmark(NamedWorkload.TATP, 0, 0, false),
                new TcpLogCostBenchmark(NamedWorkload.VOTER, 0.97, 0.92),
                new TcpLogCostBenchmark(NamedWorkload.TPCC, 0.95, 0.85),
                TcpLatencyBenchmark.at(10_000, "tcp-tpcc-10k", NamedWorkload.TPCC),
                TcpLatencyBenchmark.atHalf("tcp-latency", NamedWorkload.VOTER),
                TcpLatencyBenchmark.encryptedAtHalf("tcp-latency-tls", NamedWorkload.VOTER),
                new TcpClosedBenchmark(),
                new PgPointBenchmark(),
                new ConnectionsBenchmark(),
                new OverloadBenchmark(),
                new SoakBenchmark());
    }
}
