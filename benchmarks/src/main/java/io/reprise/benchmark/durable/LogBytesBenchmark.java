package io.reprise.benchmark.durable;

import io.reprise.benchmark.Benchmark;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.Key;
import io.reprise.benchmark.Result;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.log.LogStats;
import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.List;
import java.util.Locale;

/**
 * The bytes of a transaction in the log: its record with the record's header, before compression. Calls have no
 * numbers, as those of the benchmarks' drivers. Keys that end in {@code _once} are an exception: these calls are as a
 * user's client makes them by a procedure's name, so that they are run once even if they are made again, and their
 * records have a client's id, a number and a result.
 */
final class LogBytesBenchmark implements Benchmark {
    private static final int WAREHOUSES = 2;

    @Override
    public String name() {
        return "log-bytes";
    }

    @Override
    public String description() {
        return "Bytes logged for each transaction that writes";
    }

    @Override
    public List<Key> keys() {
        return List.of(
                Key.of("neworder", "TPC-C New-Order, command logging").atMost(170),
                Key.of("tpcc", "TPC-C full mix, command logging").atMost(110),
                Key.of("voter", "Voter, command logging").atMost(55),
                Key.of("neworder_once", "TPC-C New-Order, command logging, calls with numbers"),
                Key.of("tpcc_once", "TPC-C full mix, command logging, calls with numbers"),
                Key.of("voter_once", "Voter, command logging, calls with numbers"),
                Key.of("physio_ratio", "TPC-C, physiological logging against command logging"),
                Key.of("physio_full_ratio", "the same with whole rows rather than changed columns"),
                Key.of("tpcc_physio", "TPC-C full mix, physiological logging"),
                Key.of("tpcc_physio_full", "TPC-C full mix, physiological logging of whole rows"),
                Key.of("voter_physio", "Voter, physiological logging"));
    }

    @Override
    public Result run(Context context) {
        double seconds = context.quickOr(1, 4);
        Tpcc newOrders = new Tpcc(TpccOptions.standard(WAREHOUSES).withMix(TpccOptions.Mix.NEW_ORDER));
        Result result = new Result();
        double tpcc;
        try (EngineRun run = open(context, Load.TPCC, Logging.COMMAND)) {
            result.put("neworder", bytes(context, "New-Order", run, newOrders, seconds));
            tpcc = bytes(context, "TPC-C", run, Load.TPCC.workload(WAREHOUSES), seconds);
            run.numberCalls();
            result.put("neworder_once", bytes(context, "New-Order, numbered", run, newOrders, seconds))
                    .put("tpcc_once", bytes(context, "TPC-C, numbered", run, Load.TPCC.workload(WAREHOUSES), seconds));
        }
        Workload votes = Load.VOTER.workload(WAREHOUSES);
        try (EngineRun run = open(context, Load.VOTER, Logging.COMMAND)) {
            result.put("voter", bytes(context, "Voter", run, votes, seconds));
            run.numberCalls();
            result.put("voter_once", bytes(context, "Voter, numbered", run, votes, seconds));
        }
        double physiological = bytes(context, Load.TPCC, Logging.PHYSIOLOGICAL, seconds);
        double full = bytes(context, Load.TPCC, Logging.PHYSIOLOGICAL_FULL, seconds);
        return result.put("tpcc", tpcc)
                .put("physio_ratio", physiological / tpcc)
                .put("physio_full_ratio", full / tpcc)
                .put("tpcc_physio", physiological)
                .put("tpcc_physio_full", full)
                .put("voter_physio", bytes(context, Load.VOTER, Logging.PHYSIOLOGICAL, seconds));
    }

    private static EngineRun open(Context context, Load load, Logging logging) {
        return logging.load(load.setup(WAREHOUSES), context.scratch().resolve(load.name()));
    }

    private static double bytes(Context context, Load load, Logging logging, double seconds) {
        try (EngineRun run = open(context, load, logging)) {
            String what = load + " " + logging.key();
            return bytes(context, what, run, load.workload(WAREHOUSES), seconds);
        }
    }

    private static double bytes(Context context, String what, EngineRun run, Workload variant, double seconds) {
        LogStats log = run.engine().logStats().orElseThrow();
        long bytes = log.recordBytes();
        long written = log.writtenBytes();
        long records = log.records();
        run.measure(variant, 0, seconds);
        records = log.records() - records;
        double perRecord = (double) (log.recordBytes() - bytes) / records;
        context.progress(String.format(
                Locale.ROOT,
                "%s: %,d records, %.1f bytes each; with frames and padding, perhaps compressed, %.1f",
                what,
                records,
                perRecord,
                (double) (log.writtenBytes() - written) / records));
        return perRecord;
    }
}
