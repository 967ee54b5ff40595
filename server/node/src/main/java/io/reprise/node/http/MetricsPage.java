package io.reprise.node.http;

import io.reprise.access.AccessMeter;
import io.reprise.access.LoginOutcome;
import io.reprise.archive.ArchiveStats;
import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.engine.AutomaticRebuild;
import io.reprise.engine.AutomaticRepair;
import io.reprise.engine.DurabilityStats;
import io.reprise.engine.EngineMetrics;
import io.reprise.engine.ObjectiveState;
import io.reprise.engine.RecoveryForecast;
import io.reprise.engine.RecoveryProgress;
import io.reprise.engine.RecoveryReport;
import io.reprise.engine.Reprise;
import io.reprise.engine.SortedLogStats;
import io.reprise.engine.Stats;
import io.reprise.net.listen.ClientSession;
import io.reprise.procedure.ErrorCode;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.snapshot.SnapshotStats;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The metrics of a node in the text format of Prometheus. docs/operating/monitoring.md explains them. */
final class MetricsPage {
    private static final double SECOND_NS = 1e9;
    private static final double SECOND_MICROS = 1e6;

    private final PrometheusText text = new PrometheusText();

    private MetricsPage() {}

    static String of(NodeState state) {
        MetricsPage page = new MetricsPage();
        page.node(state);
        page.access(state.access());
        state.cluster()
                .ifPresent(view -> ClusterMetrics.write(
                        page.text,
                        view,
                        state.now().engine().map(Reprise::replicas).orElse(List.of()),
                        state.sessions().passedOn()));
        page.sessions(state.sessions().list());
        state.now().engine().ifPresent(page::engine);
        JvmMetrics.write(page.text);
        return page.text.toString();
    }

    private void node(NodeState state) {
        text.gauge("reprise_node_info", "The node's name and the program's version.")
                .sample(1, "node", state.name(), "version", state.version());
        text.gauge("reprise_ready", "1 if the node takes calls and can answer them.")
                .sample(state.notReady().isEmpty() ? 1 : 0);
        text.gauge("reprise_phase", "1 for what the node is doing.");
        for (NodeState.Phase phase : NodeState.Phase.values()) {
            text.sample(state.now().phase() == phase ? 1 : 0, "phase", lower(phase));
        }
        text.gauge(
                "reprise_recovery_progress_ratio", "The finished share of the recovery's phase, while there is one.");
        state.now().recovery().ifPresent(this::recovering);
    }

    private void recovering(RecoveryProgress progress) {
        text.sample(progress.fraction(), "phase", lower(progress.phase()));
    }

    private void access(AccessMeter access) {
        text.counter("reprise_logins_total", "Logins, by what came of them.");
        for (LoginOutcome.Kind kind : LoginOutcome.Kind.values()) {
            text.sample(access.logins(kind), "outcome", lower(kind));
        }
        text.counter("reprise_not_permitted_total", "Requests that were refused because their users may not make them.")
                .sample(access.notPermitted());
        text.gauge(
                "reprise_revocation_list_ends_seconds",
                "When the first revocation list in use is too old, in seconds since 1970: from then on no certificate counts.");
        access.revocation().ifPresent(status -> text.sample(status.ends().getEpochSecond()));
        text.gauge("reprise_revoked_certificates", "Certificates of clients that the revocation lists in use have.");
        access.revocation().ifPresent(status -> text.sample(status.revoked()));
        text.gauge(
                "reprise_revocation_list_outdated",
                "1 if the revocation lists have changed and can't be used as they are.");
        access.revocation().ifPresent(status -> text.sample(status.outdated() ? 1 : 0));
    }

    private void sessions(List<ClientSession> sessions) {
        text.gauge("reprise_sessions", "Connected clients, by protocol and state.");
        for (String protocol : List.of("native", "postgres")) {
            for (ClientSession.State state : ClientSession.State.values()) {
                long count = sessions.stream()
                        .filter(each -> each.protocol().equals(protocol) && each.state() == state)
                        .count();
                text.sample(count, "protocol", protocol, "state", lower(state));
            }
        }
    }

    private void engine(Reprise engine) {
        EngineMetrics metrics = engine.metrics();
        procedures(metrics);
        adaptive(engine, metrics);
        partitions(metrics.partitions());
        text.gauge("reprise_reserved_huge_pages_bytes", "Memory of the partitions in reserved huge pages.")
                .sample(metrics.reservedHugePages());
        tables(engine.catalog(), metrics.partitions());
        metrics.durability().ifPresent(stats -> {
            log(stats.log(), metrics);
            snapshots(stats);
            recovered(stats.recovery());
            archive(stats.archive());
        });
        onDemand(engine.load());
        sortedLog(engine.sortedLog());
        repairs(engine.automaticRepairs());
        rebuild(engine.rebuildStats());
        doubts(engine.automaticRebuilds());
        engine.recoveryForecast().ifPresent(this::forecast);
        engine.objective().ifPresent(this::objective);
    }

