package io.reprise.benchmark.durable;

import io.reprise.benchmark.engine.EngineRun;
import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;

/** The paper's two workloads, with as many calls under way as keep a partition busy during a pause between forces and a force. */
enum Load {
    TPCC(2_048),
    VOTER(8_192);

    /** The memory limit of the largest of several engines in one process. */
    private static final long MEMORY = 6L << 30;

    private final int window;

    Load(int window) {
        this.window = window;
    }

    /** The number of calls under way. */
    int window() {
        return window;
    }

    /** The workload; the number of warehouses matters to TPC-C only. */
    Workload workload(int warehouses) {
        return this == TPCC ? new Tpcc(TpccOptions.standard(warehouses)) : new Voter(VoterOptions.STANDARD);
    }

    /** One partition. */
    EngineRun.Setup setup(int warehouses) {
        return EngineRun.Setup.inMemory(workload(warehouses), 1, MEMORY).withWindow(window);
    }
}
