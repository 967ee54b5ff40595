package io.reprise.engine;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;

/** The values of sequences that a session has drawn, for CURRVAL and LASTVAL. Owned by the session's thread. */
public final class DrawnValues {
    private final Map<Integer, Long> bySequence = new HashMap<>();
    private OptionalLong last = OptionalLong.empty();

    /** A session that has drawn none. */
    public DrawnValues() {}

    /** Forgets them. */
    public void clear() {
        bySequence.clear();
        last = OptionalLong.empty();
    }

    void drawn(int sequence, long value) {
        bySequence.put(sequence, value);
        last = OptionalLong.of(value);
    }

    OptionalLong current(int sequence) {
        Long value = bySequence.get(sequence);
        return value == null ? OptionalLong.empty() : OptionalLong.of(value);
    }

    OptionalLong last() {
        return last;
    }
}
