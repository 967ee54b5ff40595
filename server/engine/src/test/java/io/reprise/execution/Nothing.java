package io.reprise.execution;

import io.reprise.sql.compile.StatementFactory;
import java.util.List;

/** A work that does nothing, for tests of those who only look at what kind of work it is. */
public final class Nothing extends Work {
    private final boolean splits;
    private final boolean readOnly;

    public Nothing(boolean splits, boolean readOnly) {
        super("Nothing");
        this.splits = splits;
        this.readOnly = readOnly;
    }

    @Override
    public boolean splits() {
        return splits;
    }

    @Override
    public boolean readOnly() {
        return readOnly;
    }

    @Override
    public Scope scope() {
        return Scope.PARTITION;
    }

    @Override
    public List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public void checkArguments(Execution execution) {}

    @Override
    public void route(Execution execution, BucketMap buckets) {}

    @Override
    public void bind(List<Partition> partitions) {}

    @Override
    public void run(Partition partition, Execution execution) {}

    @Override
    public void runLent(Partition at, Execution execution) {}
}
