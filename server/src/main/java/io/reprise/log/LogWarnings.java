package io.reprise.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log tells the operator. */
final class LogWarnings {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.log");

    private LogWarnings() {}

    static void blocked(String why) {
        LOG.error(
                "The log can't be written: {}. Until it can, nothing that has been written is acknowledged, and"
                        + " transactions that write are refused. It is tried again ten times a second.",
                why);
    }

    static void unblocked() {
        LOG.info("The log can be written again.");
    }

    static void reserved(String why) {
        LOG.error(
                "There is no room for the log's next segment, and little is left of this one: {}. Transactions that write"
                        + " are refused until there is room; what was done before is safe, and reads go on. It is tried"
                        + " again ten times a second.",
                why);
    }

    static void open() {
        LOG.info("There is room for the log again. Transactions may write.");
    }

    static void stalled(long ns) {
        LOG.warn(
                "Writing the log took {} ms. What was to be acknowledged waited for the disk meanwhile.",
                ns / 1_000_000);
    }

    static void noSpaceAhead(String why) {
        LOG.warn(
                "There is no room for the log's next segment: {}. Transactions that write go on until little is left of the"
                        + " current segment, a quarter of it at most; make room before that.",
                why);
    }
}
