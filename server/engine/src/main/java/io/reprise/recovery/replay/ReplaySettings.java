package io.reprise.recovery.replay;

/**
 * Settings of a replay.
 *
 * @param patience the number of rows that are inserted into a table before the replaying thread may write rows where they stay
 */
public record ReplaySettings(long patience) {
    /** The settings of a production engine. */
    public static final ReplaySettings DEFAULTS = new ReplaySettings(1 << 10);
}