    private void forecast(RecoveryForecast forecast) {
        text.gauge("reprise_recovery_forecast_seconds", "Expected time of a recovery if the node stopped now.")
                .sample(forecast.expectedNs() / SECOND_NS, "of", "all");
        if (forecast.onDemand()) {
            text.sample(forecast.firstNs() / SECOND_NS, "of", "first")
                    .sample(forecast.bucketNs() / SECOND_NS, "of", "bucket");
        }
        text.gauge("reprise_recovery_forecast_records", "Log records behind the newest snapshot, by form.")
                .sample(forecast.commands(), "form", "command")
                .sample(forecast.dataRecords(), "form", "data");
        text.gauge("reprise_recovery_last_expected_seconds", "Expected times of the recovery at the start.")
                .sample(forecast.lastExpectedNs() / SECOND_NS, "of", "all")
                .sample(forecast.lastFirstExpectedNs() / SECOND_NS, "of", "first");
        text.gauge("reprise_recovery_last_seconds", "Times of the recovery at the start; 0: it goes on.")
                .sample(forecast.lastTookNs() / SECOND_NS, "of", "all")
                .sample(forecast.lastFirstNs() / SECOND_NS, "of", "first");
    }

    private void objective(ObjectiveState state) {
        text.gauge(
                "reprise_recovery_objective_seconds",
                "The longest time that a recovery, or a part of it, should take.");
        for (ObjectiveState.Bound bound : state.bounds()) {
            text.sample(bound.mostNs() / SECOND_NS, "of", of(bound));
        }
        text.gauge("reprise_recovery_objective_kept", "Whether the forecast is within the objective.");
        for (ObjectiveState.Bound bound : state.bounds()) {
            text.sample(bound.kept() ? 1 : 0, "of", of(bound));
        }
        text.counter("reprise_recovery_objective_runs_total", "Runs of the log that were made for the objective.")
                .sample(state.runs());
        text.gauge(
                        "reprise_recovery_pace_bytes",
                        "Bytes of log a second whose replies leave, for the objective; 0: all.")
                .sample(state.bytesPerSecond());
    }

    private static String of(ObjectiveState.Bound bound) {
        return bound.kind().name().toLowerCase(Locale.ROOT);
    }

    /** A node of a cluster has no samples of these. */
    private void repairs(Optional<AutomaticRepair.Counts> repairs) {
        text.counter(
                "reprise_bucket_repairs_total", "Repairs of damaged buckets that no operator asked for, by outcome.");
        repairs.ifPresent(
                of -> text.sample(of.succeeded(), "outcome", "succeeded").sample(of.failed(), "outcome", "failed"));
        text.gauge("reprise_buckets_given_up", "Damaged buckets that are left to an operator.");
        repairs.ifPresent(of -> text.sample(of.givenUp()));
    }

    private void rebuild(Optional<RebuildStats> rebuilds) {
        text.counter("reprise_rebuilds_total", "Rebuilds of partitions while the others served, by outcome.");
        rebuilds.ifPresent(
                of -> text.sample(of.rebuilds(), "outcome", "completed").sample(of.failures(), "outcome", "failed"));
        text.gauge("reprise_rebuild_buckets", "Buckets of the partition that is being rebuilt, by state.");
        rebuilds.flatMap(RebuildStats::present)
                .ifPresent(now -> text.sample(now.open(), "state", "ready")
                        .sample(now.failed(), "state", "failed")
                        .sample(now.buckets() - now.open() - now.failed(), "state", "missing"));
        text.gauge("reprise_rebuild_seconds", "Duration of the last rebuild.");
        rebuilds.flatMap(RebuildStats::last).ifPresent(last -> text.sample(last.allNs() / SECOND_NS));
        text.gauge("reprise_rebuild_transactions", "Transactions of the last rebuild's log, and those that ran again.");
        rebuilds.flatMap(RebuildStats::last)
                .ifPresent(last -> text.sample(last.transactions(), "kind", "log")
                        .sample(last.commands() + last.dataRecords(), "kind", "again"));
    }

