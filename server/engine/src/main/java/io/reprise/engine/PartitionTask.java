package io.reprise.engine;

import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import java.util.function.Consumer;

/** A short task of the engine at one partition, between two transactions. It needs no loaded rows and leaves no record. */
final class PartitionTask extends EngineWork {
    private final Consumer<Partition> task;
    private final Consumer<PartitionTask> done;
    private Throwable failure;

    /**
     * A task.
     *
     * @param done is told on the partition's thread when it has run
     */
    PartitionTask(String name, Consumer<Partition> task, Consumer<PartitionTask> done) {
        super(name);
        this.task = task;
        this.done = done;
    }

    /** An execution of it at a partition. */
    Execution at(int partition) {
        Execution execution = new Execution().withoutResult();
        execution.prepare(this, ended -> {}, 0);
        execution.sendTo(partition);
        return execution;
    }

    /** The exception that it has thrown, or null. */
    Throwable failure() {
        return failure;
    }

    @Override
    public boolean needsRows() {
        return false;
    }

    @Override
    public void run(Partition partition, Execution running) {
        try {
            task.accept(partition);
        } catch (RuntimeException | StackOverflowError e) {
            failure = e;
        }
        done.accept(this);
    }
}
