package io.reprise.benchmark.postgres;

import io.reprise.benchmark.Benchmark;
import java.util.List;

/** The benchmarks of this package. */
public final class PostgresBenchmarks {
    private PostgresBenchmarks() {}

    /** All of them. */
    public static List<Benchmark> all() {
        return List.of(
                new PgCopyBenchmark(),
                new LoadCsvBenchmark(),
                new FirstStatementBenchmark(),
                new TapeBenchmark(),
                new PgWorkloadBenchmark("pg-tpcc", "warehouses", PgTpcc::small, 2, PgTpcc::specified, 4),
                new PgWorkloadBenchmark(
                        "pg-smallbank", "customers", PgSmallbank::new, 1000, PgSmallbank::new, 1_000_000),
                new PgWorkloadBenchmark("pg-voter", "telephones", PgVoter::new, 1000, PgVoter::new, 1_000_000),
                new PgWorkloadBenchmark("pg-tatp", "subscribers", PgTatp::new, 500, PgTatp::new, 100_000),
                new PgWorkloadBenchmark("pg-ycsb", "records", PgYcsb::new, 500, PgYcsb::new, 100_000));
    }
}
