package io.reprise.execution.durable;

import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;

/** A work of the engine itself that is logged in a form of its own, whether or not it wrote rows. */
public interface SelfLogged {
    /** The kind of its record. */
    RecordKind recordKind();

    /** Writes the record's payload. Called once, by the thread that holds all participants, when it has succeeded. */
    void writeRecord(RecordBuilder record);

    /** The kind of a second record directly behind the first, or null if there is none. */
    default RecordKind secondKind() {
        return null;
    }

    /** Writes the second record's payload. */
    default void writeSecond(RecordBuilder record) {
        throw new UnsupportedOperationException("the work has no second record");
    }
}
