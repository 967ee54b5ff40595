package io.reprise.client;

import io.reprise.wire.Wire;
import io.reprise.wire.message.Resolve;

/**
 * The time for which nothing has come from a server. Half way to the limit it is asked something, so that a
 * connection whose other end has vanished is noticed although no side closed it. It has the other half to answer,
 * however late it was asked: if this process stood still, the elapsed time says nothing of the server. The network
 * thread's.
 */
final class Silence {
    /** The time for a sign of life of a server that the cluster has replaced. */
    private static final long SUSPECT_NS = 300_000_000;

    private final long limitNs;
    private long heardNs = System.nanoTime();
    private long askedNs;
    private boolean asked;
    private boolean suspected;
    private long suspectedNs;

    /** Silence that may last so long; 0: for ever. */
    Silence(long limitNs) {
        this.limitNs = limitNs;
    }

    /** Something has come. */
    void broken() {
        heardNs = System.nanoTime();
        asked = false;
        suspected = false;
    }

    /** The server is asked for a sign of life now. */
    void suspect(long nowNs, FrameSender sender) {
        if (!suspected) {
            suspected = true;
            suspectedNs = nowNs;
            sender.send(Wire.RESOLVE, Resolve.getDefaultInstance());
        }
    }

    /** Whether a suspected server has shown no sign of life. */
    boolean isSuspectTooLong(long nowNs) {
        return suspected && nowNs - suspectedNs > SUSPECT_NS;
    }

    /** Whether the server was asked, and has not answered in time. */
    boolean isTooLong(long nowNs) {
        return asked && nowNs - askedNs > limitNs / 2;
    }

    /** From time to time: asks, if it is time for it. */
    void check(long nowNs, FrameSender sender) {
        if (limitNs != 0 && nowNs - heardNs > limitNs / 2 && !asked) {
            asked = true;
            askedNs = nowNs;
            sender.send(Wire.RESOLVE, Resolve.getDefaultInstance());
        }
    }
}
