package io.reprise.sql.bind;

import io.reprise.catalog.Table;
import java.util.Optional;

/**
 * A value of a sequence that a statement takes. It is drawn before the statement runs, and is a parameter behind those of the client:
 * so a replay of the statement has the same value.
 *
 * @param sequence the table with the sequence's state; empty for LAST and UUID
 * @param value of SET: the value
 * @param parameter of SET: the client's parameter that has the value, from 0; -1: none
 * @param called of SET: whether the value counts as handed out
 */
public record SequenceUse(Kind kind, Optional<Table> sequence, long value, int parameter, boolean called) {
    /** NEXTVAL, CURRVAL, LASTVAL, SETVAL and GEN_RANDOM_UUID. */
    public enum Kind {
        NEXT,
        CURRENT,
        LAST,
        SET,
        UUID
    }

    /** Whether its value is a parameter of its own. */
    public boolean isParameter() {
        return kind != Kind.SET;
    }

    /** Whether it changes the sequence. */
    public boolean changes() {
        return kind == Kind.NEXT || kind == Kind.SET;
    }
}