    private void doubts(Optional<AutomaticRebuild.Counts> rebuilds) {
        text.counter(
                "reprise_automatic_rebuilds_total", "Rebuilds of partitions that no operator asked for, by outcome.");
        rebuilds.ifPresent(
                of -> text.sample(of.succeeded(), "outcome", "succeeded").sample(of.failed(), "outcome", "failed"));
        text.gauge("reprise_partitions_in_doubt", "Partitions that refuse calls after a failure of the engine.");
        rebuilds.ifPresent(of -> text.sample(of.inDoubt()));
        text.gauge("reprise_partitions_given_up", "Partitions that had too many rebuilds within an hour.");
        rebuilds.ifPresent(of -> text.sample(of.givenUp()));
    }

    /** A node that loaded everything before it served has no samples of these. */
    private void onDemand(Optional<LoadStats> load) {
        text.gauge("reprise_on_demand_buckets", "Buckets of a recovery on demand, by state.");
        load.ifPresent(of -> text.sample(of.ready(), "state", "ready")
                .sample(of.failed(), "state", "failed")
                .sample(of.buckets() - of.ready() - of.failed(), "state", "missing"));
        text.gauge("reprise_on_demand_requested_buckets", "Buckets that were loaded because a call waited.");
        load.ifPresent(of -> text.sample(of.onDemand()));
        text.gauge("reprise_on_demand_rows", "Rows of a recovery on demand, by state.");
        load.ifPresent(
                of -> text.sample(of.rows(), "state", "loaded").sample(of.allRows() - of.rows(), "state", "missing"));
        text.gauge("reprise_on_demand_log_records", "Log records of a recovery on demand, by state.");
        load.ifPresent(of -> text.sample(of.records(), "state", "applied")
                .sample(of.allRecords() - of.records(), "state", "missing"));
        text.gauge("reprise_on_demand_seconds", "Duration of a recovery on demand; 0 while it goes on.");
        load.ifPresent(of -> text.sample(of.tookNs() / SECOND_NS));
    }

    /** A node whose log is not sorted has no samples of these. */
    private void sortedLog(Optional<SortedLogStats> sorted) {
        text.gauge(
                "reprise_sorted_log_position", "Log positions up to which runs were made, and take the log's place.");
        sorted.ifPresent(of -> text.sample(of.sorted(), "kind", "sorted").sample(of.replaced(), "kind", "replaced"));
        text.counter(
                "reprise_images_logged_total",
                "Transactions logged as rows, because the image of a command had no room.");
        sorted.ifPresent(of -> text.sample(of.imagesLogged()));
        text.counter("reprise_images_missed_total", "Commands without an image of their rows, for lack of room.");
        sorted.ifPresent(of -> text.sample(of.imagesMissed()));
        text.counter("reprise_sorted_log_commands_total", "Commands in the sorted log, which a start runs again.");
        sorted.ifPresent(of -> text.sample(of.commands()));
    }

    private void procedures(EngineMetrics metrics) {
        text.counter("reprise_procedure_calls_total", "Transactions that ended, by procedure and outcome.");
        for (EngineMetrics.ProcedureMetrics procedure : metrics.procedures()) {
            text.sample(procedure.committed(), "procedure", procedure.name(), "outcome", "committed");
            procedure
                    .failed()
                    .forEach(
                            (code, count) -> text.sample(count, "procedure", procedure.name(), "outcome", lower(code)));
        }
        text.histogram("reprise_procedure_latency_seconds", "From being admitted to being answered.");
        for (EngineMetrics.ProcedureMetrics procedure : metrics.procedures()) {
            text.times(procedure.latency(), "procedure", procedure.name());
        }
        text.histogram("reprise_procedure_execution_seconds", "Run time of a transaction; of short ones a sample.");
        for (EngineMetrics.ProcedureMetrics procedure : metrics.procedures()) {
            text.times(procedure.execution(), "procedure", procedure.name());
        }
        text.counter("reprise_calls_refused_total", "Calls that were refused before they began, by why.");
        for (Map.Entry<ErrorCode, Long> refused : metrics.refused().entrySet()) {
            text.sample(refused.getValue(), "code", lower(refused.getKey()));
        }
        text.counter("reprise_slow_transactions_untold_total", "Slow transactions that were too many for the log.")
                .sample(metrics.slowUntold());
    }

