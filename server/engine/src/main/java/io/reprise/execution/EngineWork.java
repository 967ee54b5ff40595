package io.reprise.execution;

import io.reprise.sql.compile.StatementFactory;
import java.util.List;

/**
 * The engine's own task at partitions, without a user's statements, without arguments and without a time limit. The maker
 * of the execution routes it, unless the task knows its partitions itself. It has one participant, unless it says otherwise.
 */
public abstract class EngineWork extends Work {
    /** A work with a name for messages. */
    protected EngineWork(String name) {
        super(name, false);
    }

    @Override
    public final boolean readOnly() {
        return false;
    }

    @Override
    public final Scope scope() {
        return Scope.MULTI;
    }

    @Override
    public void route(Execution execution, BucketMap buckets) {
        throw new UnsupportedOperationException(name() + ": the maker of the execution routes it");
    }

    @Override
    public void runLent(Partition at, Execution execution) {
        throw new UnsupportedOperationException(name() + ": it has one participant");
    }

    @Override
    public final List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public final void checkArguments(Execution execution) {}

    @Override
    public final void bind(List<Partition> partitions) {}
}
