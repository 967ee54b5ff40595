package io.reprise.node.http;

import io.reprise.engine.EngineMetrics;
import io.reprise.engine.Reprise;
import io.reprise.runtime.metric.Distribution;
import io.reprise.runtime.time.SystemClock;
import io.reprise.snapshot.SnapshotStats;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The figures of the last seconds and minutes. An engine counts from its start; this class reads the counts once a second on a
 * thread of its own. It keeps the last seconds for present rates and percentiles, and a point a second for five minutes, so that
 * all readers of the page see the same history at once.
 */
final class Recent implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.http");
    private static final int MOST_POINTS = 300;
    private static final int MOST_LOOKS = 6;
    private static final double SECOND_NS = 1e9;
    private static final double MS_NS = 1e6;
    private static final long MS_MICROS = 1_000;

    private final NodeState state;
    private final ScheduledThreadPoolExecutor timer;
    private final Deque<Look> looks = new ArrayDeque<>();
    private final Deque<Point> points = new ArrayDeque<>();
    private long lastNumber;

    /** The counts at one time. */
    private record Look(long atNs, EngineMetrics metrics) {}

    /** The changes from one look to the next. */
    private record Point(
            long number,
            long epochMs,
            double committed,
            double failed,
            double p50Ms,
            double p99Ms,
            double busy,
            double logBytes,
            double recordsPerFlush,
            double flushP50Ms,
            double flushP99Ms,
            boolean snapshot) {}

    Recent(NodeState state) {
        this.state = state;
        timer = new ScheduledThreadPoolExecutor(
                1,
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("reprise-" + state.name() + "-http-rates")
                        .unstarted(task));
    }

    /** Begins to look. */
    void start() {
        timer.scheduleAtFixedRate(this::look, 1, 1, TimeUnit.SECONDS);
    }

    private void look() {
        try {
            Optional<Reprise> engine = state.now().engine();
            engine.ifPresent(e ->
                    look(SystemClock.INSTANCE.nanoTime(), SystemClock.INSTANCE.epochMicros() / MS_MICROS, e.metrics()));
        } catch (RuntimeException | Error e) {
            // A periodic task that throws is not run again.
            LOG.error("The page's figures have not been renewed; this is a bug", e);
        }
    }

    synchronized void look(long nowNs, long epochMs, EngineMetrics now) {
        if (!looks.isEmpty()) {
            points.add(point(++lastNumber, epochMs, new Window(looks.getLast(), new Look(nowNs, now))));
            if (points.size() > MOST_POINTS) {
                points.removeFirst();
            }
        }
        looks.add(new Look(nowNs, now));
        if (looks.size() > MOST_LOOKS) {
            looks.removeFirst();
        }
    }

    private static Point point(long number, long epochMs, Window window) {
        double committed = 0;
        double failed = 0;
        Distribution latency = Distribution.EMPTY;
        for (EngineMetrics.ProcedureMetrics procedure : window.to.metrics.procedures()) {
            Calls calls = window.calls(procedure.name());
            committed += calls.committed;
            failed += calls.failed;
            latency = latency.plus(calls.latency);
        }
        double busy = 0;
        int partitions = window.to.metrics.partitions().size();
        for (int i = 0; i < partitions; i++) {
            busy += window.busy(i) / partitions;
        }
        Log log = window.log();
        return new Point(
                number,
                epochMs,
                committed,
                failed,
                latency.at(0.5) / MS_NS,
                latency.at(0.99) / MS_NS,
                busy,
                log.bytes,
                log.flushes == 0 ? 0 : log.records / log.flushes,
                log.flushTimes.at(0.5) / MS_NS,
                log.flushTimes.at(0.99) / MS_NS,
                window.to
                        .metrics
                        .durability()
                        .filter(d -> d.snapshots().now().phase() != SnapshotStats.Phase.IDLE)
                        .isPresent());
    }

    /** The last seconds; empty while there are none. */
    synchronized Optional<Window> window() {
        return looks.size() < 2 ? Optional.empty() : Optional.of(new Window(looks.getFirst(), looks.getLast()));
    }

    /** The points behind the one with this number, as JSON. */
    synchronized String history(long after) {
        Json json = new Json().object().put("last", lastNumber).list("points");
        for (Point point : points) {
            if (point.number > after) {
                write(json, point);
            }
        }
        return json.endList().endObject().toString();
    }

    private static void write(Json json, Point point) {
        json.object()
                .put("at", point.epochMs)
                .put("committed", point.committed)
                .put("failed", point.failed)
                .put("p50Ms", point.p50Ms)
                .put("p99Ms", point.p99Ms)
                .put("busy", point.busy)
                .put("logBytes", point.logBytes)
                .put("recordsPerFlush", point.recordsPerFlush)
                .put("flushP50Ms", point.flushP50Ms)
                .put("flushP99Ms", point.flushP99Ms)
                .put("snapshot", point.snapshot)
                .endObject();
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }

    /**
     * Calls of a procedure during a window.
     *
     * @param committed a second
     * @param failed a second
     * @param latency their durations
     */
    record Calls(double committed, double failed, Distribution latency) {}

    /**
     * The log during a window: the average of a second.
     *
     * @param flushTimes the durations of flushes
     */
    record Log(double bytes, double flushes, double records, Distribution flushTimes) {}

    /** Between two looks. */
    static final class Window {
        private final Look from;
        private final Look to;
        private final double seconds;

        private Window(Look from, Look to) {
            this.from = from;
            this.to = to;
            seconds = Math.max(1, to.atNs - from.atNs) / SECOND_NS;
        }

        /** Of a procedure that is measured; one that was not there before began with nothing. */
        Calls calls(String procedure) {
            EngineMetrics.ProcedureMetrics now = find(to, procedure);
            EngineMetrics.ProcedureMetrics before = find(from, procedure);
            return new Calls(
                    (now.committed() - before.committed()) / seconds,
                    (failed(now) - failed(before)) / seconds,
                    now.latency().since(before.latency()));
        }

        private static EngineMetrics.ProcedureMetrics find(Look look, String name) {
            return look.metrics.procedures().stream()
                    .filter(procedure -> procedure.name().equals(name))
                    .findFirst()
                    .orElse(new EngineMetrics.ProcedureMetrics(
                            name, 0, new java.util.LinkedHashMap<>(), Distribution.EMPTY, Distribution.EMPTY));
        }

        private static long failed(EngineMetrics.ProcedureMetrics procedure) {
            return procedure.failed().values().stream()
                    .mapToLong(Long::longValue)
                    .sum();
        }

        /** The share of the time that a partition's site was busy, from 0 to 1. */
        double busy(int partition) {
            long ns = to.metrics.partitions().get(partition).busyNs()
                    - from.metrics.partitions().get(partition).busyNs();
            return Math.clamp(ns / SECOND_NS / seconds, 0, 1);
        }

        /** All zeros without a log. */
        Log log() {
            if (to.metrics.durability().isEmpty() || from.metrics.durability().isEmpty()) {
                return new Log(0, 0, 0, Distribution.EMPTY);
            }
            var now = to.metrics.durability().get().log();
            var before = from.metrics.durability().get().log();
            return new Log(
                    (now.writtenBytes() - before.writtenBytes()) / seconds,
                    (now.flushes() - before.flushes()) / seconds,
                    (now.records() - before.records()) / seconds,
                    to.metrics
                            .log()
                            .map(log -> log.flushTimes()
                                    .since(from.metrics
                                            .log()
                                            .map(EngineMetrics.LogMetrics::flushTimes)
                                            .orElse(Distribution.EMPTY)))
                            .orElse(Distribution.EMPTY));
        }
    }
}
