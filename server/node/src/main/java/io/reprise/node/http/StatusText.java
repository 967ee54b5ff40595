package io.reprise.node.http;

import io.reprise.archive.ArchiveStats;
import io.reprise.catalog.Table;
import io.reprise.engine.AutomaticRebuild;
import io.reprise.engine.AutomaticRepair;
import io.reprise.engine.DurabilityStats;
import io.reprise.engine.EngineMetrics;
import io.reprise.engine.ObjectiveState;
import io.reprise.engine.RecoveryForecast;
import io.reprise.engine.Reprise;
import io.reprise.execution.work.RefusedWork;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.runtime.metric.Distribution;
import io.reprise.snapshot.SnapshotStats;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The status of a node, for people: {@code reprise status} prints it. */
final class StatusText {
    private static final double MS_NS = 1e6;
    private static final double SECOND_NS = 1e9;
    private static final long MIB = 1 << 20;

    private final StringBuilder out = new StringBuilder();

    private final Optional<Recent.Window> lately;

    private StatusText(Optional<Recent.Window> lately) {
        this.lately = lately;
    }

    static String of(NodeState state, Recent recent) {
        StatusText text = new StatusText(recent.window());
        text.node(state);
        state.now().engine().ifPresent(text::engine);
        return text.out.toString();
    }

    private void node(NodeState state) {
        Duration up = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        line(
                "Node %s, Reprise %s, process %d, up %d:%02d:%02d, %s",
                state.name(),
                state.version(),
                ProcessHandle.current().pid(),
                up.toHours(),
                up.toMinutesPart(),
                up.toSecondsPart(),
                state.notReady().map(why -> "not ready: " + why).orElse("ready"));
        state.warnings().forEach(warning -> line("Warning: %s", warning));
        state.cluster().ifPresent(this::cluster);
    }

    private void cluster(ClusterView view) {
        line(
                "Node %d of cluster %s, %d of %d nodes running, ZooKeeper %s, map version %d, partitions led: %d of %d",
                view.node(),
                view.name(),
                view.running(),
                view.nodeCount(),
                view.session(),
                view.mapVersion(),
                view.partitions().stream().filter(ClusterView.Partition::led).count(),
                view.partitions().size());
    }

    private void engine(Reprise engine) {
        EngineMetrics metrics = engine.metrics();
        if (!metrics.procedures().isEmpty()) {
            line("");
            line(
                    "%-28s %10s %12s %10s %10s %10s %10s",
                    "PROCEDURE", "A SECOND", "COMMITTED", "FAILED", "P50 ms", "P99 ms", "MAX ms");
        }
        for (EngineMetrics.ProcedureMetrics procedure : metrics.procedures()) {
            Distribution latency = procedure.latency();
            line(
                    "%-28s %10.0f %12d %10d %10.3f %10.3f %10.3f",
                    procedure.name(),
                    lately.map(window -> window.calls(procedure.name()))
                            .map(calls -> calls.committed() + calls.failed())
                            .orElse(0.0),
                    procedure.committed(),
                    procedure.failed().values().stream().mapToLong(n -> n).sum(),
                    latency.at(0.5) / MS_NS,
                    latency.at(0.99) / MS_NS,
                    latency.longestNs() / MS_NS);
        }
        engine.procedures().forEach((name, work) -> {
            if (work instanceof RefusedWork refused) {
                line("procedure %s can't be run: %s", name, refused.reason());
            }
        });
        metrics.refused()
                .forEach((code, count) -> line("refused, %s: %d", code.name().toLowerCase(Locale.ROOT), count));
        line("");
        line("%-10s %10s %10s %10s %14s %14s", "PARTITION", "BUSY %", "QUEUED", "WAITING", "MEMORY MiB", "LIMIT MiB");
        for (int i = 0; i < metrics.partitions().size(); i++) {
            int partition = i;
            EngineMetrics.PartitionMetrics p = metrics.partitions().get(i);
            line(
                    "%-10d %10.0f %10d %10d %14d %14d",
                    i,
                    100 * lately.map(window -> window.busy(partition)).orElse(0.0),
                    p.queued(),
                    p.waitingReplies(),
                    p.memoryUsed() / MIB,
                    p.memoryLimit() / MIB);
        }
        tables(engine, metrics);
        metrics.durability().ifPresent(this::durability);
        adaptive(engine, metrics);
        engine.recoveryForecast().ifPresent(this::forecast);
        engine.objective().ifPresent(this::objective);
        engine.load().ifPresent(this::onDemand);
        engine.automaticRepairs().ifPresent(this::repairs);
        engine.rebuildStats().ifPresent(this::rebuild);
        engine.automaticRebuilds().ifPresent(this::doubts);
    }

