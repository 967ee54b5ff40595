package io.reprise.execution;

import io.reprise.sql.compile.StatementFactory;
import java.util.List;

/**
 * The engine's own task at partitions: no statement of a user's, without arguments, and as long as it takes. The
 * maker of the execution routes it.
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
    public final List<StatementFactory> statements() {
        return List.of();
    }

    @Override
    public final void checkArguments(Execution execution) {}

    @Override
    public final void bind(List<Partition> partitions) {}
}
