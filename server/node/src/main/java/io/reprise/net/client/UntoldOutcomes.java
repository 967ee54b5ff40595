package io.reprise.net.client;

import io.reprise.runtime.LogThrottle;
import io.reprise.runtime.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Tells the node's log of outcomes that could not be made replies, and ends connections whose clients would wait for them in vain. Any thread. */
final class UntoldOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    private final LogThrottle throttle = new LogThrottle();
    private final Clock clock;

    UntoldOutcomes(Clock clock) {
        this.clock = clock;
    }

    /**
     * What a call of this connection came to could not be told as it was.
     *
     * @param replied the client has been told that
     */
    void tell(ClientConnection connection, Throwable problem, boolean replied) {
        try {
            throttle.tell(
                    clock.nanoTime(),
                    others -> LOG.error(
                            "What a call of {} came to could not be sent{}",
                            connection.remoteAddress(),
                            others,
                            problem));
            if (!replied) {
                connection.cutOff("what a call came to could not be sent: " + problem);
            }
        } catch (OutOfMemoryError noMemory) {
            // The log is not worth a site's thread, and the client has a timeout.
        }
    }
}
