package io.reprise.log;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What the log tells the operator. */
final class LogWarnings {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.log");

    private LogWarnings() {}

    static void blocked(String why) {
        LOG.error(
                "The log can't be written: {}. Until it can, no transaction that writes is acknowledged, and new ones are"
                        + " refused when the buffers are full. It is tried again ten times a second.",
                why);
    }

    static void unblocked() {
        LOG.info("The log can be written again.");
    }

    static void noSpaceAhead(String why) {
        LOG.warn(
                "There is no room for the log's next segment: {}. Transactions go on until the current segment is full;"
                        + " make room before that.",
                why);
    }
}
