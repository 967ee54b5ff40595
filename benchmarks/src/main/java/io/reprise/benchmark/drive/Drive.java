package io.reprise.benchmark.drive;

import java.util.List;
import org.HdrHistogram.Histogram;

/** Calls being made, by one or several loads that run together. Owned by the thread that watches and stops it. */
public final class Drive {
    private final List<Load> loads;
    private final Failures failures;

    private Drive(List<Load> loads, Failures failures) {
        this.loads = loads;
        this.failures = failures;
    }

    static Drive start(List<Load> loads, Failures failures) {
        loads.forEach(Load::start);
        return new Drive(loads, failures);
    }

    /** The number of answered calls: they committed, or were rolled back as the workload has it. */
    public long completed() {
        long completed = 0;
        for (Load load : loads) {
            completed += load.completed();
        }
        return completed;
    }

    /** The latencies of calls answered since the last request, in nanoseconds. */
    public Histogram latencies() {
        Histogram all = loads.get(0).latencies();
        for (Load load : loads.subList(1, loads.size())) {
            all.add(load.latencies());
        }
        return all;
    }

    /**
     * After {@link #stop}: the number of calls that were due before the end and never made, because there was no room
     * for them.
     */
    long missed() {
        long missed = 0;
        for (Load load : loads) {
            missed += load.missed();
        }
        return missed;
    }

    /** The failures of calls that did not commit. */
    public Failures failures() {
        return failures;
    }

    /** Makes no more calls; those under way go on. */
    public void end() {
        loads.forEach(Load::stop);
    }

    /** Makes no more calls, and waits until everything that was sent has been answered. */
    public void stop() throws InterruptedException {
        end();
        for (Load load : loads) {
            load.join();
        }
    }
}
