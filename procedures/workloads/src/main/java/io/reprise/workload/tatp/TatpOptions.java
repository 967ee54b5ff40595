package io.reprise.workload.tatp;

/**
 * Size and routing.
 *
 * @param subscribers number of subscribers; 100,000 is the specification's smallest
 * @param routed whether callers that know a subscriber by number pass the id that belongs to it too, so that the
 *     transaction runs in one partition
 * @param seed of the loaded data
 */
public record TatpOptions(int subscribers, boolean routed, long seed) {
    /** Refuses an empty database. */
    public TatpOptions {
        if (subscribers < 1) {
            throw new IllegalArgumentException("TATP: there must be at least one subscriber");
        }
    }

    /** So many subscribers, found by number as the specification says. */
    public static TatpOptions standard(int subscribers) {
        return new TatpOptions(subscribers, false, 1);
    }
}
