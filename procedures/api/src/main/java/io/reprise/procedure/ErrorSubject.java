package io.reprise.procedure;

/**
 * The subject of a failure as data, so that programs need not read its message. Names are those of the schema.
 *
 * @param kind the rule that was violated
 * @param table the table
 * @param column the column; empty if the rule is about several, or about none
 * @param constraint the constraint or the index; empty if it has no name
 */
public record ErrorSubject(Kind kind, String table, String column, String constraint) {
    /** The kinds of rules. */
    public enum Kind {
        /** NOT NULL. */
        NOT_NULL,
        /** PRIMARY KEY, UNIQUE or a unique index. */
        UNIQUE,
        /** FOREIGN KEY. */
        FOREIGN_KEY,
        /** CHECK. */
        CHECK
    }
}
