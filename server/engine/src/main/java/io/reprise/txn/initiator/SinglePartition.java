package io.reprise.txn.initiator;

import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.procedure.ErrorCode;

/** The bound of a node of a cluster: a transaction has one partition. */
public final class SinglePartition {
    private SinglePartition() {}

    /** Whether a routed execution was refused, with its reply, because it has several participants and is no work of the engine. */
    public static boolean refuses(Execution execution) {
        if (execution.participantCount() == 1 || execution.work() instanceof EngineWork) {
            return false;
        }
        execution.refuse(
                ErrorCode.INVALID_REQUEST,
                execution.work().name() + " needs " + execution.participantCount()
                        + " partitions, and a cluster runs transactions of one partition only; the call was not run."
                        + " Bind the partitioning column of each statement to one value");
        return true;
    }
}