    private void partitions(List<EngineMetrics.PartitionMetrics> partitions) {
        text.counter("reprise_partition_busy_seconds_total", "Time that the partition's thread was busy.");
        each(partitions, (p, label) -> text.sample(p.busyNs() / SECOND_NS, "partition", label));
        text.counter(
                "reprise_partition_standstill_seconds_total",
                "Time that the partition waited for others in transactions over several partitions.");
        each(partitions, (p, label) -> text.sample(p.stoodStillNs() / SECOND_NS, "partition", label));
        text.gauge("reprise_partition_queued_calls", "Calls that wait for their turn.");
        each(partitions, (p, label) -> text.sample(p.queued(), "partition", label));
        text.gauge("reprise_partition_waiting_replies", "Transactions that have run and wait for the log.");
        each(partitions, (p, label) -> text.sample(p.waitingReplies(), "partition", label));
        text.counter("reprise_partition_transactions_total", "Transactions that the partition's thread ran.");
        each(
                partitions,
                (p, label) -> text.sample(p.committed(), "partition", label, "outcome", "committed")
                        .sample(p.aborted(), "partition", label, "outcome", "aborted"));
        text.gauge("reprise_partition_memory_bytes", "Memory of rows, indexes and scratch space.");
        each(partitions, (p, label) -> text.sample(p.memoryUsed(), "partition", label));
        text.gauge("reprise_partition_memory_limit_bytes", "Limit of that memory.");
        each(partitions, (p, label) -> text.sample(p.memoryLimit(), "partition", label));
        text.gauge(
                "reprise_partition_memory_full",
                "1 if the partition is at its memory limit: it takes as much, or rejected a write in the last minute.");
        each(partitions, (p, label) -> text.sample(p.memoryFull() ? 1 : 0, "partition", label));
        text.counter("reprise_partition_memory_refusals_total", "Requests for memory that were rejected.");
        each(partitions, (p, label) -> text.sample(p.memoryRefusals(), "partition", label));
    }

    private void adaptive(Reprise engine, EngineMetrics metrics) {
        text.counter("reprise_adaptive_bytes_total", "Bytes that adaptive logging has added to the log.")
                .sample(engine.adaptiveBytes());
        text.counter("reprise_adaptive_records_total", "Records of each procedure by form, with adaptive logging.");
        for (ProcedureLogging of : ProcedureLogging.all(engine, metrics)) {
            String several = Boolean.toString(of.distributed());
            text.sample(of.stats().commands(), "procedure", of.procedure(), "distributed", several, "form", "command");
            text.sample(of.stats().data(), "procedure", of.procedure(), "distributed", several, "form", "data");
            text.sample(
                    of.stats().boundaries(), "procedure", of.procedure(), "distributed", several, "form", "boundary");
        }
    }

    private void tables(Catalog catalog, List<EngineMetrics.PartitionMetrics> partitions) {
        text.gauge("reprise_table_rows", "Rows of a table in a partition; each has all rows of a replicated table.");
        each(
                partitions,
                (p, label) -> p.tables()
                        .forEach((table, stats) -> text.sample(
                                stats.rows(),
                                "table",
                                table,
                                "partition",
                                label,
                                "replicated",
                                Boolean.toString(catalog.table(table)
                                        .filter(Table::replicated)
                                        .isPresent()))));
        text.gauge("reprise_table_memory_bytes", "Memory of a table in a partition.");
        each(partitions, (p, label) -> p.tables().forEach((table, stats) -> memory(stats, table, label)));
    }

    private void memory(Stats.TableStats stats, String table, String partition) {
        text.sample(stats.memory().rows(), "table", table, "partition", partition, "kind", "rows");
        text.sample(stats.memory().strings(), "table", table, "partition", partition, "kind", "strings");
        text.sample(stats.memory().indexes(), "table", table, "partition", partition, "kind", "indexes");
    }

    private void log(DurabilityStats.LogState log, EngineMetrics metrics) {
        text.histogram("reprise_log_flush_seconds", "Time to write and force a batch of the log.");
        metrics.log().ifPresent(times -> text.times(times.flushTimes()));
        text.counter("reprise_log_records_total", "Records written.").sample(log.records());
        text.gauge("reprise_log_largest_batch_records", "The most records that a batch had.")
                .sample(log.largestBatch());
        text.counter("reprise_log_record_bytes_total", "Bytes of records, before compression.")
                .sample(log.recordBytes());
        text.counter("reprise_log_written_bytes_total", "Bytes written, with frames and padding.")
                .sample(log.writtenBytes());
        text.counter("reprise_log_zeroed_bytes_total", "Bytes of new segments that were filled with zeros before.")
                .sample(log.zeroedBytes());
        text.counter("reprise_log_reused_segments_total", "Segments used again, which needs no zeros.")
                .sample(log.reusedSegments());
        text.gauge("reprise_log_pending_bytes", "Bytes that waited when the last batch was written.")
                .sample(log.pendingBytes());
        text.gauge("reprise_log_position_bytes", "Behind what was written last.")
                .sample(log.position());
        text.gauge("reprise_log_durable_bytes", "Everything before this position is on stable storage.")
                .sample(log.durable());
        text.gauge("reprise_log_blocked", "1 if the log can't be written, so that nothing is acknowledged.")
                .sample(log.blocked() ? 1 : 0);
        text.gauge("reprise_log_refused", "1 for the writes that are refused because the log can't take them.")
                .sample(log.refusesLargeBecause().isPresent() ? 1 : 0, "writes", "large")
                .sample(log.refusesBecause().isPresent() ? 1 : 0, "writes", "all");
    }

