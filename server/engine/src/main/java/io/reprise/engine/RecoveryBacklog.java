package io.reprise.engine;

import io.reprise.execution.durable.adaptive.CostModel;
import io.reprise.recovery.demand.LoadSample;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.run.LogRun;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.SnapshotReport;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that a recovery would have if the node stopped now: rows of the newest snapshot, runs of the sorted log, and the log behind them. It
 * compares each recovery with its forecast, and learns from it: at the opening, and from the loading of buckets on demand when that is over. Snapshots
 * tell of themselves; any thread asks for a forecast.
 */
final class RecoveryBacklog {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final double NS = 1e9;

    private final FileStore files;
    private final Surroundings around;
    private final OpeningWork opening;
    private LongSupplier commands = () -> 0;
    private LongSupplier dataRecords = () -> 0;
    private final AtomicReference<RecoveryCosts> costs;
    private final AtomicReference<RecoveryBase> base;
    private final AtomicReference<RecoveryBase> begun = new AtomicReference<>();
    private final AtomicReference<Last> last = new AtomicReference<>(new Last(0, 0, 0, 0));
    private final AtomicLong changes = new AtomicLong();
    private final AtomicReference<Sum> sum = new AtomicReference<>();

    /**
     * The engine's side.
     *
     * @param onDemand whether a recovery loads buckets while it serves, where it can
     * @param images whether runs have the rows that commands have written
     * @param position the position of the log's end
     * @param runs those of the sorted log, in log order
     */
    record Surroundings(
            boolean onDemand, boolean images, int buckets, LongSupplier position, Supplier<List<LogRun>> runs) {}

    /** Times of the last recovery, as in a forecast. */
    private record Last(long expectedNs, long tookNs, long firstExpectedNs, long firstNs) {}

    /** The last sum of runs, which holds as long as these are the same. */
    private record Sum(List<LogRun> chain, long position, boolean dataOnly, RunsBehind of) {}

    /** The backlog at a moment. The log behind the runs is in no run yet. */
    private record Behind(
            RecoveryBase base, boolean onDemand, RunsBehind runs, double commands, double data, double bytes) {
        RecoveryWork whole() {
            return new RecoveryWork(base.rows(), allCommands(), allData(), bytes, runs.count());
        }

        RecoveryWork first() {
            return new RecoveryWork(base.replicated(), commands, data + runs.shared(), bytes, runs.count());
        }

        RecoveryWork all() {
            return new RecoveryWork(base.rows() - base.replicated(), allCommands(), allData(), 0, runs.count());
        }

        private double allCommands() {
            return runs.commands() + commands;
        }

        private double allData() {
            return runs.data() + data;
        }

        /** Commands of several buckets tie buckets together, so that one needs most of the others. */
        boolean isTied() {
            return runs.shared() > 0 && allCommands() > 0;
        }

        RecoveryWork bucket(int bucket, int buckets) {
            double share = runs.share(bucket);
            return new RecoveryWork(
                    base.rows(bucket, buckets), share * allCommands(), share * allData(), 0, runs.count());
        }
    }

    /** The backlog of an engine that has just recovered. Learns from the recovery. */
    RecoveryBacklog(FileStore files, Recovered recovered, Surroundings around) {
        this.files = files;
        this.around = around;
        opening = recovered.opening();
        costs = new AtomicReference<>(RecoveryCosts.read(files));
        base = new AtomicReference<>(new RecoveryBase(
                        recovered.report().snapshot().orElse(0L),
                        recovered.snapshotPosition(),
                        recovered.report().rows(),
                        0,
                        new long[0],
                        -opening.commands(),
                        -opening.dataRecords(),
                        recovered.load().isPresent() ? 0 : -1)
                .withRowsOf(files));
        if (opening.tookNs() > 0) {
            learnOpening();
        }
    }

    private void learnOpening() {
        RecoveryModel.Part part = opening.onDemand() ? RecoveryModel.Part.FIRST : RecoveryModel.Part.WHOLE;
        long expectedNs = costs.get().expectedNs(part, opening.work());
        boolean whole = !opening.onDemand();
        last.set(new Last(whole ? expectedNs : 0, whole ? opening.tookNs() : 0, expectedNs, opening.tookNs()));
        LOG.info(
                "The {} took {} s; expected were {} s.",
                whole ? "recovery" : "opening on demand",
                seconds(opening.tookNs()),
                seconds(expectedNs));
        learn(part, List.of(new RecoveryModel.Sample(opening.work(), opening.tookNs())));
    }

