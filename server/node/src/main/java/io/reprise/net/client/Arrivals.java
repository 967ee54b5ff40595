package io.reprise.net.client;

import io.reprise.procedure.ErrorCode;
import io.reprise.wire.CallReader;
import io.reprise.wire.Wire;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Frames of calls on their way from one connection to sites: what has come in one read goes to a site together, because a site is
 * woken for what it is handed; and how much waits there, so that the connection is not read from while that is too much.
 *
 * <p>Owned by the connection's network loop, but for {@link #taken}.
 */
final class Arrivals {
    /**
     * What a frame counts for besides its bytes. Whoever sends calls one by one, and faster than they are run, is not read for a
     * while; what comes then is read together.
     */
    private static final int FRAME_WEIGHT_BYTES = 1 << 10;

    private final ClientListener listener;
    private final int mostWaitingBytes;
    private final AtomicInteger waitingBytes = new AtomicInteger();

    /** By site: the first and the last frame of this read; null as long as nothing was called, as on most connections. */
    private CallFrame[] first;

    private CallFrame[] last;
    private boolean any;

    Arrivals(ClientListener listener) {
        this.listener = listener;
        mostWaitingBytes = listener.settings().unreadBytes();
    }

    /** A frame has come for a site. Returns whether so much waits now that no more should be read. */
    boolean add(CallFrame frame, int site) {
        if (first == null) {
            first = new CallFrame[listener.sites()];
            last = new CallFrame[listener.sites()];
        }
        if (first[site] == null) {
            first[site] = frame;
        } else {
            last[site].following = frame;
        }
        last[site] = frame;
        any = true;
        return waitingBytes.addAndGet(weight(frame)) > mostWaitingBytes;
    }

    /** What has come in this read goes to the sites; where too much waits for one it is refused. */
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
                if (!listener.agent(site).offer(begin)) {
                    refuse(begin);
                }
            }
        }
    }

    private void refuse(CallFrame begin) {
        ClientConnection connection = begin.connection;
        ResultWriter replies = connection.replies();
        int at = replies.bytes().beginFrame(Wire.REPLIES);
        replies.load(QueueDelay.REFUSING);
        String why = listener.settings().framesPerSite() + " requests wait for the partition already; try again later";
        CallReader reader = new CallReader();
        for (CallFrame frame = begin; frame != null; frame = frame.following) {
            reader.over(frame.bytes, 0, frame.bytes.length);
            while (reader.next()) {
                replies.refused(reader.id(), ErrorCode.OVERLOADED, why);
            }
            connection.taken(frame);
        }
        replies.bytes().endFrame(at);
        connection.send(replies.bytes());
    }

    /** Any thread: a frame has been taken, or refused. Returns whether so little waits since then that reading may go on. */
    boolean taken(CallFrame frame) {
        int weight = weight(frame);
        int before = waitingBytes.getAndAdd(-weight);
        return before > mostWaitingBytes / 2 && before - weight <= mostWaitingBytes / 2;
    }

    /** Whether at most half of what may wait does: less often paused and resumed, a connection is read in larger pieces. */
    boolean areFew() {
        return waitingBytes.get() <= mostWaitingBytes / 2;
    }

    private static int weight(CallFrame frame) {
        return frame.bytes.length + FRAME_WEIGHT_BYTES;
    }
}
