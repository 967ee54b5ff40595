package io.reprise.log;

/**
 * Settings of the log. All of it may change from one start to the next; a reader finds its needs in the files.
 *
 * @param directory the folder of the segments, within the data directory
 * @param segmentBytes the size of a segment; must hold the largest record
 * @param frameBytes the least bytes of records of a frame before the next one begins, if there are as many
 * @param batchBytes the most bytes written before a force (one large record may exceed it)
 * @param maxDelayNs synchronous: the time that a record may wait for others before a force begins, while its site has
 *     other work to do; 0 means that a batch is what arrived during the last force
 * @param ringBytes the room between an executor and the log, a power of two
 * @param maxRecordBytes the largest record of a transaction
 * @param synchronous whether each batch is forced; if not, a crash loses batches written during {@code forceEveryNs}
 *     and the force that follows
 * @param forceEveryNs asynchronous: the time for which written bytes stay unforced
 * @param sealAfterNs the time without records after which the last batch is sealed
 * @param spareSegments the largest number of segments that no snapshot needs any more and that are kept, to be used
 *     again without being filled with zeros
 * @param compression whether frames are compressed
 */
public record LogSettings(
        String directory,
        long segmentBytes,
        int frameBytes,
        int batchBytes,
        long maxDelayNs,
        int ringBytes,
        int maxRecordBytes,
        boolean synchronous,
        long forceEveryNs,
        long sealAfterNs,
        int spareSegments,
        Compression compression) {
    /** Segments of 64 MiB, synchronous, a batch is what came during the last force or, while all sites are busy, three milliseconds. */
    public static final LogSettings DEFAULTS = new LogSettings(
            "log",
            64L << 20,
            64 << 10,
            4 << 20,
            3_000_000,
            4 << 20,
            32 << 20,
            true,
            20_000_000,
            50_000_000,
            64,
            Compression.MEASURED);

    private static final int LEAST_RING = 1 << 10;
    private static final long ASYNCHRONOUS_PAUSE_NS = 1_000_000;

    public LogSettings {
        check(!directory.isEmpty(), "the log needs a directory of its own");
        check(segmentBytes % LogFormat.BLOCK == 0, "a segment's size must be a multiple of " + LogFormat.BLOCK);
        check(segmentBytes <= 1 << 30, "a segment has at most 1 GiB");
        check(frameBytes > 0 && frameBytes <= batchBytes, "a frame must not be larger than a batch");
        check(spareSegments >= 0, "there can't be fewer than no spare segments");
        check(maxDelayNs >= 0 && forceEveryNs >= 0 && sealAfterNs > 0, "a time is negative");
        check(
                Integer.bitCount(ringBytes) == 1 && ringBytes >= LEAST_RING,
                "a ring's size must be a power of two and at least " + LEAST_RING);
        check(
                maxRecordBytes > 0 && maxRecordBytes <= segmentBytes - LogFormat.LEAST_BESIDE_RECORD,
                "a segment must have room for the largest record and " + LogFormat.LEAST_BESIDE_RECORD
                        + " bytes besides");
    }

    /**
     * The longest time between the beginnings of two batches while all sites have work. No reply waits for the batches of an
     * asynchronous log, and each costs a wake of the writer.
     */
    public long longestPauseNs() {
        return synchronous ? maxDelayNs : Math.min(ASYNCHRONOUS_PAUSE_NS, forceEveryNs / 4);
    }

    /** The same with segments of another size. */
    public LogSettings withSegmentBytes(long bytes) {
        Draft draft = new Draft(this);
        draft.segmentBytes = bytes;
        return draft.settings();
    }

    /** The same with another size of frames, batches, rings and largest records. */
    public LogSettings withSizes(int newFrameBytes, int newBatchBytes, int newRingBytes, int newMaxRecordBytes) {
        Draft draft = new Draft(this);
        draft.frameBytes = newFrameBytes;
        draft.batchBytes = newBatchBytes;
        draft.ringBytes = newRingBytes;
        draft.maxRecordBytes = newMaxRecordBytes;
        return draft.settings();
    }

    /** The same, waiting for others. */
    public LogSettings withMaxDelayNs(long delayNs) {
        Draft draft = new Draft(this);
        draft.maxDelayNs = delayNs;
        return draft.settings();
    }

    /** The same, but asynchronous. */
    public LogSettings asynchronous(long newForceEveryNs) {
        Draft draft = new Draft(this);
        draft.synchronous = false;
        draft.forceEveryNs = newForceEveryNs;
        return draft.settings();
    }

    /** The same with another number of spare segments; 0: none is used again. */
    public LogSettings withSpareSegments(int most) {
        Draft draft = new Draft(this);
        draft.spareSegments = most;
        return draft.settings();
    }

    /** The same, compressed otherwise. */
    public LogSettings withCompression(Compression newCompression) {
        Draft draft = new Draft(this);
        draft.compression = newCompression;
        return draft.settings();
    }

    /** Settings that are being changed, so that each change names what it changes only. */
    private static final class Draft {
        private final String directory;
        private long segmentBytes;
        private int frameBytes;
        private int batchBytes;
        private long maxDelayNs;
        private int ringBytes;
        private int maxRecordBytes;
        private boolean synchronous;
        private long forceEveryNs;
        private final long sealAfterNs;
        private int spareSegments;
        private Compression compression;

        Draft(LogSettings from) {
            directory = from.directory;
            segmentBytes = from.segmentBytes;
            frameBytes = from.frameBytes;
            batchBytes = from.batchBytes;
            maxDelayNs = from.maxDelayNs;
            ringBytes = from.ringBytes;
            maxRecordBytes = from.maxRecordBytes;
            synchronous = from.synchronous;
            forceEveryNs = from.forceEveryNs;
            sealAfterNs = from.sealAfterNs;
            spareSegments = from.spareSegments;
            compression = from.compression;
        }

        LogSettings settings() {
            return new LogSettings(
                    directory,
                    segmentBytes,
                    frameBytes,
                    batchBytes,
                    maxDelayNs,
                    ringBytes,
                    maxRecordBytes,
                    synchronous,
                    forceEveryNs,
                    sealAfterNs,
                    spareSegments,
                    compression);
        }
    }

    private static void check(boolean holds, String message) {
        if (!holds) {
            throw new IllegalArgumentException("log settings: " + message);
        }
    }
}
