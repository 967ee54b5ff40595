package io.reprise.execution;

import io.reprise.snapshot.SweptOutcomes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/**
 * A partition's {@link Outcomes} as they are at a snapshot's moment: made a few clients at a time between transactions, because
 * of millions of outcomes all of it would take as long as thousands of transactions. A client of which something is about to change is taken before.
 *
 * <pre>
 * client, each:  8 id | 8 last transaction id | 8 confirmed below | 8 highest number | 4 number of outcomes | outcome ...
 * outcome:       8 sequence | 1 kind of result | 8 word        all little endian
 * </pre>
 */
final class OutcomesImage implements SweptOutcomes {
    /** The number of places for clients passed at once, and the number of bytes after which that is enough. */
    private static final int PLACES_AT_ONCE = 64;

    private static final int BYTES_AT_ONCE = 64 << 10;

    private static final ClientOutcomes[] NONE = {};

    private final Supplier<ClientOutcomes[]> clients;
    private ClientOutcomes[] places = NONE;
    private int passed;
    private int number;
    private boolean open;
    private List<ByteBuffer> parts = new ArrayList<>();
    private ByteBuffer part = ByteBuffer.allocate(0);

    /**
     * An image that can be made again and again.
     *
     * @param clients the present outcomes: an array to which others may be added, but in which none is replaced
     */
    OutcomesImage(Supplier<ClientOutcomes[]> clients) {
        this.clients = clients;
    }

    @Override
    public void begin() {
        places = clients.get();
        passed = 0;
        number++;
        open = true;
    }

    /** A client that comes now is not in the image that is being made. */
    void isNew(ClientOutcomes of) {
        of.image = number;
    }

    /** Something of a client is about to change. */
    void beforeChange(ClientOutcomes of) {
        if (open && of.image != number) {
            take(of);
        }
    }

    @Override
    public boolean sweep() {
        int stop = Math.min(places.length, passed + PLACES_AT_ONCE);
        for (int bytes = 0; passed < stop && bytes < BYTES_AT_ONCE; passed++) {
            ClientOutcomes of = places[passed];
            if (of != null && of.image != number) {
                bytes += take(of);
            }
        }
        return passed < places.length;
    }

    private int take(ClientOutcomes of) {
        of.image = number;
        int most = of.mostBytes();
        if (part.remaining() < most) {
            part = ByteBuffer.allocate(Math.max(most, BYTES_AT_ONCE)).order(ByteOrder.LITTLE_ENDIAN);
            parts.add(part);
        }
        of.encode(part);
        return most;
    }

    @Override
    public List<ByteBuffer> end() {
        List<ByteBuffer> made = parts;
        made.forEach(ByteBuffer::flip);
        close();
        return made;
    }

    @Override
    public void giveUp() {
        close();
    }

    private void close() {
        open = false;
        places = NONE;
        parts = new ArrayList<>();
        part = ByteBuffer.allocate(0);
    }
}
