package io.reprise.sql.compile.operator;

import io.reprise.sql.physical.PlanNode;

/** Emits a write, and the use of each written row. Kept apart from {@link Operators}, which the writes themselves use. */
@FunctionalInterface
public interface WriteEmitter {
    /**
     * Emits a write.
     *
     * @param written emits the use of a row: after its change, before its deletion
     */
    void emit(Operators operators, PlanNode.Write write, Written written);

    /** Emits the use of a written row. */
    @FunctionalInterface
    interface Written {
        /**
         * Emits it.
         *
         * @param address the local with the row's address
         * @param number the local with the row's number, of a numbered insert
         */
        void emit(int address, int number);
    }
}
