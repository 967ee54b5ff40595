package io.reprise.node.http;

import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.execution.SlowTransaction;
import io.reprise.node.DurabilityStats;
import io.reprise.node.EngineMetrics;
import io.reprise.node.Reprise;
import io.reprise.node.Stats;
import io.reprise.runtime.metric.Distribution;
import io.reprise.snapshot.SnapshotStats;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/** How a node stands, for programs: what the page shows and {@code reprise status --json} prints. */
final class StatusJson {
    private static final double SECOND_NS = 1e9;
    private static final double MS_NS = 1e6;
    private static final double SECOND_MS = 1e3;

    private final Json json = new Json();

    private StatusJson() {}

    static String of(NodeState state) {
        StatusJson status = new StatusJson();
        status.json.object();
        status.node(state);
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
        json.list("procedures");
        metrics.procedures().forEach(this::procedure);
        json.endList().object("refused");
        metrics.refused().forEach((code, count) -> json.put(lower(code), count));
        json.endObject().list("partitions");
        for (int i = 0; i < metrics.partitions().size(); i++) {
            partition(i, metrics.partitions().get(i));
        }
        json.endList();
        tables(engine, metrics);
        metrics.durability().ifPresent(this::durability);
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

    private void partition(int index, EngineMetrics.PartitionMetrics partition) {
        json.object()
                .put("partition", index)
                .put("busySeconds", partition.busyNs() / SECOND_NS)
                .put("queued", partition.queued())
                .put("waitingReplies", partition.waitingReplies())
                .put("committed", partition.committed())
                .put("aborted", partition.aborted())
                .put("memoryUsed", partition.memoryUsed())
                .put("memoryLimit", partition.memoryLimit())
                .endObject();
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
                    .list("columns");
            for (Column column : table.columns()) {
                json.object()
                        .put("name", column.name())
                        .put("type", column.type().toString())
                        .endObject();
            }
            json.endList().endObject();
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
        json.endObject();
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
                .ifPresent(last -> json.put("lastName", Long.toHexString(last.transactionId()))
                        .put("lastRows", last.rows())
                        .put("lastBytes", last.fileBytes())
                        .put("lastSeconds", last.tookNs() / SECOND_NS));
        json.endObject();
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
