package io.reprise.node.http;

import com.sun.management.UnixOperatingSystemMXBean;
import io.reprise.archive.ArchiveStats;
import io.reprise.catalog.Table;
import io.reprise.engine.AutomaticRebuild;
import io.reprise.engine.AutomaticRepair;
import io.reprise.engine.ClusterLoad;
import io.reprise.engine.DurabilityStats;
import io.reprise.engine.EngineMetrics;
import io.reprise.engine.ObjectiveState;
import io.reprise.engine.RecoveryForecast;
import io.reprise.engine.RecoveryReport;
import io.reprise.engine.Reprise;
import io.reprise.engine.Stats;
import io.reprise.execution.BucketMap;
import io.reprise.execution.SlowTransaction;
import io.reprise.execution.durable.adaptive.LoggingStats;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.rebuild.RebuildStats;
import io.reprise.runtime.metric.Distribution;
import io.reprise.snapshot.SnapshotStats;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/** The status of a node, for programs: the page shows it and {@code reprise status --json} prints. */
final class StatusJson {
    private static final double SECOND_NS = 1e9;
    private static final double MS_NS = 1e6;
    private static final double SECOND_MS = 1e3;

    private static final int MOST_HOT = 5;
    private static final double HOT_SHARE = 0.05;
    private static final double HOT_TIMES_MEAN = 4;
    private static final long HOT_LEAST = 256;

    private final Json json = new Json();
    private final Optional<Recent.Window> lately;

    private StatusJson(Optional<Recent.Window> lately) {
        this.lately = lately;
    }

    static String of(NodeState state, Recent recent) {
        StatusJson status = new StatusJson(recent.window());
        status.json.object();
        status.node(state);
        state.cluster()
                .ifPresent(view -> view.write(
                        status.json, state.now().engine().map(Reprise::replicas).orElse(List.of())));
        state.now().engine().ifPresent(status::engine);
        return status.json.endObject().toString();
    }

    private void node(NodeState state) {
        NodeState.Now now = state.now();
        json.put("node", state.name())
                .put("version", state.version())
                .put("pid", ProcessHandle.current().pid())
                .put("uptimeSeconds", ManagementFactory.getRuntimeMXBean().getUptime() / SECOND_MS)
                .put("phase", lower(now.phase()))
                .put("ready", state.notReady().isEmpty());
        state.notReady().ifPresent(why -> json.put("notReady", why));
        json.list("warnings");
        state.warnings().forEach(json::add);
        json.endList();
        now.recovery()
                .ifPresent(recovery -> json.object("recovery")
                        .put("phase", lower(recovery.phase()))
                        .put("fraction", recovery.fraction())
                        .put("perSecond", recovery.perSecond())
                        .put("expectedSeconds", recovery.expected().toMillis() / SECOND_MS)
                        .endObject());
    }

    private void engine(Reprise engine) {
        EngineMetrics metrics = engine.metrics();
        process();
        json.put("schemaVersion", engine.catalog().version()).list("procedures");
        metrics.procedures().forEach(this::procedure);
        json.endList().object("refused");
        metrics.refused().forEach((code, count) -> json.put(lower(code), count));
        json.endObject().list("partitions");
        for (int i = 0; i < metrics.partitions().size(); i++) {
            partition(i, metrics.partitions().get(i), engine.buckets().buckets(i));
        }
        json.endList();
        load(metrics, engine.buckets());
        engine.clusterLoad().ifPresent(this::clusterLoad);
        tables(engine, metrics);
        metrics.durability().ifPresent(this::durability);
        adaptive(engine, metrics);
        engine.recoveryForecast().ifPresent(this::forecast);
        engine.objective().ifPresent(this::objective);
        engine.load().ifPresent(this::onDemand);
        engine.automaticRepairs().ifPresent(this::repairs);
        engine.rebuildStats().ifPresent(this::rebuild);
        engine.automaticRebuilds().ifPresent(this::doubts);
        json.list("slow");
        engine.slowTransactions().reversed().forEach(this::slow);
        json.endList();
    }

    private void procedure(EngineMetrics.ProcedureMetrics procedure) {
        json.object().put("name", procedure.name()).put("committed", procedure.committed());
        json.object("failed");
        procedure.failed().forEach((code, count) -> json.put(lower(code), count));
        json.endObject();
        times("latency", procedure.latency());
        times("execution", procedure.execution());
        lately.map(window -> window.calls(procedure.name())).ifPresent(calls -> {
            json.object("recent").put("committed", calls.committed()).put("failed", calls.failed());
            json.put("p50Ms", calls.latency().at(0.5) / MS_NS)
                    .put("p99Ms", calls.latency().at(0.99) / MS_NS)
                    .endObject();
        });
        json.endObject();
    }

