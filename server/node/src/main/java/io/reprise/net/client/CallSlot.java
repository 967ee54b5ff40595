package io.reprise.net.client;

import io.reprise.procedure.Text;
import io.reprise.wire.CallReader;
import java.util.Arrays;

/** What has to be known of a call until its transaction has ended. Reused; owned by the site's thread. */
final class CallSlot {
    private static final int FEW = 4;

    /** A slot lives as long as the node, and there are thousands: what a call with more texts needed is not kept. */
    private static final int MOST_KEPT = 64;

    Outbox outbox;
    long id;
    int procedure;

    /** Its client's number of it, and below which number that client knows all outcomes. */
    long sequence;

    long acknowledged;

    /** How many bytes of a reply are expected of it. */
    int expectedBytes;

    /** How many bytes the call has where it came, and what its arguments take besides. */
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

    /** A view to be pointed at a string of the call's frame. */
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
