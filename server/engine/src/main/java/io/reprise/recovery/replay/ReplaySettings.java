package io.reprise.recovery.replay;

/**
 * How a replay is divided.
 *
 * @param decoders how many agents decode data records; if there are none, the replaying thread does
 * @param stretchBytes of the log, how much one of them is given
 * @param turnToDecoders after so many stretches in a row without anything but data records they are given what comes
 * @param patience how many rows of a table are inserted before others are given places of it
 */
public record ReplaySettings(int decoders, long stretchBytes, int turnToDecoders, long patience) {
    private static final int MOST_DECODERS = 16;

    /** With many partitions each decoder has runs for each of them. */
    private static final int MOST_DECODERS_AND_PARTITIONS = 512;

    /** For each partition, within these bounds. */
    private static final long STRETCH = 64L << 10;

    private static final long LEAST_STRETCH = 128L << 10;
    private static final long MOST_STRETCH = 1L << 20;

    /** In a log of both, who decodes has to wait at each command. */
    private static final int TURN_TO_DECODERS = 4;

    private static final long PATIENCE = 1 << 10;

    /**
     * What serves most uses. Two decoders for a partition do, as decoding takes hardly longer than storing; and on half of the cores, because
     * others store. One alone would do what the replaying thread can do itself.
     */
    public static ReplaySettings usual(int cores, int partitions) {
        int useful = Math.min(cores / 2, 2 * partitions);
        int decoders = Math.min(useful, Math.min(MOST_DECODERS, MOST_DECODERS_AND_PARTITIONS / partitions));
        return new ReplaySettings(
                decoders < 2 ? 0 : decoders,
                Math.clamp(STRETCH * partitions, LEAST_STRETCH, MOST_STRETCH),
                TURN_TO_DECODERS,
                PATIENCE);
    }

    /** The same with so many decoders. */
    public ReplaySettings withDecoders(int agents) {
        return new ReplaySettings(agents, stretchBytes, turnToDecoders, patience);
    }
}