    private void learn(RecoveryModel.Part part, List<RecoveryModel.Sample> samples) {
        costs.set(costs.get().learn(part, samples));
        costs.get().write(files);
    }

    private static String seconds(long ns) {
        return String.format(Locale.ROOT, "%.2f", ns / NS);
    }

    /** All buckets have been loaded on demand. Learns from that. The loading thread. */
    void loaded(LoadStats stats) {
        if (stats.failed() > 0 || stats.buckets() == 0) {
            return;
        }
        RecoveryWork work = new RecoveryWork(
                stats.rows(),
                stats.commands(),
                stats.records() - stats.commands(),
                0,
                opening.runs().size());
        long expectedNs = costs.get().expectedNs(RecoveryModel.Part.ALL, work);
        Last before = last.get();
        long tookNs = before.firstNs() + stats.tookNs();
        last.set(new Last(before.firstExpectedNs() + expectedNs, tookNs, before.firstExpectedNs(), before.firstNs()));
        LOG.info(
                "All rows were there {} s after the opening had begun; expected were {} s.",
                seconds(tookNs),
                seconds(before.firstExpectedNs() + expectedNs));
        List<RecoveryModel.Sample> buckets =
                stats.samples().stream().map(RecoveryBacklog::sample).toList();
        costs.set(costs.get().learn(RecoveryModel.Part.BUCKET, buckets));
        learn(RecoveryModel.Part.ALL, List.of(new RecoveryModel.Sample(work, stats.tookNs())));
    }

    private static RecoveryModel.Sample sample(LoadSample of) {
        return new RecoveryModel.Sample(
                new RecoveryWork(of.rows(), of.commands(), of.dataRecords(), 0, of.runs()), of.tookNs());
    }

    /** The costs of records for adaptive logging: measured ones, if there are any. */
    CostModel costs() {
        RecoveryModel model = costs.get().of(RecoveryModel.Part.WHOLE);
        return model.measured() == 0
                ? CostModel.DEFAULTS
                : new CostModel(CostModel.DEFAULTS.commandShare(), model.recordNs(), model.byteNs());
    }

    /** Before any transaction runs: the numbers of records that are logged from now on. */
    void count(LongSupplier newCommands, LongSupplier newDataRecords) {
        commands = newCommands;
        dataRecords = newDataRecords;
    }

    /** While all partitions are held: the schema has changed. Everything is loaded first, until a snapshot has the change. */
    void schemaChanged() {
        changes.incrementAndGet();
    }

    /** While all partitions are held: the moment of a snapshot. */
    void snapshotBegins(long transactionId) {
        begun.set(new RecoveryBase(
                transactionId, 0, 0, 0, new long[0], commands.getAsLong(), dataRecords.getAsLong(), changes.get()));
    }

    /** A snapshot has ended. */
    void snapshotEnded(SnapshotReport report) {
        if (!report.succeeded()) {
            return;
        }
        RecoveryBase at = begun.get();
        RecoveryBase counted = at != null && at.snapshot() == report.transactionId() ? at : merged(report);
        base.set(new RecoveryBase(
                        report.transactionId(),
                        report.logPosition(),
                        report.rows(),
                        0,
                        new long[0],
                        counted.commands(),
                        counted.dataRecords(),
                        counted.changes())
                .withRowsOf(files));
    }

    /** A merged snapshot had no moment at which records were counted, so those behind it are estimated from the log's bytes. */
    private RecoveryBase merged(SnapshotReport report) {
        RecoveryBase before = base.get();
        long end = around.position().getAsLong();
        double behind = Math.max(0, end - report.logPosition());
        double share = Math.min(1, behind / Math.max(1, end - before.position()));
        long commandsNow = commands.getAsLong();
        long dataNow = dataRecords.getAsLong();
        return new RecoveryBase(
                report.transactionId(),
                report.logPosition(),
                report.rows(),
                0,
                new long[0],
                commandsNow - (long) (share * (commandsNow - before.commands())),
                dataNow - (long) (share * (dataNow - before.dataRecords())),
                before.changes());
    }