    private void times(String name, Distribution times) {
        json.object(name)
                .put("count", times.count())
                .put("meanMs", times.meanNs() / MS_NS)
                .put("p50Ms", times.at(0.5) / MS_NS)
                .put("p99Ms", times.at(0.99) / MS_NS)
                .put("longestMs", times.longestNs() / MS_NS)
                .endObject();
    }

    private void partition(int index, EngineMetrics.PartitionMetrics partition, int[] own) {
        json.object()
                .put("partition", index)
                .put("busySeconds", partition.busyNs() / SECOND_NS)
                .put("busy", lately.map(window -> window.busy(index)).orElse(0.0))
                .put("queued", partition.queued())
                .put("waitingReplies", partition.waitingReplies())
                .put("committed", partition.committed())
                .put("aborted", partition.aborted())
                .put("memoryUsed", partition.memoryUsed())
                .put("memoryLimit", partition.memoryLimit())
                .put("memoryRefusals", partition.memoryRefusals())
                .put("memoryFull", partition.memoryFull())
                .put("buckets", own.length)
                .put("firstBucket", own.length == 0 ? -1 : own[0])
                .put("lastBucket", own.length == 0 ? -1 : own[own.length - 1])
                .list("hot");
        hot(partition.bucketLoad(), own.length);
        json.endList().endObject();
    }

    /**
     * Buckets that have a good part of the partition's transactions, and several times as many as they would have if all
     * had as many; the hottest first. A count stands for up to 64 transactions, so a few say nothing.
     */
    private void hot(long[] load, int own) {
        long all = Arrays.stream(load).sum();
        double least = Math.max(HOT_LEAST, all * Math.max(HOT_SHARE, HOT_TIMES_MEAN / own));
        IntStream.range(0, load.length)
                .filter(bucket -> load[bucket] >= least)
                .boxed()
                .sorted(Comparator.comparingLong((Integer bucket) -> -load[bucket]))
                .limit(MOST_HOT)
                .forEach(bucket -> json.object()
                        .put("bucket", bucket)
                        .put("share", (double) load[bucket] / all)
                        .endObject());
    }

    /** By bucket, about how many transactions of the last seconds it had, and its partition. */
    private void load(EngineMetrics metrics, BucketMap buckets) {
        long[] load = new long[metrics.partitions().getFirst().bucketLoad().length];
        metrics.partitions()
                .forEach(partition ->
                        Arrays.setAll(load, i -> load[i] + partition.bucketLoad()[i]));
        json.list("bucketLoad");
        for (long count : load) {
            json.add(count);
        }
        json.endList().list("bucketPartition");
        for (int bucket = 0; bucket < buckets.count(); bucket++) {
            json.add(buckets.partition(bucket));
        }
        json.endList();
    }

    /** The same over the nodes whose load this one knows. */
    private void clusterLoad(ClusterLoad load) {
        json.object("clusterLoad").list("nodes");
        load.nodes().forEach(json::add);
        json.endList().list("bucketLoad");
        for (long count : load.buckets()) {
            json.add(count);
        }
        json.endList().endObject();
    }

    private void process() {
        MemoryUsage heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        json.object("process").put("heapUsed", heap.getUsed()).put("heapMax", heap.getMax());
        if (ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system) {
            json.put("cpuLoad", system.getProcessCpuLoad()).put("processors", system.getAvailableProcessors());
        }
        json.endObject();
    }

    private void tables(Reprise engine, EngineMetrics metrics) {
        Map<String, long[]> sums = new LinkedHashMap<>();
        for (EngineMetrics.PartitionMetrics partition : metrics.partitions()) {
            partition.tables().forEach((name, stats) -> add(sums, name, stats));
        }
        json.list("tables");
        for (Table table : engine.catalog().tables().values()) {
            long[] sum = sums.getOrDefault(table.name(), new long[2]);
            boolean replicated = table.partitionColumn().isEmpty();
            json.object()
                    .put("name", table.name())
                    .put("replicated", replicated)
                    .put("rows", replicated ? sum[0] / metrics.partitions().size() : sum[0])
                    .put("memory", sum[1])
                    .endObject();
        }
        json.endList();
    }

