package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import java.util.function.LongConsumer;

/** Something that the engine itself does while it holds all partitions, between two transactions everywhere. */
class AdministrationWork extends EngineWork {
    private final LongConsumer action;
    private boolean needsRows = true;

    AdministrationWork(String name, Runnable action) {
        this(name, transactionId -> action.run());
    }

    /** The action is told the id of the transaction. */
    AdministrationWork(String name, LongConsumer action) {
        super(name);
        this.action = action;
    }

    /** For an action that is about no rows, so that it need not wait until they are loaded. */
    AdministrationWork withoutRows() {
        needsRows = false;
        return this;
    }

    @Override
    public boolean needsRows() {
        return needsRows;
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        execution.routeBy(buckets);
        for (int partition = 0; partition < buckets.partitions(); partition++) {
            execution.addParticipant(partition);
        }
    }

    @Override
    public void run(Partition partition, Execution execution) {
        action.accept(execution.id());
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        action.accept(execution.id());
    }
}
