package io.reprise.execution.durable.adaptive;

/**
 * The logging of a procedure's transactions, and its reasons.
 *
 * @param commands transactions logged as commands
 * @param data transactions logged as data
 * @param commandBytes bytes of a command, on average
 * @param dataBytes bytes of a data record, on average
 * @param commandNs expected time to run one again
 * @param chainNs expected time to run again the commands that one depends on
 * @param benefit expected replay nanoseconds that a data record saves for each byte, if its rows are not written again soon
 * @param threshold the benefit from which transactions are logged as data at present
 */
public record LoggingStats(
        long commands,
        long data,
        double commandBytes,
        double dataBytes,
        double commandNs,
        double chainNs,
        double benefit,
        double threshold) {}
