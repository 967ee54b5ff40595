package io.reprise.benchmark.engine;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.Rate;
import io.reprise.benchmark.Samples;

/** The speed of a run, round by round. */
record Rates(Samples perSecond, Samples perCpuSecond) {
    /** Watches a run whose clients go on without a pause. */
    static Rates measure(EngineRun run, Context context, int rounds, double seconds) {
        double[] perSecond = new double[rounds];
        double[] perCpuSecond = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            Rate rate = run.watch(seconds);
            perSecond[i] = rate.perSecond();
            perCpuSecond[i] = rate.perCpuSecond();
            context.progress("%.0f calls/s, %.0f per second of processor time", perSecond[i], perCpuSecond[i]);
        }
        return new Rates(new Samples(perSecond), new Samples(perCpuSecond));
    }
}
