package io.reprise.log;

import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Tells whether transactions that write may commit, as far as the disk is concerned. Set by the log writer, read by
 * any thread.
 *
 * <pre>
 *  OPEN --no room for the next segment--> SCARCE --little left of this one--> RESERVED
 *  SCARCE, RESERVED --there is room--> OPEN
 *  RESERVED --more is left than was thought, or of the next one, and no room for the one behind it--> SCARCE
 *  any --a write finds no space, or is refused as read-only--> BLOCKED --it succeeds--> OPEN, SCARCE, RESERVED
 * </pre>
 *
 * <p>RESERVED comes before the disk's end is felt: the rest of the segment is kept for finished transactions, and for
 * the engine's own records, so that no reply waits and reads go on. One large record could take more than the rest; so
 * SCARCE admits only records that leave it. Without a warning, as with a file system that turns read-only, finished
 * transactions wait in BLOCKED.
 */
public final class LogAdmission {
    private static final State OPEN = new State(null, false, Long.MAX_VALUE);

    private final AtomicReference<State> state = new AtomicReference<>(OPEN);

    /**
     * The admitted records.
     *
     * @param largest bytes that the records may have together that one partition leaves besides its ring; 0 if it may
     *     leave none
     */
    private record State(String why, boolean blocked, long largest) {}

    /** Open, until a writer closes it. */
    public LogAdmission() {}

    /** Whether transactions may write; if their records are large, see {@link #refusal(long)}. */
    public boolean isOpen() {
        return state.getAcquire().largest > 0;
    }

    /** Whether not even what has run can be written: nothing is acknowledged, and it is tried again and again. */
    public boolean isBlocked() {
        return state.getAcquire().blocked;
    }

    /** Why transactions may not write, with the file, the call, and what to do; empty if they may. */
    public Optional<String> refusal() {
        State now = state.getAcquire();
        return now.largest > 0 ? Optional.empty() : Optional.of(now.why);
    }

    /** Why large records are refused, while others are admitted; empty if none or all are. */
    public Optional<String> refusalOfLarge() {
        State now = state.getAcquire();
        return now.largest > 0 ? Optional.ofNullable(now.why) : Optional.empty();
    }

    /**
     * Why a record may not be left that the partition's ring has no place for; empty if it may.
     *
     * @param bytes the record's bytes, with those of earlier spilled records that the writer has not taken yet
     */
    public Optional<String> refusal(long bytes) {
        State now = state.getAcquire();
        return bytes <= now.largest
                ? Optional.empty()
                : now.largest == 0
                        ? Optional.of(now.why)
                        : Optional.of("it takes " + bytes
                                + " bytes of log, for which there is no room besides what is kept for"
                                + " what has run; " + now.why);
    }

    void open() {
        become(OPEN);
    }

    void scarce(String why, long largest) {
        become(new State(why, false, largest));
    }

    void reserved(String why) {
        become(new State(why, false, 0));
    }

    void blocked(String why) {
        become(new State(why, true, 0));
    }

    /** The writer says it again and again, and what is written would have to be fetched anew by all sites. */
    private void become(State next) {
        if (!next.equals(state.getPlain())) {
            state.setRelease(next);
        }
    }
}
