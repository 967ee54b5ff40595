package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Option;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tatp.Tatp;
import io.reprise.workload.tatp.TatpOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;
import io.reprise.workload.ycsb.Ycsb;
import io.reprise.workload.ycsb.YcsbOptions;
import java.util.List;

/** The benchmarks of this package, with the options of those that differ only in these. */
public final class EngineBenchmarks {
    /** The number of customers, records and subscribers. */
    static final int ROWS = 1_000_000;

    private EngineBenchmarks() {}

    /** All of them. */
    public static List<Benchmark> all() {
        return List.of(
                new OneCoreBenchmark(
                        "engine-tpcc",
                        "TPC-C full mix, SQL procedures, one partition on one core, 4 warehouses, in process, no log",
                        100_000,
                        context -> new Tpcc(TpccOptions.standard(context.option("warehouses", 4))),
                        Option.number("warehouses", 1)),
                new TwoPartitionsBenchmark(),
                new TpccSpecificationBenchmark(),
                new DistributedBenchmark(),
                new OneCoreBenchmark(
                        "engine-smallbank",
                        "Smallbank, one partition on one core, in process",
                        1_000_000,
                        context -> new Smallbank(SmallbankOptions.uniform(context.option("customers", ROWS))),
                        Option.number("customers", 2)),
                new SmallbankTwoBenchmark(),
                new OneCoreBenchmark(
                        "engine-voter",
                        "Voter, one partition on one core, in process",
                        1_000_000,
                        context -> new Voter(VoterOptions.STANDARD)),
                new OneCoreBenchmark(
                        "engine-tatp",
                        "TATP, subscribers found by number in the same partition, one partition on one core",
                        0,
                        context -> new Tatp(new TatpOptions(context.option("subscribers", ROWS), true, 1)),
                        Option.number("subscribers", 1)),
                new OneCoreBenchmark(
                        "engine-ycsb",
                        "YCSB, workload --mix A to F, one partition on one core",
                        0,
                        context -> new Ycsb(YcsbOptions.standard(
                                context.choice("mix", YcsbOptions.Mix.A), context.option("records", ROWS))),
                        Option.oneOf("mix", YcsbOptions.Mix.values()),
                        Option.number("records", 2)),
                new PointBenchmark(),
                new AllocationBenchmark(),
                new MemoryBenchmark(),
                new SnapshotBenchmark());
    }
}
