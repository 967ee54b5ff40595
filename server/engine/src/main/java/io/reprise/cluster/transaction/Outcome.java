package io.reprise.cluster.transaction;

import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The end of a call.
 *
 * @param kind the kind of its end
 * @param rows the rows of each participant, if it committed or was read
 */
public record Outcome(Kind kind, SortedMap<Integer, Result> rows) {
    static Outcome without(Kind kind) {
        return new Outcome(kind, new TreeMap<>());
    }

    /** The ends of a call. */
    public enum Kind {
        /** It ran; its writes and reads are stable. */
        DONE,
        /** The user's code aborted it; its reads are stable. */
        USER_ABORT,
        /** It has no effect and can be repeated. */
        NOT_RUN,
        /** Its leader has lost the partition or a part of its log: the call may have happened or not. */
        UNKNOWN
    }
}
