package io.reprise.engine;

import io.reprise.execution.durable.SelfLogged;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import java.util.function.Supplier;

/**
 * Hashes the content of all tables at the end, for the recovery that begins there. Holds all partitions while it
 * looks.
 */
final class StateHashWork extends AdministrationWork implements SelfLogged {
    private final Result result;

    /** The action's result for the record. */
    private static final class Result {
        private byte[] encoded;
    }

    private StateHashWork(Supplier<StateHash> state, Result result) {
        super("state hash", () -> result.encoded = state.get().encode());
        this.result = result;
    }

    static StateHashWork of(Supplier<StateHash> state) {
        return new StateHashWork(state, new Result());
    }

    @Override
    public RecordKind recordKind() {
        return RecordKind.STATE_HASH;
    }

    @Override
    public void writeRecord(RecordBuilder record) {
        record.putBytes(result.encoded);
    }
}
