package io.reprise.runtime;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Ends the process at once, as if its power were cut: state that failed a check must not be flushed by shutdown hooks
 * or by threads that still run. What was acknowledged is in the log, and recovery is the only way back.
 */
public final class HaltingFailureHandler implements FailureHandler {
    /** The exit status that says "fatal failure, look into the log" to whoever supervises the process. */
    public static final int EXIT_STATUS = 70;

    private static final Logger LOG = LoggerFactory.getLogger(HaltingFailureHandler.class);

    private final String node;

    /** Halts the process that runs the named node. */
    public HaltingFailureHandler(String node) {
        this.node = node;
    }

    @Override
    public void onFatal(String where, Throwable cause) {
        try {
            LOG.error("Node {} halts: {} failed and can't go on. Start it again to recover.", node, where, cause);
        } finally {
            Runtime.getRuntime().halt(EXIT_STATUS);
        }
    }
}
