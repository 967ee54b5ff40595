package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.FootprintStats;
import io.reprise.workload.Workload;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;

/** The bytes of a transaction's footprint in the log, without the record's header and before compression. */
final class FootprintBytesBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;
    private static final int CUSTOMERS = 100_000;
    private static final long MEMORY = 2L << 30;

    @Override
    public String name() {
        return "footprint-bytes";
    }

    @Override
    public String description() {
        return "Bytes of footprint logged for each transaction that writes";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("neworder", "TPC-C New-Order").atMost(40),
                Key.of("tpcc", "TPC-C full mix").atMost(32),
                Key.of("smallbank", "Smallbank").atMost(8),
                Key.of("voter", "Voter").atMost(6));
    }

    @Override
    public Result run(Context context) {
        double seconds = context.quickOr(1, 4);
        Result result = new Result();
        try (EngineRun run = open(context, Load.TPCC.setup(WAREHOUSES), "tpcc")) {
            TpccOptions newOrders = TpccOptions.standard(WAREHOUSES).withMix(TpccOptions.Mix.NEW_ORDER);
            result.put("neworder", bytes(context, "New-Order", run, new Tpcc(newOrders), seconds));
            result.put("tpcc", bytes(context, "TPC-C", run, Load.TPCC.workload(WAREHOUSES), seconds));
        }
        Workload smallbank = new Smallbank(SmallbankOptions.uniform(CUSTOMERS));
        try (EngineRun run = open(context, EngineRun.Setup.inMemory(smallbank, 1, MEMORY), "smallbank")) {
            result.put("smallbank", bytes(context, "Smallbank", run, smallbank, seconds));
        }
        try (EngineRun run = open(context, Load.VOTER.setup(WAREHOUSES), "voter")) {
            result.put("voter", bytes(context, "Voter", run, Load.VOTER.workload(WAREHOUSES), seconds));
        }
        return result;
    }

    private static EngineRun open(Context context, EngineRun.Setup setup, String folder) {
        return Logging.FOOTPRINT.load(setup, context.scratch().resolve(folder));
    }

    private static double bytes(Context context, String what, EngineRun run, Workload workload, double seconds) {
        FootprintStats before = run.engine().footprintStats().orElseThrow();
        run.measure(workload, 0, seconds);
        FootprintStats after = run.engine().footprintStats().orElseThrow();
        long footprints = after.footprints() - before.footprints();
        double each = (double) (after.bytes() - before.bytes()) / footprints;
        context.progress(
                "%s: %,d footprints in %,d records, %.1f bytes each",
                what, footprints, after.records() - before.records(), each);
        return each;
    }
}
