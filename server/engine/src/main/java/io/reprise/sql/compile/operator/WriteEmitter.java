package io.reprise.sql.compile.operator;

import io.reprise.sql.physical.PlanNode;
import java.util.function.IntConsumer;

/** Emits a write, and the use of each written row. Kept apart from {@link Operators}, which the writes themselves use. */
@FunctionalInterface
public interface WriteEmitter {
    /**
     * Emits a write.
     *
     * @param written emits the use of a row, whose address is in a local: after its change, before its deletion
     */
    void emit(Operators operators, PlanNode.Write write, IntConsumer written);
}
