package io.reprise.engine;

import io.reprise.execution.durable.adaptive.CostModel;
import io.reprise.runtime.file.FileStore;
import io.reprise.snapshot.SnapshotReport;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The work that a recovery would have if the node stopped now: rows of the newest snapshot, and the log behind it. At the opening it compares the
 * recovery with its forecast, and learns from it. Snapshots tell of themselves; any thread asks for a forecast.
 */
final class RecoveryBacklog {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final double NS = 1e9;

    private final RecoveryModel model;
    private final LongSupplier position;
    private LongSupplier commands = () -> 0;
    private LongSupplier dataRecords = () -> 0;
    private final AtomicReference<Base> base;
    private final AtomicReference<Base> begun = new AtomicReference<>();
    private long lastExpectedNs;
    private long lastTookNs;

    /** Counts at the moment of a snapshot, of transactions since the start. */
    private record Base(long snapshot, long rows, long commands, long dataRecords, long position) {}

    /**
     * The backlog of an engine that has just recovered. Learns from the recovery.
     *
     * @param snapshotPosition the log position of the newest snapshot; 0: there is none
     * @param position the position of the log's end
     */
    RecoveryBacklog(
            FileStore files, RecoveryReport report, boolean onDemand, long snapshotPosition, LongSupplier position) {
        this.position = position;
        model = RecoveryCosts.read(files);
        long dataRecords = report.transactions() - report.commands();
        base = new AtomicReference<>(new Base(0, report.rows(), -report.commands(), -dataRecords, snapshotPosition));
        if (!onDemand && report.loadNs() + report.replayNs() > 0) {
            learn(report, files);
        }
    }

    private void learn(RecoveryReport report, FileStore files) {
        RecoveryModel.Work work = new RecoveryModel.Work(
                report.rows(), report.commands(), report.transactions() - report.commands(), report.logBytes());
        lastExpectedNs = model.expectedNs(work);
        lastTookNs = report.loadNs() + report.replayNs();
        LOG.info(
                "The recovery took {} s; expected were {} s.",
                String.format(Locale.ROOT, "%.2f", lastTookNs / NS),
                String.format(Locale.ROOT, "%.2f", lastExpectedNs / NS));
        model.learn(work, lastTookNs);
        RecoveryCosts.write(files, model);
    }

    /** The costs of records for adaptive logging: measured ones, if there are any. */
    CostModel costs() {
        return model.measured() == 0
                ? CostModel.DEFAULTS
                : new CostModel(CostModel.DEFAULTS.commandShare(), model.recordNs(), model.byteNs());
    }

    /** Before any transaction runs: the numbers of records that are logged from now on. */
    void count(LongSupplier newCommands, LongSupplier newDataRecords) {
        commands = newCommands;
        dataRecords = newDataRecords;
    }

    /** While all partitions are held: the moment of a snapshot. */
    void snapshotBegins(long transactionId) {
        begun.set(new Base(transactionId, 0, commands.getAsLong(), dataRecords.getAsLong(), 0));
    }

    /** A snapshot has ended. */
    void snapshotEnded(SnapshotReport report) {
        if (!report.succeeded()) {
            return;
        }
        Base at = begun.get();
        if (at != null && at.snapshot() == report.transactionId()) {
            base.set(new Base(at.snapshot(), report.rows(), at.commands(), at.dataRecords(), report.logPosition()));
        } else {
            base.set(merged(report));
        }
    }

    /** A merged snapshot had no moment at which records were counted, so those behind it are estimated from the log's bytes. */
    private Base merged(SnapshotReport report) {
        Base before = base.get();
        long end = position.getAsLong();
        double behind = Math.max(0, end - report.logPosition());
        double share = Math.min(1, behind / Math.max(1, end - before.position()));
        long commandsNow = commands.getAsLong();
        long dataNow = dataRecords.getAsLong();
        return new Base(
                report.transactionId(),
                report.rows(),
                commandsNow - (long) (share * (commandsNow - before.commands())),
                dataNow - (long) (share * (dataNow - before.dataRecords())),
                report.logPosition());
    }

    /** The log position of the newest snapshot; 0: there is none. Any thread. */
    long snapshotPosition() {
        return base.get().position();
    }

    /** The part of the forecast that a snapshot of this moment would leave. Any thread. */
    long loadNs() {
        return model.expectedNs(new RecoveryModel.Work(base.get().rows(), 0, 0, 0));
    }

    /** The forecast for now. Any thread. */
    RecoveryForecast forecast() {
        Base from = base.get();
        RecoveryModel.Work work = new RecoveryModel.Work(
                from.rows(),
                Math.max(0, commands.getAsLong() - from.commands()),
                Math.max(0, dataRecords.getAsLong() - from.dataRecords()),
                Math.max(0, position.getAsLong() - from.position()));
        return new RecoveryForecast(
                model.expectedNs(work),
                work.rows(),
                work.commands(),
                work.dataRecords(),
                work.logBytes(),
                model.measured(),
                lastExpectedNs,
                lastTookNs);
    }
}
