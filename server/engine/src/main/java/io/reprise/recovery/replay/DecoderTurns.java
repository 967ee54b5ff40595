package io.reprise.recovery.replay;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * Has stretches of the log decoded by others, in turns, and sends what they come to in the order of the log: all of one stretch, then
 * all of the next. The replaying thread's.
 */
final class DecoderTurns {
    private final List<StretchDecoder> decoders;
    private final Lanes lanes;
    private final Consumer<Stretch> through;
    private final Deque<Turn> turns = new ArrayDeque<>();
    private int next;
    private boolean atWork;

    /** What comes next is this decoder's, until it is through with the stretch. */
    private record Turn(StretchDecoder decoder, Stretch stretch) {}

    /**
     * Nothing is under way.
     *
     * @param through told of each stretch that is through, all of it having been sent
     */
    DecoderTurns(List<StretchDecoder> decoders, Lanes lanes, Consumer<Stretch> through) {
        this.decoders = List.copyOf(decoders);
        this.lanes = lanes;
        this.through = through;
    }

    /** Whether there is nobody to take one. */
    boolean isEmpty() {
        return decoders.isEmpty();
    }

    /** Whether any have been given a stretch since {@link #settle}. */
    boolean areAtWork() {
        return atWork;
    }

    /** A stretch that the next decoder can be given when it is filled; waits for it. */
    Stretch takeStretch() {
        StretchDecoder decoder = decoders.get(next);
        Stretch stretch = decoder.takeStretch();
        while (stretch == null) {
            passOnOrWait();
            stretch = decoder.takeStretch();
        }
        return stretch;
    }

    /** It was not needed after all. */
    void putBack(Stretch stretch) {
        decoders.get(next).putBack(stretch);
    }

    /** Has a stretch decoded that was taken from here. */
    void decode(Stretch filled) {
        atWork = true;
        StretchDecoder decoder = decoders.get(next);
        decoder.decode(filled);
        take(decoder, filled);
    }

    private void take(StretchDecoder decoder, Stretch stretch) {
        turns.add(new Turn(decoder, stretch));
        next = (next + 1) % decoders.size();
        passOn();
    }

    /** Waits until all has been sent, and the decoders have given back what places they had. */
    void settle() {
        if (!atWork) {
            return;
        }
        atWork = false;
        for (int i = 0; i < decoders.size(); i++) {
            StretchDecoder decoder = decoders.get(next);
            take(decoder, decoder.settle());
        }
        while (!turns.isEmpty()) {
            passOnOrWait();
        }
    }

    private void passOnOrWait() {
        if (passOn() + lanes.collect() == 0) {
            lanes.waitForOthers();
        }
    }

    /** Sends what has been decoded, and whose turn it is. */
    private int passOn() {
        int count = 0;
        while (!turns.isEmpty()) {
            Turn turn = turns.peek();
            AutoCloseable decoded = turn.decoder.next();
            if (decoded == null) {
                break;
            }
            count++;
            if (decoded instanceof DataRun run) {
                lanes.send(run);
            } else {
                turns.poll();
                through.accept(turn.stretch);
                turn.decoder.putBack(turn.stretch);
            }
        }
        if (count > 0) {
            lanes.wakeAll();
        }
        return count;
    }

    /** What is under way is of no use any more. */
    void stop() {
        decoders.forEach(StretchDecoder::stop);
    }
}
