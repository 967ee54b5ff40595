package io.reprise.sql.parse;

/** What a statement is, by its first word. */
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
