package io.reprise.net.reprise;

import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.wire.CallReader;
import io.reprise.wire.MalformedMessageException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The calls that wait at a site: frames in a bounded ring, and frames held back because their clients leave replies unread. It reads
 * one call after the other, and skips frames of closed connections. Owned by the site's thread, except {@link #offer}.
 */
final class CallIntake implements FrameQueue {
    private final MpscRing<CallFrame> inbound;

    /** The connections that have frames held back. */
    private final List<Outbox> heldBack = new ArrayList<>();

    private final CallReader reader = new CallReader();
    private CallFrame frame;
    private MemorySegment frameSegment;

    /** The bytes of replies that the frame's connection may still be given; at most 0: it has to be computed again. */
    private long allowance;

    private int callFrom;

    CallIntake(int frames, Waker waker) {
        inbound = new MpscRing<>(frames, waker);
    }

    @Override
    public boolean offer(CallFrame newFrame) {
        return inbound.offer(newFrame);
    }

    /** Moves to the next call; false if none waits whose client has room for replies. */
    boolean next() {
        while (frame != null || nextFrame()) {
            if (!frame.source().isOpen()) {
                endFrame();
            } else if (allowance <= 0 && !hasAllowance()) {
                holdBack();
            } else if (read()) {
                return true;
            }
        }
        return false;
    }

    private boolean read() {
        try {
            callFrom = reader.position();
            if (reader.next()) {
                return true;
            }
            endFrame();
        } catch (MalformedMessageException malformed) {
            endMalformed(malformed);
        }
        return false;
    }

    /** The call at hand; its arguments are read from it. */
    CallReader call() {
        return reader;
    }

    /** The state of the call's connection at this site. */
    Outbox outbox() {
        return frame.outbox;
    }

    /** The time when the call arrived. */
    long arrivedNs() {
        return frame.arrivedNs;
    }

    /** The bytes of the call. */
    long callBytes() {
        return (long) reader.position() - callFrom;
    }

    /** Has the slot keep the call at hand, because it may have to be passed on. */
    void keep(CallSlot slot) {
        slot.keep(frame.bytes, callFrom, reader.position(), frame.arrivedNs);
    }

    /** The bytes of the call's frame. */
    MemorySegment frameSegment() {
        if (frameSegment == null) {
            frameSegment = MemorySegment.ofArray(frame.bytes);
        }
        return frameSegment;
    }

    /** The call begins, and its reply may have this many bytes. */
    void expect(int bytes) {
        allowance -= bytes;
    }

    /** The call was rejected, so its reply came unexpected: the allowance is computed again. */
    void rejected() {
        allowance = 0;
    }

    /** The frame violates the protocol: ends its connection. */
    void endMalformed(MalformedMessageException malformed) {
        frame.source().closeMalformed(malformed.getMessage());
        endFrame();
    }

    /** Whether a frame is held back that need not be any more. */
    boolean mayRelease() {
        for (int i = 0; i < heldBack.size(); i++) {
            if (heldBack.get(i).room() >= 0) {
                return true;
            }
        }
        return false;
    }

    /** Computed only when it is used up, because other threads write to what it depends on. */
    private boolean hasAllowance() {
        allowance = 1 + frame.outbox.room();
        return allowance > 0;
    }

    /** Takes the first frame that waits; frames behind held back ones of their connection join those. */
    private boolean nextFrame() {
        CallFrame found = heldBack.isEmpty() ? null : releasedFrame();
        while (found == null) {
            found = inbound.poll();
            if (found == null) {
                return false;
            }
            if (found.outbox.holdsBack()) {
                found.outbox.holdBack(found);
                found = null;
            }
        }
        begin(found);
        return true;
    }

    private void begin(CallFrame next) {
        frame = next;
        frameSegment = null;
        allowance = 0;
        reader.over(frame.bytes, frame.next, frame.bytes.length - frame.next);
    }

    /** Takes a held back frame whose client has read on, or has gone. */
    private CallFrame releasedFrame() {
        for (int i = 0; i < heldBack.size(); i++) {
            Outbox outbox = heldBack.get(i);
            if (outbox.room() >= 0 || !outbox.source.isOpen()) {
                CallFrame released = outbox.takeHeldBack();
                if (!outbox.holdsBack()) {
                    heldBack.remove(i);
                }
                return released;
            }
        }
        return null;
    }

    /** Holds the frame back until its client has read replies; other connections go on. */
    private void holdBack() {
        frame.next = reader.position();
        Outbox outbox = frame.outbox;
        if (outbox.holdsBack()) {
            // The frame was taken from the front and returns there: the others follow behind it.
            outbox.holdBackFirst(frame);
        } else {
            outbox.holdBack(frame);
            heldBack.add(outbox);
        }
        frame = null;
    }

    private void endFrame() {
        CallFrame following = frame.following;
        frame.source().taken(frame.weight());
        frame = null;
        if (following != null) {
            begin(following);
        }
    }
}
