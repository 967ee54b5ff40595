package io.reprise.engine.replication;

import io.reprise.execution.Admission;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.procedure.ErrorCode;
import java.util.function.Supplier;

/**
 * The admission of a partition that this node does not lead: only the engine's own works may run.
 *
 * @param partition the partition's id
 * @param leader names the node that leads; empty if none is known
 */
public record Refusal(int partition, Supplier<String> leader) implements Admission {
    /** The beginning of a message. */
    static String unreached(int partition, int leader) {
        return "partition " + partition + " is led by node " + leader + ", and this node and node " + leader
                + " do not hear each other: mend the network between them; ";
    }

    @Override
    public boolean admits(Execution execution) {
        if (execution.work() instanceof EngineWork) {
            return true;
        }
        String of = leader.get();
        if (of.isEmpty()) {
            execution
                    .outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "no node leads partition " + partition
                                    + " at present; the call was not run. Try again later");
        } else {
            execution
                    .outcome()
                    .fail(
                            ErrorCode.MOVED,
                            "partition " + partition + " is led by " + of + "; the call was not run here");
        }
        return false;
    }
}
