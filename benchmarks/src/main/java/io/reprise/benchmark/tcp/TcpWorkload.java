package io.reprise.benchmark.tcp;

import io.reprise.workload.Workload;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import io.reprise.workload.voter.Voter;
import io.reprise.workload.voter.VoterOptions;

/** What both processes have to agree on. */
enum TcpWorkload {
    VOTER,
    TPCC;

    private static final int WAREHOUSES = 4;

    Workload workload() {
        return this == TPCC ? new Tpcc(TpccOptions.standard(WAREHOUSES)) : new Voter(VoterOptions.STANDARD);
    }
}
