package io.reprise.execution.durable;

/** The logged form of a transaction that wrote something. */
public enum LoggingMethod {
    /** The call: procedure and arguments. A replay runs it again. */
    COMMAND,
    /** Its effect: the changed columns of the rows that it wrote. A replay only stores them. */
    PHYSIOLOGICAL,
    /** The call, or its effect where that helps a recovery most, within a quota of bytes. Footprints are logged too. */
    ADAPTIVE
}
