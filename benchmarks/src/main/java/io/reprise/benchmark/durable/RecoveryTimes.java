package io.reprise.benchmark.durable;

import com.sun.management.OperatingSystemMXBean;
import io.reprise.engine.RecoveryProgress;
import java.lang.management.ManagementFactory;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Consumer;

/** When the phases of a recovery began, on the thread that opens the engine. */
final class RecoveryTimes implements Consumer<RecoveryProgress> {
    /** A log's beginning: of one of a minute the first ten seconds. */
    private static final double BEGINNING = 1.0 / 6;

    private final Map<RecoveryProgress.Phase, Long> began = new EnumMap<>(RecoveryProgress.Phase.class);
    private final Map<RecoveryProgress.Phase, Long> cpu = new EnumMap<>(RecoveryProgress.Phase.class);
    private long halfwayNs;
    private double untilHalfway;
    private double earlyRate;

    @Override
    public void accept(RecoveryProgress progress) {
        began.putIfAbsent(progress.phase(), System.nanoTime());
        cpu.putIfAbsent(progress.phase(), processCpuNs());
        if (progress.phase() == RecoveryProgress.Phase.REPLAYING
                && progress.fraction() >= BEGINNING
                && earlyRate == 0) {
            earlyRate = progress.perSecond();
        }
        if (progress.phase() == RecoveryProgress.Phase.REPLAYING && progress.fraction() >= 0.5 && halfwayNs == 0) {
            halfwayNs = System.nanoTime();
            untilHalfway = progress.perSecond() * (halfwayNs - began.get(RecoveryProgress.Phase.REPLAYING)) * 1e-9;
        }
    }

    /** The time of loading the snapshot, indexes included. */
    double loadSeconds() {
        return seconds(RecoveryProgress.Phase.LOADING, RecoveryProgress.Phase.REPLAYING);
    }

    /** The time of replaying the log, reading included. */
    double replaySeconds() {
        return seconds(RecoveryProgress.Phase.REPLAYING, RecoveryProgress.Phase.DONE);
    }

    /**
     * The transactions replayed in a second until a sixth of the log was through, as it would be with a log that is
     * so much shorter; or over all of it, as {@link #lateRate}.
     */
    double earlyRate(double transactions) {
        return earlyRate == 0 ? transactions / replaySeconds() : earlyRate;
    }

    /**
     * The transactions replayed in a second when half of the log was through, and the compiler with it; or over all
     * of a log that is too short for a report of its middle.
     */
    double lateRate(double transactions) {
        return halfwayNs == 0
                ? transactions / replaySeconds()
                : (transactions - untilHalfway) * 1e9 / (began.get(RecoveryProgress.Phase.DONE) - halfwayNs);
    }

    /** The processor time of the replay. */
    double replayCpuSeconds() {
        return (cpu.get(RecoveryProgress.Phase.DONE) - cpu.get(RecoveryProgress.Phase.REPLAYING)) * 1e-9;
    }

    /** The time that this process has had on all cores. */
    static long processCpuNs() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private double seconds(RecoveryProgress.Phase from, RecoveryProgress.Phase to) {
        if (!began.containsKey(from) || !began.containsKey(to)) {
            throw new IllegalStateException("the recovery had no phase " + from + ": " + began);
        }
        return (began.get(to) - began.get(from)) * 1e-9;
    }
}
