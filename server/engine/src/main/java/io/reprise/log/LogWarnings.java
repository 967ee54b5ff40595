package io.reprise.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Messages of the log to the operator. */
final class LogWarnings {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.log");

    private LogWarnings() {}

    static void blocked(String why, boolean synchronous) {
        LOG.error(
                "The log can't be written: {}. Until it can, {}, and transactions that write are refused. It is tried again ten"
                        + " times a second.",
                why,
                synchronous
                        ? "nothing that has been written is acknowledged"
                        : "what was answered last is not safe (the log is asynchronous)");
    }

    static void unblocked() {
        LOG.info("The log can be written again.");
    }

    static void scarce(String why) {
        LOG.warn(
                "The log's next segment can't be made: {}. Until it can, transactions are refused whose records are"
                        + " too large for what is left of this one. Others that write go on until little of it is left, a"
                        + " quarter at most. It is tried again ten times a second.",
                why);
    }

    static void reserved(String why) {
        LOG.error(
                "The log's next segment can't be made, and little is left of this one: {}. Transactions that write"
                        + " are refused until it can; what was done before is safe, and reads go on. It is tried"
                        + " again ten times a second.",
                why);
    }

    static void open() {
        LOG.info("The log's next segment has been made. All transactions may write.");
    }

    static void stalled(long ns) {
        LOG.warn("Writing the log took {} ms. Acknowledgements waited for the disk meanwhile.", ns / 1_000_000);
    }
}
