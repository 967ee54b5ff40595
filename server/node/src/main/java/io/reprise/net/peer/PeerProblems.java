package io.reprise.net.peer;

import io.reprise.runtime.LogText;
import io.reprise.runtime.LogThrottle;
import io.reprise.runtime.time.Clock;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The reasons why connections between nodes failed: the last one of each address, and the log, once a second. Any thread. */
final class PeerProblems {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.peers");

    private final Clock clock;
    private final LogThrottle incoming = new LogThrottle();
    private final LogThrottle outgoing = new LogThrottle();
    private final Map<String, String> byAddress = new ConcurrentHashMap<>();

    PeerProblems(Clock clock) {
        this.clock = clock;
    }

    /** A connection to a peer failed. The same problem is logged once. */
    void connecting(String address, String why) {
        String problem = LogText.of(why, PeerHello.MOST_BYTES);
        if (!problem.equals(byAddress.put(address, problem))) {
            outgoing.tell(
                    clock.nanoTime(), others -> LOG.warn("No link to the node at {}: {}{}", address, problem, others));
        }
    }

    /** A connection to a peer was made. */
    void connected(String address) {
        byAddress.remove(address);
    }

    /** A peer's connection was refused, or ended because of the peer. */
    void accepted(Object address, String why) {
        incoming.tell(
                clock.nanoTime(),
                others -> LOG.warn(
                        "The peer at {} is refused: {}{}", address, LogText.of(why, PeerHello.MOST_BYTES), others));
    }

    SortedMap<String, String> all() {
        return new TreeMap<>(byAddress);
    }
}
