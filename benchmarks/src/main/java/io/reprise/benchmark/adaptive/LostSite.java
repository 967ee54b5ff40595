package io.reprise.benchmark.adaptive;

import com.sun.management.OperatingSystemMXBean;
import io.reprise.benchmark.Context;
import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.Durability;
import io.reprise.engine.RecoveryReport;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.execution.durable.adaptive.AdaptiveSettings;
import io.reprise.recovery.rebuild.RebuildReport;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.workload.Workload;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;

/**
 * A database of several partitions that stand for the sites of a cluster. After a snapshot and some thousands of transactions one partition is
 * lost: it is rebuilt from its closure, and the whole database is recovered from the same log for comparison.
 */
final class LostSite implements AutoCloseable {
    /** The share of distributed transactions in the paper's recovery experiments. */
    static final double DISTRIBUTED = 25;

    private static final int LOST = 0;
    private static final long MEMORY = 1L << 30;
    private static final double NS = 1e9;

    private final Source source;
    private final int size;
    private final EngineRun.Setup setup;
    private EngineRun run;
    private long transactions;
    private double ranSeconds;
    private double cpuSeconds;

    /** The workload of a database. */
    enum Source {
        SMALLBANK,
        TPCC;

        /**
         * The workload.
         *
         * @param size customers, or warehouses, of each site
         * @param distributedPercent of transactions with two customers, or of new orders
         */
        Workload workload(int sites, int size, double distributedPercent) {
            return switch (this) {
                case SMALLBANK ->
                    new Smallbank(SmallbankOptions.uniform(sites * size).withDistributed(distributedPercent));
                case TPCC ->
                    new Tpcc(TpccOptions.standard(sites * size)
                            .withSizes(10_000, 300)
                            .withRemote(0, 0)
                            .withDistributedOrders(distributedPercent));
            };
        }

        /** The size of a site in a full run, and in a quick one. */
        int size(Context context) {
            return this == TPCC ? 1 : context.quickOr(10_000, 100_000);
        }

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** The forms of records in the log. */
    enum Form {
        /** No log. */
        NONE,
        /** Commands. */
        COMMAND,
        /** Commands with footprints. */
        DIS_COMMAND,
        /** Commands and data records by cost, with footprints. */
        ADAPTIVE,
        /** Data records of all distributed transactions, commands of the others, with footprints. */
        DISTRIBUTED_DATA,
        /** Commands; those over several sites with the answers from elsewhere and the changes there; with footprints. */
        BOUNDARY,
        /** Data records. */
        DATA;

        String key() {
            return name().toLowerCase(Locale.ROOT);
        }

        Durability durability() {
            return switch (this) {
                case NONE -> throw new IllegalArgumentException("no log");
                case COMMAND -> usual().with(LoggingMethod.COMMAND);
                case DIS_COMMAND -> usual().with(LoggingMethod.COMMAND).withFootprints(true);
                case ADAPTIVE -> usual().with(LoggingMethod.ADAPTIVE).withFootprints(true);
                case DISTRIBUTED_DATA -> mixed(1);
                case BOUNDARY -> usual().with(LoggingMethod.BOUNDARY).withFootprints(true);
                case DATA -> usual().with(LoggingMethod.PHYSIOLOGICAL);
            };
        }
    }

    private static Durability usual() {
        return Durability.standard()
                .withStateHash(false)
                .with(SnapshotSettings.usual().onDemand());
    }

    /** Commands, and a share of the distributed transactions as data. */
    static Durability mixed(double share) {
        return usual().with(LoggingMethod.ADAPTIVE)
                .with(AdaptiveSettings.randomDistributed(share))
                .withFootprints(true);
    }

    /** A loaded database with so many sites in a folder. */
    LostSite(Source source, int sites, int size, Durability durability, Path folder) {
        this(
                source,
                size,
                EngineRun.Setup.inMemory(source.workload(sites, size, DISTRIBUTED), sites, MEMORY)
                        .in(folder, durability));
    }

    private LostSite(Source source, int size, EngineRun.Setup setup) {
        this.source = source;
        this.size = size;
        this.setup = setup;
        run = EngineRun.load(setup);
    }

    /** The same with a form of records; without a log there is no folder. */
    static LostSite of(Source source, int sites, int size, Form form, Path folder) {
        if (form == Form.NONE) {
            return new LostSite(
                    source, size, EngineRun.Setup.inMemory(source.workload(sites, size, DISTRIBUTED), sites, MEMORY));
        }
        return new LostSite(source, sites, size, form.durability(), folder);
    }

    EngineRun run() {
        return run;
    }

    /** The workload with another share of distributed transactions. */
    Workload variant(double distributedPercent) {
        return source.workload(setup.partitions(), size, distributedPercent);
    }

    /** Makes a snapshot and runs so many transactions for each site. */
    void work(int each, double distributedPercent) {
        snapshot();
        long before = run.completed();
        long beganNs = System.nanoTime();
        run.start(variant(distributedPercent), 0);
        while (run.completed() - before < (long) each * setup.partitions()) {
            EngineRun.sleep(0.001);
        }
        end(before, beganNs);
    }

    /** Makes a snapshot and runs transactions for so long. */
    void workFor(double seconds, double distributedPercent) {
        snapshot();
        long before = run.completed();
        long beganNs = System.nanoTime();
        run.start(variant(distributedPercent), 0);
        EngineRun.sleep(seconds);
        end(before, beganNs);
    }

    private void snapshot() {
        if (!run.engine().snapshot().succeeded()) {
            throw new IllegalStateException("the snapshot failed");
        }
    }

    private void end(long before, long beganNs) {
        run.stop();
        transactions = run.completed() - before;
        ranSeconds = (System.nanoTime() - beganNs) / NS;
    }

    /** All transactions behind the snapshot, read-only ones included. */
    long transactions() {
        return transactions;
    }

    /** Their rate. */
    double perSecond() {
        return transactions / ranSeconds;
    }

    /** Rebuilds the lost partition, while no client calls. */
    RebuildReport rebuild() {
        long[] hashes = run.engine().contentHashes();
        long cpuNs = processCpuNs();
        RebuildReport report = run.engine().rebuild(LOST);
        cpuSeconds = (processCpuNs() - cpuNs) / NS;
        if (!Arrays.equals(hashes, run.engine().contentHashes())) {
            throw new IllegalStateException("the rebuilt partition is not the one that was lost");
        }
        return report;
    }

    /** Ends the engine and recovers the whole database. */
    RecoveryReport recoverAll() {
        long[] hashes = run.engine().contentHashes();
        run.close();
        long cpuNs = processCpuNs();
        run = EngineRun.reopen(setup);
        cpuSeconds = (processCpuNs() - cpuNs) / NS;
        if (!Arrays.equals(hashes, run.engine().contentHashes())) {
            throw new IllegalStateException("what was recovered is not what was there");
        }
        return run.engine().recovery();
    }

    /** The processor time of the last recovery on all cores. */
    double cpuSeconds() {
        return cpuSeconds;
    }

    /** The processor time of this process on all cores. */
    static long processCpuNs() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    /** Transactions that ran or were stored again. */
    static long again(RebuildReport report) {
        return report.commands() + report.dataRecords();
    }

    static double seconds(RebuildReport report) {
        return report.allNs() / NS;
    }

    static double seconds(RecoveryReport report) {
        return (report.loadNs() + report.replayNs()) / NS;
    }

    @Override
    public void close() {
        run.close();
    }
}