    /** The log position of the newest snapshot; 0: there is none. Any thread. */
    long snapshotPosition() {
        return base.get().position();
    }

    private Behind behind() {
        RecoveryBase from = base.get();
        boolean onDemand = around.onDemand() && from.position() > 0 && from.changes() == changes.get();
        RunsBehind runs = runs(from.position(), !onDemand);
        return new Behind(
                from,
                onDemand,
                runs,
                Math.max(0, commands.getAsLong() - from.commands() - runs.loggedCommands()),
                Math.max(0, dataRecords.getAsLong() - from.dataRecords() - runs.loggedData()),
                Math.max(0, around.position().getAsLong() - runs.end()));
    }

    /** Without recovery on demand and without images no run is used. */
    private RunsBehind runs(long position, boolean dataOnly) {
        List<LogRun> chain =
                dataOnly && !around.images() ? List.of() : around.runs().get();
        Sum known = sum.get();
        if (known == null || known.chain() != chain || known.position() != position || known.dataOnly() != dataOnly) {
            known = new Sum(chain, position, dataOnly, RunsBehind.of(chain, position, dataOnly, around.buckets()));
            sum.set(known);
        }
        return known.of();
    }

    private RecoveryOutlook outlook(Behind behind, boolean ofBucket) {
        RecoveryCosts now = costs.get();
        if (!behind.onDemand()) {
            long wholeNs = now.expectedNs(RecoveryModel.Part.WHOLE, behind.whole());
            return new RecoveryOutlook(wholeNs, wholeNs, 0);
        }
        long firstNs = now.expectedNs(RecoveryModel.Part.FIRST, behind.first());
        return new RecoveryOutlook(
                firstNs + now.expectedNs(RecoveryModel.Part.ALL, behind.all()),
                firstNs,
                ofBucket ? bucketNs(now, behind) : 0);
    }

    private long bucketNs(RecoveryCosts now, Behind behind) {
        if (behind.isTied()) {
            return now.expectedNs(RecoveryModel.Part.BUCKET, behind.all());
        }
        long most = 0;
        for (int bucket = 0; bucket < around.buckets(); bucket++) {
            most = Math.max(most, now.expectedNs(RecoveryModel.Part.BUCKET, behind.bucket(bucket, around.buckets())));
        }
        return most;
    }

    /**
     * The expected times for now, and after a snapshot or a run. Any thread.
     *
     * @param sorts whether the log is sorted
     * @param ofBucket whether the time of the heaviest bucket is among them; otherwise it is 0
     */
    RecoveryOutlooks outlooks(boolean sorts, boolean ofBucket) {
        Behind behind = behind();
        RecoveryOutlook now = outlook(behind, ofBucket);
        boolean usesRuns = sorts && (behind.onDemand() || around.images());
        return new RecoveryOutlooks(
                now,
                outlook(afterSnapshot(behind), ofBucket),
                usesRuns ? outlook(afterSorting(behind), ofBucket) : now);
    }

    private Behind afterSnapshot(Behind now) {
        RunsBehind none = RunsBehind.of(List.of(), 0, false, around.buckets());
        return new Behind(now.base(), around.onDemand(), none, 0, 0, 0);
    }

    private Behind afterSorting(Behind now) {
        double images = around.images() ? now.commands() : 0;
        RunsBehind more = now.runs().withOne(now.commands() - images, now.data() + images);
        return new Behind(now.base(), now.onDemand(), more, 0, 0, 0);
    }

    /** The forecast for now. Any thread. */
    RecoveryForecast forecast() {
        Behind behind = behind();
        RecoveryOutlook outlook = outlook(behind, true);
        RecoveryWork whole = behind.whole();
        Last recovery = last.get();
        RecoveryModel.Part part = behind.onDemand() ? RecoveryModel.Part.ALL : RecoveryModel.Part.WHOLE;
        return new RecoveryForecast(
                behind.onDemand(),
                outlook.allNs(),
                outlook.firstNs(),
                outlook.bucketNs(),
                (long) whole.rows(),
                Math.round(whole.commands()),
                Math.round(whole.dataRecords()),
                (long) whole.logBytes(),
                behind.runs().count(),
                costs.get().of(part).measured(),
                recovery.expectedNs(),
                recovery.tookNs(),
                recovery.firstExpectedNs(),
                recovery.firstNs());
    }
}