    private static void add(Map<String, long[]> sums, String table, Stats.TableStats stats) {
        long[] sum = sums.computeIfAbsent(table, name -> new long[2]);
        sum[0] += stats.rows();
        sum[1] += stats.memory().total();
    }

    private void durability(DurabilityStats stats) {
        DurabilityStats.LogState log = stats.log();
        json.object("log")
                .put("flushes", log.flushes())
                .put("p50FlushMs", log.medianFlushNs() / MS_NS)
                .put("p99FlushMs", log.p99FlushNs() / MS_NS)
                .put("longestFlushMs", log.longestFlushNs() / MS_NS)
                .put("recordsPerFlush", log.recordsPerFlush())
                .put("records", log.records())
                .put("writtenBytes", log.writtenBytes())
                .put("pendingBytes", log.pendingBytes())
                .put("position", log.position())
                .put("durable", log.durable());
        log.refusesBecause().ifPresent(why -> json.put("refusesBecause", why));
        log.refusesLargeBecause().ifPresent(why -> json.put("refusesLargeBecause", why));
        lately.map(Recent.Window::log)
                .ifPresent(now -> json.object("recent")
                        .put("bytes", now.bytes())
                        .put("records", now.records())
                        .put("flushes", now.flushes())
                        .put("p50FlushMs", now.flushTimes().at(0.5) / MS_NS)
                        .put("p99FlushMs", now.flushTimes().at(0.99) / MS_NS)
                        .endObject());
        json.endObject();
        recovered(stats.recovery());
        SnapshotStats now = stats.snapshots().now();
        json.object("snapshot")
                .put("phase", lower(now.phase()))
                .put("rows", now.rows())
                .put("rowsExpected", now.rowsExpected())
                .put("completed", now.completed())
                .put("failed", now.failed())
                .put("lastProblem", now.lastProblem());
        stats.snapshots()
                .last()
                .ifPresent(last -> json.put("lastName", last.name())
                        .put("lastRows", last.rows())
                        .put("lastBytes", last.fileBytes())
                        .put("lastSeconds", last.tookNs() / SECOND_NS));
        json.endObject();
        stats.archive().ifPresent(this::archive);
    }

    private void adaptive(Reprise engine, EngineMetrics metrics) {
        List<ProcedureLogging> procedures = ProcedureLogging.all(engine, metrics);
        if (procedures.isEmpty()) {
            return;
        }
        json.object("adaptive").put("bytes", engine.adaptiveBytes()).list("procedures");
        for (ProcedureLogging of : procedures) {
            LoggingStats stats = of.stats();
            json.object()
                    .put("name", of.procedure())
                    .put("partitions", of.partitions())
                    .put("commands", stats.commands())
                    .put("data", stats.data())
                    .put("boundaries", stats.boundaries())
                    .put("commandBytes", stats.commandBytes())
                    .put("dataBytes", stats.dataBytes())
                    .put("boundaryBytes", stats.boundaryBytes())
                    .put("commandMs", stats.commandNs() / MS_NS)
                    .put("chainMs", stats.chainNs() / MS_NS)
                    .put("savedNsPerByte", stats.benefit())
                    .put("boundarySavedNsPerByte", stats.boundaryBenefit())
                    .put("thresholdNsPerByte", stats.threshold())
                    .put("reason", of.reason())
                    .endObject();
        }
        json.endList().endObject();
    }

    private void archive(ArchiveStats archive) {
        json.object("archive")
                .put("place", archive.place())
                .put("position", archive.position())
                .put("lagBytes", archive.lagBytes())
                .put("copiedMicros", archive.positionMicros())
                .put("pieces", archive.pieces())
                .put("bytes", archive.bytes())
                .put("snapshots", archive.snapshots())
                .put("removed", archive.removed())
                .put("failures", archive.failures())
                .put("problem", archive.problem().orElse(""))
                .endObject();
    }

    /** The times of the recovery, if there was one. */
    private void recovered(RecoveryReport report) {
        if (report.tookNs() > 0) {
            json.object("recovered")
                    .put("rows", report.rows())
                    .put("loadSeconds", report.loadNs() / SECOND_NS)
                    .put("transactions", report.transactions())
                    .put("replaySeconds", report.replayNs() / SECOND_NS)
                    .put("logBytes", report.logBytes())
                    .put("damagedSnapshots", report.damagedSnapshots())
                    .put("compareSeconds", report.compareNs() / SECOND_NS)
                    .endObject();
        }
    }

