package io.reprise.execution.durable.adaptive;

/** A form of a transaction's log record. */
public enum LoggedForm {
    /** The call. */
    COMMAND,
    /** The changed rows. */
    DATA,
    /** The call with the answers from other partitions, and the rows that it changed there. Only of several partitions. */
    BOUNDARY
}
