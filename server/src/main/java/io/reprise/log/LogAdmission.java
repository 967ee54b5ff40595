package io.reprise.log;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Whether transactions that write may commit, as far as the disk is concerned. Set by the log writer, read by any thread.
 *
 * <pre>
 *  OPEN --no room for the next segment, and little left of this one--> RESERVED --there is room--> OPEN
 *  OPEN, RESERVED --a write finds no space, or is refused as read-only--> BLOCKED --it succeeds--> OPEN, RESERVED
 * </pre>
 *
 * <p>RESERVED comes before the disk's end is felt: what is left of the segment is kept for what has run already, and for
 * the engine's own records, so that nobody waits and reads go on. Only where there is no warning, as with a file system
 * that turns read-only, do transactions that have run wait in BLOCKED.
 */
public final class LogAdmission {
    private static final State OPEN = new State(null, false);

    private final AtomicReference<State> state = new AtomicReference<>(OPEN);

    private record State(String why, boolean blocked) {}

    /** Open, until a writer closes it. */
    public LogAdmission() {}

    /** Whether transactions may write. */
    public boolean isOpen() {
        return state.getAcquire() == OPEN;
    }

    /** Whether not even what has run can be written: nothing is acknowledged, and it is tried again and again. */
    public boolean isBlocked() {
        return state.getAcquire().blocked;
    }

    /** Why transactions may not write, with the file, the call, and what to do; empty if they may. */
    public Optional<String> refusal() {
        return Optional.ofNullable(state.getAcquire().why);
    }

    void open() {
        state.setRelease(OPEN);
    }

    void reserved(String why) {
        state.setRelease(new State(why, false));
    }

    void blocked(String why) {
        state.setRelease(new State(why, true));
    }
}
