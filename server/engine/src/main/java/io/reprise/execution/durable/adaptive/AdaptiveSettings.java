package io.reprise.execution.durable.adaptive;

/**
 * Settings of adaptive logging.
 *
 * @param quota the bytes that data records may add to the log
 * @param choice the rule of the choice
 * @param randomShare the share of transactions that are logged as data by chance
 */
public record AdaptiveSettings(Quota quota, Choice choice, double randomShare) {
    /** The rule by which transactions are logged as data. */
    public enum Choice {
        /** The benefit by the cost model, within the quota. */
        COST,
        /** The same among transactions of several partitions, which are data or commands; all others are commands. */
        COST_DISTRIBUTED,
        /** Chance, without a quota: the comparison of experiments. Of several partitions half of those are boundary records, if they can be. */
        RANDOM,
        /** The same among transactions of several partitions; all others are commands. */
        RANDOM_DISTRIBUTED
    }

    /** Four megabytes a second, evenly. */
    public static final AdaptiveSettings DEFAULTS = within(4 << 20);

    /** By cost, within so many bytes a second, evenly. */
    public static AdaptiveSettings within(long bytesPerSecond) {
        return new AdaptiveSettings(Quota.even((double) bytesPerSecond), Choice.COST, 0);
    }

    /** A share of transactions by chance, by their ids. */
    public static AdaptiveSettings random(double share) {
        return new AdaptiveSettings(Quota.even(0), Choice.RANDOM, share);
    }

    /** A share of the transactions of several partitions by chance, by their ids. */
    public static AdaptiveSettings randomDistributed(double share) {
        return new AdaptiveSettings(Quota.even(0), Choice.RANDOM_DISTRIBUTED, share);
    }
}
