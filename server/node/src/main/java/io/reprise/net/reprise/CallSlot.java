package io.reprise.net.reprise;

import io.reprise.procedure.Text;
import io.reprise.wire.CallReader;
import io.reprise.wire.Wire;
import java.util.Arrays;

/** The state of a call until its transaction has ended. Reused; owned by the site's thread. */
final class CallSlot {
    private static final int FEW = 4;

    /** Thousands of slots live as long as the node, so the arrays of calls with more texts are dropped. */
    private static final int MOST_KEPT = 64;

    Outbox outbox;
    long id;
    int procedure;

    /** The client's sequence number of the call, and the number below which the client knows all outcomes. */
    long sequence;

    long acknowledged;

    /** The estimated bytes of the reply. */
    int expectedBytes;

    /** The bytes of the call in its frame, and of the objects among its arguments. */
    long bytes;

    int attempts;

    /** The frame of a call that may have to be passed on to another node; null if none is. */
    private byte[] frame;

    private int from;
    private int to;
    private long arrivedNs;

    private Text[] texts = new Text[FEW];
    private int textsUsed;

    void begin(Outbox newOutbox, CallReader call) {
        outbox = newOutbox;
        id = call.id();
        procedure = call.procedure();
        sequence = call.sequence();
        acknowledged = call.acknowledged();
        expectedBytes = 0;
        attempts = 0;
        textsUsed = 0;
    }

    /** Keeps the place of the call in its frame, until the transaction has ended. */
    void keep(byte[] newFrame, int newFrom, int newTo, long newArrivedNs) {
        frame = newFrame;
        from = newFrom;
        to = newTo;
        arrivedNs = newArrivedNs;
    }

    /** The kept call, for another node. */
    PassedCall passed(String procedureName, int partition) {
        byte[] bytes = Arrays.copyOfRange(frame, from, to);
        CallReader call = new CallReader();
        call.over(bytes, 0, bytes.length);
        call.next();
        return new PassedCall(
                Wire.CALLS, bytes, id, procedureName, sequence, acknowledged, call.timeoutMs(), arrivedNs, partition);
    }

    void end() {
        outbox = null;
        frame = null;
        if (texts.length > MOST_KEPT) {
            texts = new Text[FEW];
        }
    }

    /** A view for a string of the call's frame. */
    Text text() {
        if (textsUsed == texts.length) {
            texts = Arrays.copyOf(texts, 2 * textsUsed);
        }
        if (texts[textsUsed] == null) {
            texts[textsUsed] = new Text();
        }
        return texts[textsUsed++];
    }
}