    /** The rows and log records that are loaded while the node serves. */
    private void onDemand(LoadStats load) {
        json.object("onDemand")
                .put("complete", load.isOver())
                .put("buckets", load.buckets())
                .put("bucketsReady", load.ready())
                .put("bucketsFailed", load.failed())
                .put("bucketsRequested", load.onDemand())
                .put("rows", load.rows())
                .put("rowsExpected", load.allRows())
                .put("records", load.records())
                .put("recordsExpected", load.allRecords())
                .put("seconds", load.tookNs() / SECOND_NS)
                .endObject();
    }

    private void forecast(RecoveryForecast forecast) {
        json.object("recoveryForecast")
                .put("onDemand", forecast.onDemand())
                .put("seconds", forecast.expectedNs() / SECOND_NS)
                .put("firstSeconds", forecast.firstNs() / SECOND_NS)
                .put("bucketSeconds", forecast.bucketNs() / SECOND_NS)
                .put("rows", forecast.rows())
                .put("commands", forecast.commands())
                .put("dataRecords", forecast.dataRecords())
                .put("logBytes", forecast.logBytes())
                .put("runs", forecast.runs())
                .put("measured", forecast.measured())
                .put("lastSeconds", forecast.lastTookNs() / SECOND_NS)
                .put("lastExpectedSeconds", forecast.lastExpectedNs() / SECOND_NS)
                .put("lastFirstSeconds", forecast.lastFirstNs() / SECOND_NS)
                .put("lastFirstExpectedSeconds", forecast.lastFirstExpectedNs() / SECOND_NS)
                .endObject();
    }

    private void objective(ObjectiveState state) {
        json.object("recoveryObjective")
                .put("kept", state.kept())
                .put("snapshots", state.snapshots())
                .put("runs", state.runs())
                .put("bytesPerSecond", state.bytesPerSecond())
                .list("bounds");
        for (ObjectiveState.Bound bound : state.bounds()) {
            json.object()
                    .put("of", lower(bound.kind()))
                    .put("seconds", bound.mostNs() / SECOND_NS)
                    .put("expectedSeconds", bound.expectedNs() / SECOND_NS)
                    .put("kept", bound.kept())
                    .endObject();
        }
        json.endList().endObject();
    }

    /** Nothing is said before the first rebuild. */
    private void repairs(AutomaticRepair.Counts repairs) {
        json.object("repairs")
                .put("succeeded", repairs.succeeded())
                .put("failed", repairs.failed())
                .put("givenUp", repairs.givenUp())
                .endObject();
    }

    private void rebuild(RebuildStats stats) {
        if (stats.present().isEmpty() && stats.rebuilds() + stats.failures() == 0) {
            return;
        }
        json.object("rebuild").put("completed", stats.rebuilds()).put("failed", stats.failures());
        stats.problem().ifPresent(problem -> json.put("lastProblem", problem));
        stats.present()
                .ifPresent(now -> json.put("partition", now.partition())
                        .put("buckets", now.buckets())
                        .put("bucketsReady", now.open())
                        .put("bucketsFailed", now.failed()));
        stats.last()
                .ifPresent(last -> json.put("lastPartition", last.partition())
                        .put("lastSeconds", last.allNs() / SECOND_NS)
                        .put("lastFirstBucketSeconds", last.firstBucketNs() / SECOND_NS)
                        .put("lastTransactions", last.transactions())
                        .put("lastReexecuted", last.commands() + last.dataRecords()));
        json.endObject();
    }

    private void doubts(AutomaticRebuild.Counts rebuilds) {
        json.object("automaticRebuilds")
                .put("succeeded", rebuilds.succeeded())
                .put("failed", rebuilds.failed())
                .put("inDoubt", rebuilds.inDoubt())
                .put("givenUp", rebuilds.givenUp())
                .endObject();
    }

    private void slow(SlowTransaction slow) {
        json.object()
                .put("id", "0x" + Long.toHexString(slow.id()))
                .put("procedure", slow.procedure())
                .put("partition", slow.partition())
                .put("queuedMs", slow.queuedNs() / MS_NS)
                .put("executingMs", slow.executingNs() / MS_NS)
                .put("timed", slow.timed())
                .put("loggingMs", slow.loggingNs() / MS_NS)
                .put("outcome", slow.error().map(StatusJson::lower).orElse("committed"))
                .endObject();
    }

    private static String lower(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** For messages of one line, such as refusals. */
    static String problem(String what) {
        return new Json().object().put("problem", what).endObject().toString();
    }
}
