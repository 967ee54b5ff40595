package io.reprise.recovery.replay;

/**
 * Settings of a replay.
 *
 * @param patience the number of rows that are inserted into a table before the replaying thread may write rows where they stay
 * @param order the order that commands keep
 */
public record ReplaySettings(long patience, Order order) {
    /** The order that commands keep in their partitions. */
    public enum Order {
        /** Log order in each partition. */
        LOG,
        /** Log order in each bucket; others may overtake a command over several partitions that waits. */
        BUCKETS
    }

    /** The settings of a production engine. */
    public static final ReplaySettings DEFAULTS = new ReplaySettings(1 << 10);

    /** Settings with log order. */
    public ReplaySettings(long patience) {
        this(patience, Order.LOG);
    }

    /** The same with another order. */
    public ReplaySettings with(Order newOrder) {
        return new ReplaySettings(patience, newOrder);
    }
}
