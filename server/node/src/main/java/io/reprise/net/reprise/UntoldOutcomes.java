package io.reprise.net.reprise;

import io.reprise.runtime.LogThrottle;
import io.reprise.runtime.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reports outcomes that could not be encoded as replies to the node's log, and ends connections whose clients would wait in vain. Any
 * thread.
 */
final class UntoldOutcomes {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.clients");

    private final LogThrottle throttle = new LogThrottle();
    private final Clock clock;

    UntoldOutcomes(Clock clock) {
        this.clock = clock;
    }

    /**
     * The outcome of a call could not be encoded.
     *
     * @param replied whether the client got a failure instead
     */
    void report(CallSource source, Throwable problem, boolean replied) {
        try {
            throttle.tell(
                    clock.nanoTime(),
                    others -> LOG.error(
                            "The outcome of a call of {} could not be sent{}",
                            source.remoteAddress(),
                            others,
                            problem));
            if (!replied) {
                source.cutOff("the outcome of a call could not be sent: " + problem);
            }
        } catch (OutOfMemoryError noMemory) {
            // A log message is not worth a site's thread, and the client has a timeout.
        }
    }
}
