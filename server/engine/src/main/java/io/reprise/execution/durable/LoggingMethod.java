package io.reprise.execution.durable;

/** What is logged of a transaction that wrote something. */
public enum LoggingMethod {
    /** What was called: procedure and arguments. A replay runs it again. */
    COMMAND,
    /** What it left behind: the changed columns of the rows that it wrote. A replay only stores them. */
    PHYSIOLOGICAL
}
