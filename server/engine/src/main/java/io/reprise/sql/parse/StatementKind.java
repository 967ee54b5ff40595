package io.reprise.sql.parse;

/** The kind of a statement, by its first word. */
public enum StatementKind {
    /** CREATE, DROP, ALTER, PARTITION: for {@link DdlParser}. */
    DDL,
    /** SELECT, VALUES, WITH, or a query in parentheses. */
    QUERY,
    /** INSERT, UPSERT, UPDATE, DELETE, MERGE, TRUNCATE. */
    DML,
    /** EXPLAIN. */
    EXPLAIN
}
