package io.reprise.benchmark.engine;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.Samples;

/** Measures one run several times while its clients go on without a pause. */
final class Rounds {
    private final EngineRun run;
    private final Context context;

    private Rounds(EngineRun run, Context context) {
        this.run = run;
        this.context = context;
    }

    static Rounds of(EngineRun run, Context context) {
        return new Rounds(run, context);
    }

    /** Starts the clients and gives the compilers time. */
    Rounds warmUp(double seconds) {
        context.progress("Warming up for %.0f s", seconds);
        run.start();
        context.progress("%.0f calls/s while warming up", run.callsPerSecond(seconds));
        return this;
    }

    /** Measures so many times so long, and stops the clients. */
    Samples measure(int rounds, double seconds) {
        double[] measured = new double[rounds];
        for (int i = 0; i < rounds; i++) {
            measured[i] = run.callsPerSecond(seconds);
            context.progress("%.0f calls/s", measured[i]);
        }
        run.stop();
        return new Samples(measured);
    }
}