    private void repairs(AutomaticRepair.Counts repairs) {
        if (repairs.succeeded() + repairs.failed() > 0) {
            line(
                    "Repairs of damaged buckets: %d succeeded, %d failed, %d buckets are left to an operator",
                    repairs.succeeded(), repairs.failed(), repairs.givenUp());
        }
    }

    private void onDemand(LoadStats load) {
        line(
                "Recovery on demand: %d of %d buckets serve, %d failed; %d of %d rows and %d of %d log records loaded%s",
                load.ready(),
                load.buckets(),
                load.failed(),
                load.rows(),
                load.allRows(),
                load.records(),
                load.allRecords(),
                load.tookNs() == 0 ? "" : String.format(Locale.ROOT, ", in %.1f s", load.tookNs() / SECOND_NS));
    }

    private void forecast(RecoveryForecast forecast) {
        line(
                "A recovery now would take about %.1f s%s: %d rows, %d commands and %d data records%s",
                forecast.expectedNs() / SECOND_NS,
                forecast.onDemand()
                        ? String.format(
                                Locale.ROOT,
                                ", %.2f s to the first answer and %.3f s for a bucket",
                                forecast.firstNs() / SECOND_NS,
                                forecast.bucketNs() / SECOND_NS)
                        : "",
                forecast.rows(),
                forecast.commands(),
                forecast.dataRecords(),
                forecast.lastTookNs() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                "; the last one took %.1f s, %.1f s were expected",
                                forecast.lastTookNs() / SECOND_NS,
                                forecast.lastExpectedNs() / SECOND_NS));
    }

    private void objective(ObjectiveState state) {
        for (ObjectiveState.Bound bound : state.bounds()) {
            line(
                    "The objective of %.3f s for %s is %s",
                    bound.mostNs() / SECOND_NS, bound.kind().title(), bound.kept() ? "kept" : "missed");
        }
        line(
                "For objectives %d snapshots and %d runs of the log were made%s",
                state.snapshots(),
                state.runs(),
                state.bytesPerSecond() == 0
                        ? ""
                        : String.format(
                                Locale.ROOT,
                                ", and replies wait: %.1f MB of log a second",
                                state.bytesPerSecond() / 1e6));
    }

    private void doubts(AutomaticRebuild.Counts rebuilds) {
        if (rebuilds.succeeded() + rebuilds.failed() + rebuilds.inDoubt() > 0) {
            line(
                    "Partitions in doubt after a failure of the engine: %d, %d of them given up; rebuilds without an operator: %d"
                            + " succeeded, %d failed",
                    rebuilds.inDoubt(), rebuilds.givenUp(), rebuilds.succeeded(), rebuilds.failed());
        }
    }

    private void rebuild(RebuildStats stats) {
        stats.present()
                .ifPresent(now -> line(
                        "Rebuild of partition %d: %d of %d buckets serve, %d failed",
                        now.partition(), now.open(), now.buckets(), now.failed()));
        stats.last()
                .filter(last -> stats.present().isEmpty())
                .ifPresent(last -> line(
                        "Last rebuild: partition %d in %.1f s, %d of %d transactions ran again",
                        last.partition(),
                        last.allNs() / SECOND_NS,
                        last.commands() + last.dataRecords(),
                        last.transactions()));
    }

    /** Each partition has all rows of a replicated table, which count once; its memory counts in each. */
    private void tables(Reprise engine, EngineMetrics metrics) {
        Map<String, long[]> sums = new LinkedHashMap<>();
        metrics.partitions()
                .forEach(p -> p.tables().forEach((name, stats) -> {
                    long[] sum = sums.computeIfAbsent(name, n -> new long[2]);
                    sum[0] += stats.rows();
                    sum[1] += stats.memory().total();
                }));
        if (!sums.isEmpty()) {
            line("");
            line("%-28s %14s %14s   (all partitions together)", "TABLE", "ROWS", "MEMORY MiB");
            sums.forEach((name, sum) -> {
                boolean replicated =
                        engine.catalog().table(name).filter(Table::replicated).isPresent();
                line(
                        "%-28s %14d %14d%s",
                        name,
                        replicated ? sum[0] / metrics.partitions().size() : sum[0],
                        sum[1] / MIB,
                        replicated ? "   replicated" : "");
            });
        }
    }

    private void durability(DurabilityStats stats) {
        DurabilityStats.LogState log = stats.log();
        line("");
        line(
                "Log: durable up to 0x%x, %d records and %d bytes written, %.1f records a flush,"
                        + " flush %.3f ms (p50), %.3f ms (p99)",
                log.durable(),
                log.records(),
                log.writtenBytes(),
                log.recordsPerFlush(),
                log.medianFlushNs() / MS_NS,
                log.p99FlushNs() / MS_NS);
        log.refusesBecause().ifPresent(why -> line("The log takes no writes: %s", why));
        log.refusesLargeBecause().ifPresent(why -> line("The log takes no large writes: %s", why));
        SnapshotStats now = stats.snapshots().now();
        line(
                "Snapshots: %d made, %d failed; %s",
                now.completed(),
                now.failed(),
                now.phase() == SnapshotStats.Phase.IDLE
                        ? "none is being made"
                        : now.rows() + " of " + now.rowsExpected() + " rows of the next one");
        stats.archive().ifPresent(this::archive);
        if (stats.recovery().tookNs() > 0) {
            line(
                    "Recovery at the start: %d rows loaded, %d transactions run again, in %.1f s",
                    stats.recovery().rows(),
                    stats.recovery().transactions(),
                    stats.recovery().tookNs() / SECOND_NS);
        }
    }

    private void adaptive(Reprise engine, EngineMetrics metrics) {
        List<ProcedureLogging> procedures = ProcedureLogging.all(engine, metrics);
        if (procedures.isEmpty()) {
            return;
        }
        line("");
        line("%-28s %-10s %12s %12s %12s   %s", "LOGGING OF", "PARTITIONS", "COMMANDS", "DATA", "BOUNDARY", "REASON");
        for (ProcedureLogging of : procedures) {
            line(
                    "%-28s %-10s %12d %12d %12d   %s",
                    of.procedure(),
                    of.partitions(),
                    of.stats().commands(),
                    of.stats().data(),
                    of.stats().boundaries(),
                    of.reason());
        }
        line("Data and boundary records have added %d bytes to the log", engine.adaptiveBytes());
    }

    private void archive(ArchiveStats archive) {
        line(
                "Archive %s: log up to 0x%x, %d bytes behind; %d pieces and %d snapshots copied, %d objects removed",
                archive.place(),
                archive.position(),
                archive.lagBytes(),
                archive.pieces(),
                archive.snapshots(),
                archive.removed());
        archive.problem().ifPresent(why -> line("The archive fails, and the log is kept for it: %s", why));
    }

    private void line(String format, Object... values) {
        out.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
