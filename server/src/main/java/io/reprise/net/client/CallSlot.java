package io.reprise.net.client;

import io.reprise.procedure.Text;
import java.util.Arrays;

/** What has to be known of a call until its transaction has ended. Reused; owned by the site's thread. */
final class CallSlot {
    private static final int FEW = 4;

    Outbox outbox;
    long id;
    int procedure;
    int attempts;
    private Text[] texts = new Text[FEW];
    private int textsUsed;

    void begin(Outbox newOutbox, long newId, int newProcedure) {
        outbox = newOutbox;
        id = newId;
        procedure = newProcedure;
        attempts = 0;
        textsUsed = 0;
    }

    void end() {
        outbox = null;
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
