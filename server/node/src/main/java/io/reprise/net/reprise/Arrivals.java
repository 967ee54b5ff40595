package io.reprise.net.reprise;

import io.reprise.net.session.QueueDelay;
import io.reprise.procedure.ErrorCode;
import io.reprise.wire.CallReader;
import io.reprise.wire.MessageWriter;
import io.reprise.wire.Wire;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The frames of calls on their way from one connection to sites. All frames of a read go to their site together, because each
 * hand-over wakes the site. The bytes that wait at sites are counted, so that the connection is not read while they are too many.
 *
 * <p>Owned by the connection's network loop, except {@link #taken}.
 */
final class Arrivals {
    private final FrameQueue[] sites;
    private final int maxWaitingBytes;
    private final String full;
    private final AtomicInteger waitingBytes = new AtomicInteger();

    /** The first and the last frame of this read by site; null before the first call, as on most connections. */
    private CallFrame[] first;

    private CallFrame[] last;
    private boolean any;

    Arrivals(FrameQueue[] sites, int maxWaitingBytes, int framesPerSite) {
        this.sites = sites;
        this.maxWaitingBytes = maxWaitingBytes;
        full = framesPerSite + " requests wait for the partition already; try again later";
    }

    /** Adds a frame for a site. Returns whether so much waits that reading should pause. */
    boolean add(CallFrame frame, int site) {
        if (first == null) {
            first = new CallFrame[sites.length];
            last = new CallFrame[sites.length];
        }
        if (first[site] == null) {
            first[site] = frame;
        } else {
            last[site].following = frame;
        }
        last[site] = frame;
        any = true;
        return waitingBytes.addAndGet(frame.weight()) > maxWaitingBytes;
    }

    /** Hands the frames of this read to their sites; a full site rejects them. */
    void handOver() {
        if (!any) {
            return;
        }
        any = false;
        for (int site = 0; site < first.length; site++) {
            CallFrame begin = first[site];
            if (begin != null) {
                first[site] = null;
                last[site] = null;
                if (!sites[site].offer(begin)) {
                    reject(begin);
                }
            }
        }
    }

    private void reject(CallFrame begin) {
        CallSource source = begin.source();
        ResultWriter replies = ResultWriter.ofOneReply(0);
        MessageWriter bytes = replies.bytes();
        int at = bytes.beginFrame(Wire.REPLIES);
        replies.load(QueueDelay.REFUSING);
        CallReader reader = new CallReader();
        for (CallFrame frame = begin; frame != null; frame = frame.following) {
            reader.over(frame.bytes, 0, frame.bytes.length);
            while (reader.next()) {
                replies.refused(reader.id(), ErrorCode.OVERLOADED, full);
            }
            source.taken(frame.weight());
        }
        bytes.endFrame(at);
        source.send(bytes);
    }

    /** Any thread: a frame was taken or rejected. Returns whether reading may go on since then. */
    boolean taken(int weight) {
        int before = waitingBytes.getAndAdd(-weight);
        return before > maxWaitingBytes / 2 && before - weight <= maxWaitingBytes / 2;
    }

    /** Any thread: whether a frame waits for its site. */
    boolean areWaiting() {
        return waitingBytes.get() > 0;
    }

    /** Whether at most half of the allowed bytes wait; this hysteresis lets a paused connection be read in larger pieces. */
    boolean areFew() {
        return waitingBytes.get() <= maxWaitingBytes / 2;
    }
}
