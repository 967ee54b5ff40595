package io.reprise.benchmark.engine;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.Samples;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;

/** TPC-C's full mix on one partition: a single thread is client, initiator and executor. */
public final class TpccBenchmark implements Benchmark {
    @Override
    public String name() {
        return "engine-tpcc";
    }

    @Override
    public String description() {
        return "TPC-C full mix, SQL procedures, one partition on one core, in process, no log";
    }

    @Override
    public List<Key> keys() {
        return List.of(Key.of("tps", "transactions of all five kinds per second").atLeast(100_000));
    }

    @Override
    public Result run(Context context) {
        int warehouses = context.option("warehouses", 4);
        double seconds = context.option("seconds", context.quickOr(3, 5));
        Tpcc tpcc = new Tpcc(TpccOptions.standard(warehouses));
        context.progress("Loading %d warehouses", warehouses);
        try (EngineRun run = EngineRun.open(tpcc, 1, Memory.FOR_ONE)) {
            Samples tps = Rounds.of(run, context).warmUp(context.quickOr(8, 15)).measure(context.quickOr(3, 7), seconds);
            double rolledBack = 100.0 * run.rolledBack() / run.completed();
            run.check();
            return new Result()
                    .put("tps", tps)
                    .fact("consistent", "true")
                    .fact("rolled_back_percent", String.format("%.2f", rolledBack));
        }
    }
}