    /** A node without an archive has no samples of these. */
    private void archive(Optional<ArchiveStats> archive) {
        text.gauge("reprise_archive_lag_bytes", "Durable log that is not archived yet.");
        archive.ifPresent(of -> text.sample(of.lagBytes()));
        text.gauge("reprise_archive_failing", "1 while the archive takes nothing.");
        archive.ifPresent(of -> text.sample(of.problem().isPresent() ? 1 : 0));
        text.gauge("reprise_archive_copied_timestamp_seconds", "Time of the last copied log, since 1970.");
        archive.ifPresent(of -> text.sample(of.positionMicros() / SECOND_MICROS));
        text.counter("reprise_archive_bytes_total", "Bytes copied into the archive.");
        archive.ifPresent(of -> text.sample(of.bytes()));
        text.counter("reprise_archive_failures_total", "Failures of the archive.");
        archive.ifPresent(of -> text.sample(of.failures()));
        text.counter("reprise_archive_objects_total", "Objects of the archive, copied and removed.");
        archive.ifPresent(of -> text.sample(of.pieces(), "kind", "log")
                .sample(of.snapshots(), "kind", "snapshot")
                .sample(of.removed(), "kind", "removed"));
    }

    private void snapshots(DurabilityStats stats) {
        SnapshotStats now = stats.snapshots().now();
        text.gauge("reprise_snapshot_phase", "1 for what the maker of snapshots is doing.");
        for (SnapshotStats.Phase phase : SnapshotStats.Phase.values()) {
            text.sample(now.phase() == phase ? 1 : 0, "phase", lower(phase));
        }
        text.gauge("reprise_snapshot_rows", "Rows that the snapshot being made has so far.")
                .sample(now.rows());
        text.gauge("reprise_snapshot_rows_expected", "Rows that it will have.").sample(now.rowsExpected());
        text.counter("reprise_snapshots_total", "Snapshots, by outcome.")
                .sample(now.completed(), "outcome", "completed")
                .sample(now.failed(), "outcome", "failed");
        stats.snapshots().last().ifPresent(last -> {
            text.gauge("reprise_snapshot_last_seconds", "Duration of the last one.")
                    .sample(last.tookNs() / SECOND_NS);
            text.gauge("reprise_snapshot_last_bytes", "Size of its files.").sample(last.fileBytes());
            text.gauge("reprise_snapshot_last_succeeded", "1 if it can be recovered from.")
                    .sample(last.succeeded() ? 1 : 0);
        });
    }

    private void recovered(RecoveryReport report) {
        text.gauge("reprise_recovery_seconds", "Duration of the recovery's phases at the start.")
                .sample(report.loadNs() / SECOND_NS, "phase", "loading")
                .sample(report.replayNs() / SECOND_NS, "phase", "replaying")
                .sample(report.compareNs() / SECOND_NS, "phase", "comparing");
        text.gauge("reprise_recovery_rows", "Rows loaded from a snapshot at the start.")
                .sample(report.rows());
        text.gauge("reprise_recovery_transactions", "Transactions replayed at the start.")
                .sample(report.transactions());
        text.gauge("reprise_recovery_commands", "Commands that ran again at the start.")
                .sample(report.commands());
        text.gauge(
                        "reprise_recovery_critical_path_commands",
                        "The longest chain of commands in which each shares a bucket with the one before.")
                .sample(report.criticalPath());
        text.gauge("reprise_recovery_log_bytes", "Bytes of log that were read at the start.")
                .sample(report.logBytes());
    }

    private interface PartitionWriter {
        void write(EngineMetrics.PartitionMetrics partition, String label);
    }

    private static void each(List<EngineMetrics.PartitionMetrics> partitions, PartitionWriter writer) {
        for (int i = 0; i < partitions.size(); i++) {
            writer.write(partitions.get(i), Integer.toString(i));
        }
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }
}
