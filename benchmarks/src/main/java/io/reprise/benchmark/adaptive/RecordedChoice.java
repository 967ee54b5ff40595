package io.reprise.benchmark.adaptive;

import io.reprise.benchmark.engine.EngineDatabase;
import io.reprise.engine.Durability;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.execution.BucketMap;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.execution.durable.adaptive.Quota;
import io.reprise.id.Buckets;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.recovery.closure.OfflineChooser;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.workload.ArgumentList;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * The same calls twice, one at a time, with a clock that moves by a fixed amount: first as commands with footprints, then with the choice by
 * cost. The first log is what an offline chooser knows; the second one shows the choice made online.
 */
final class RecordedChoice {
    private static final OfflineChooser.Costs COSTS = OfflineChooser.Costs.USUAL;
    private static final long MEMORY = 256L << 20;
    private static final double NS = 1e9;

    /** The time between two calls. */
    private static final long CALL_NS = 2_000_000;

    private final int sites;
    private final Path folder;
    private final List<Object[]> calls = new ArrayList<>();
    private final Workload workload;
    private List<LoggedTransaction> history;
    private BitSet distributed;
    private Buckets buckets;
    private double seconds;

    /** The log behind a snapshot, in log order. */
    private record Log(List<LoggedTransaction> transactions, Buckets buckets, double seconds) {}

    /** A clock that moves with each look at it. */
    private static final class SteppedClock implements Clock {
        private static final long STEP_NS = 200;

        /** Any time will do; it is the same in each run. */
        private static final long EPOCH_MICROS = 1_800_000_000_000_000L;

        private long nowNs;

        @Override
        public long nanoTime() {
            nowNs += STEP_NS;
            return nowNs;
        }

        @Override
        public long epochMicros() {
            return EPOCH_MICROS + nowNs / 1000;
        }

        void advance(long ns) {
            nowNs += ns;
        }
    }

    /**
     * The choices of transactions within a budget.
     *
     * @param share of the distributed transactions that were chosen online
     * @param agreement share of the online choice that is in the offline one
     * @param randomAgreement the same of a choice by chance
     * @param regret recovery time with the online choice, as a ratio to that with the offline one
     * @param randomRegret the same of a choice by chance
     * @param saved recovery time that the offline choice saves, as a share of that without data records
     */
    record Comparison(
            double share, double agreement, double randomAgreement, double regret, double randomRegret, double saved) {}

    /**
     * Records the calls as commands.
     *
     * @param variants the workloads that make the calls, one after the other; all of one database
     * @param each calls of each
     */
    RecordedChoice(int sites, List<Workload> variants, int each, Path folder) {
        this.sites = sites;
        this.folder = folder;
        workload = variants.getFirst();
        Log log = run("commands", usual().with(LoggingMethod.COMMAND), engine -> generate(engine, variants, each));
        history = log.transactions();
        buckets = log.buckets();
        seconds = log.seconds();
        distributed = distributed();
    }

    private static Durability usual() {
        return Durability.standard()
                .withFootprints(true)
                .withStateHash(false)
                .with(SnapshotSettings.usual().onDemand());
    }

    private void generate(Reprise engine, List<Workload> variants, int each) {
        SeededRandomness random = new SeededRandomness(1);
        ArgumentList call = new ArgumentList();
        long seed = 1;
        for (Workload variant : variants) {
            List<Generator> generators = new ArrayList<>();
            for (int site = 0; site < sites; site++) {
                generators.add(variant.generator(seed++, new EngineDatabase(engine).placement(), site));
            }
            for (int i = 0; i < each; i++) {
                generators.get(random.nextInt(sites)).next(call);
                List<Object> parts = new ArrayList<>();
                parts.add(variant.procedures().get(call.procedure()));
                parts.addAll(Arrays.asList(call.toArray()));
                calls.add(parts.toArray());
            }
        }
    }

    private Log run(String name, Durability durability, Consumer<Reprise> prepare) {
        SteppedClock clock = new SteppedClock();
        Path directory = folder.resolve(name);
        long position;
        long beganNs;
        try (Reprise engine = Options.create()
                .name("choice")
                .partitions(sites)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(MEMORY)
                .ddl(workload.ddl())
                .durability(durability)
                .directory(directory)
                .open()) {
            workload.load(new EngineDatabase(engine));
            SnapshotReport snapshot = engine.snapshot();
            if (!snapshot.succeeded()) {
                throw new IllegalStateException("the snapshot failed: " + snapshot.problem());
            }
            position = snapshot.logPosition();
            prepare.accept(engine);
            beganNs = clock.nowNs;
            for (Object[] call : calls) {
                // Advised tables are renewed ten times a second: after some tens of calls.
                clock.advance(CALL_NS);
                call(engine, call);
            }
            beganNs = clock.nowNs - beganNs;
        }
        FileStore files = SystemFileStore.openExisting(directory);
        try {
            LogTail tail = LogTail.find(files, LogSettings.DEFAULTS, 0);
            List<LoggedTransaction> transactions = new ArrayList<>();
            new LogHistory(tail::read, position, LogHistory.BLOCK_BYTES).backward(new LogHistory.Visitor() {
                @Override
                public void transaction(LoggedTransaction transaction) {
                    transactions.add(transaction.copy());
                }

                @Override
                public void catalogChange() {
                    throw new IllegalStateException("the schema changed");
                }
            });
            return new Log(transactions.reversed(), tail.database().buckets(), beganNs / NS);
        } finally {
            files.close();
        }
    }

