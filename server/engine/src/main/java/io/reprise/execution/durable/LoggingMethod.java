package io.reprise.execution.durable;

/** The logged form of a transaction that wrote something. */
public enum LoggingMethod {
    /** The call: procedure and arguments. A replay runs it again. */
    COMMAND,
    /** Its effect: the changed columns of the rows that it wrote. A replay only stores them. */
    PHYSIOLOGICAL,
    /**
     * The call. A transaction over several partitions leaves its call with the answers that it got from elsewhere, and its effect there, so
     * that each partition is replayed alone.
     */
    BOUNDARY,
    /** The call, or its effect where that helps a recovery most, within a quota of bytes. Footprints are logged too. */
    ADAPTIVE
}
