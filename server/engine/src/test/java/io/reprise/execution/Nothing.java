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
    public void checkArguments(Invocation invocation) {}

    @Override
    public void route(Invocation invocation, BucketMap buckets) {}

    @Override
    public void bind(List<Partition> partitions) {}

    @Override
    public void run(Partition partition, Invocation invocation) {}

    @Override
    public void runLent(Partition at, Invocation invocation) {}
}