    private static void call(Reprise engine, Object... call) {
        try {
            engine.call((String) call[0], Arrays.copyOfRange(call, 1, call.length));
        } catch (ProcedureException rolledBack) {
            // As a hundredth of the new orders are.
            if (rolledBack.getMessage() == null) {
                throw rolledBack;
            }
        }
    }

    private BitSet distributed() {
        BucketMap map = BucketMap.dealt(buckets, sites);
        BitSet several = new BitSet();
        for (int number = 0; number < history.size(); number++) {
            LoggedTransaction transaction = history.get(number);
            BitSet partitions = new BitSet();
            for (int i = 0; i < transaction.size(); i++) {
                partitions.set(map.partition(LoggedTransaction.bucketOf(transaction.row(i))));
            }
            several.set(number, partitions.cardinality() > 1);
        }
        return several;
    }

    /** Runs the calls again with a budget for a share of the distributed transactions, and compares the choices. */
    Comparison compare(double share) {
        return compare(choose(share), 0, history.size());
    }

    /** The same for each of several parts of the log, one behind the other. */
    List<Comparison> compareParts(double share, int parts) {
        List<LoggedTransaction> chosen = choose(share);
        List<Comparison> comparisons = new ArrayList<>();
        for (int part = 0; part < parts; part++) {
            comparisons.add(compare(chosen, part * history.size() / parts, (part + 1) * history.size() / parts));
        }
        return comparisons;
    }

    private List<LoggedTransaction> choose(double share) {
        double all = 0;
        for (int number = distributed.nextSetBit(0); number >= 0; number = distributed.nextSetBit(number + 1)) {
            all += COSTS.bytes(history.get(number));
        }
        AdaptiveSettings settings =
                new AdaptiveSettings(Quota.even(share * all / seconds), AdaptiveSettings.Choice.COST_DISTRIBUTED, 0);
        Log log = run(
                "adaptive-" + (int) (100 * share),
                usual().with(LoggingMethod.ADAPTIVE).with(settings),
                engine -> {});
        return log.transactions();
    }

    private Comparison compare(List<LoggedTransaction> chosen, int from, int to) {
        if (chosen.size() != history.size()) {
            throw new IllegalStateException("the log has " + chosen.size() + " transactions instead of "
                    + history.size() + ", so that they can't be compared");
        }
        BitSet online = new BitSet();
        for (int number = from; number < to; number++) {
            online.set(number - from, chosen.get(number).isData());
        }
        BitSet candidates = distributed.get(from, to);
        online.and(candidates);
        List<LoggedTransaction> part = history.subList(from, to);
        BucketMap map = BucketMap.dealt(buckets, sites);
        int[][] lost = new int[sites][];
        for (int site = 0; site < sites; site++) {
            lost[site] = map.buckets(site);
        }
        double budget = 0;
        for (int number = online.nextSetBit(0); number >= 0; number = online.nextSetBit(number + 1)) {
            budget += COSTS.bytes(part.get(number));
        }
        OfflineChooser chooser = new OfflineChooser(part, lost, candidates, COSTS, budget);
        OfflineChooser.Plan none = chooser.none();
        OfflineChooser.Plan offline = chooser.greedy();
        OfflineChooser.Plan byChance = chooser.random(new SeededRandomness(1));
        OfflineChooser.Plan chosenOnline = chooser.plan(online);
        return new Comparison(
                share(online.cardinality(), candidates.cardinality()),
                agreement(online, offline.data()),
                agreement(byChance.data(), offline.data()),
                chosenOnline.recoveryNs() / offline.recoveryNs(),
                byChance.recoveryNs() / offline.recoveryNs(),
                1 - offline.recoveryNs() / none.recoveryNs());
    }

    private static double agreement(BitSet chosen, BitSet offline) {
        BitSet both = (BitSet) chosen.clone();
        both.and(offline);
        return share(both.cardinality(), chosen.cardinality());
    }

    private static double share(int part, int whole) {
        return whole == 0 ? 0 : (double) part / whole;
    }
}
