package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.engine.RecoveryReport;
import io.reprise.workload.Workload;
import java.util.Arrays;

/**
 * A database that is run, ended and opened again within this process. The end leaves no record in the log and no snapshot, so a log can be
 * replayed again and again. A hash over all rows compares the content before and after.
 */
final class Restarts implements AutoCloseable {
    private EngineRun.Setup setup;
    private EngineRun run;

    /** A loaded database in the setup's directory. */
    Restarts(EngineRun.Setup setup) {
        this.setup = setup;
        run = EngineRun.load(setup);
    }

    EngineRun run() {
        return run;
    }

    /** Makes a snapshot, from which the next recovery begins. */
    void snapshot() {
        if (!run.engine().snapshot().succeeded()) {
            throw new IllegalStateException("the snapshot failed");
        }
    }

    /** Runs calls as fast as they are answered. */
    void work(Workload workload, double seconds) {
        run.start(workload, 0);
        EngineRun.sleep(seconds);
        run.stop();
    }

    /** Ends the engine, and opens it with a setup of the same directory. */
    RecoveryReport restart(EngineRun.Setup next) {
        setup = next;
        return restart();
    }

    /** Ends the engine, and opens it again. */
    RecoveryReport restart() {
        long[] hashes = run.engine().contentHashes();
        run.close();
        run = EngineRun.reopen(setup);
        if (!Arrays.equals(hashes, run.engine().contentHashes())) {
            throw new IllegalStateException("what was recovered is not what was there");
        }
        return run.engine().recovery();
    }

    @Override
    public void close() {
        run.close();
    }
}
