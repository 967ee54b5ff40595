package io.reprise.client;

import io.reprise.wire.Wire;
import io.reprise.wire.message.Resolve;

/**
 * For how long nothing has come from a server. Half way to the limit it is asked something, so that a connection whose other
 * end has vanished is noticed though nobody closed it. The network thread's.
 */
final class Silence {
    private final long limitNs;
    private long heardNs = System.nanoTime();
    private boolean asked;

    /** Silence that may last so long; 0: for ever. */
    Silence(long limitNs) {
        this.limitNs = limitNs;
    }

    /** Something has come. */
    void broken() {
        heardNs = System.nanoTime();
        asked = false;
    }

    boolean isTooLong(long nowNs) {
        return limitNs != 0 && nowNs - heardNs > limitNs;
    }

    /** From time to time: asks, if it is time for it. */
    void check(long nowNs, FrameSender sender) {
        if (limitNs != 0 && nowNs - heardNs > limitNs / 2 && !asked) {
            asked = true;
            sender.send(Wire.RESOLVE, Resolve.getDefaultInstance());
        }
    }
}
