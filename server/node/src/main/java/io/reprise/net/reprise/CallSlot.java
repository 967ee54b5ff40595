package io.reprise.net.reprise;

import io.reprise.procedure.Text;
import io.reprise.wire.CallReader;
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

    void end() {
        outbox = null;
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
