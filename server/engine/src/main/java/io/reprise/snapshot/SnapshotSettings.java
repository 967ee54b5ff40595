package io.reprise.snapshot;

/**
 * Settings of snapshots.
 *
 * @param intervalMs time from the beginning of one to that of the next; 0: only when asked for
 * @param logBytes amount of log after which another one begins before its time; 0: never for that
 * @param keep number of kept snapshots, the newest ones
 * @param sweepShare the share of a busy partition's time that the sweep takes at most, from 0 to 1
 * @param idleShare the same while the partition has no transactions to run
 * @param sliceNs time for which the sweep holds up a partition at once
 * @param batchBytes size of the pieces in which rows go from partition to writer
 * @param sweepBatches number of such pieces of a partition, or as many bytes of larger rows, that may wait for the
 *     writer before its sweep pauses; a single row may be larger
 * @param shadowBytes bytes of rows, saved because they changed before the sweep came, that a partition may have
 *     waiting for the writer; a snapshot that would need more is given up
 * @param waitingBytes memory of the writer for rows that wait for others of their bucket
 * @param writeBytesPerSecond its fastest rate of writing; 0: as fast as it can
 */
public record SnapshotSettings(
        long intervalMs,
        long logBytes,
        int keep,
        double sweepShare,
        double idleShare,
        long sliceNs,
        int batchBytes,
        int sweepBatches,
        long shadowBytes,
        long waitingBytes,
        long writeBytesPerSecond) {
    /** Checks the numbers. */
    public SnapshotSettings {
        require(intervalMs >= 0, "intervalMs", "0 or more", intervalMs);
        require(logBytes >= 0, "logBytes", "0 or more", logBytes);
        require(keep >= 1, "keep", "1 or more", keep);
        require(sweepShare > 0 && sweepShare <= 1, "sweepShare", "above 0 and at most 1", sweepShare);
        require(idleShare > 0 && idleShare <= 1, "idleShare", "above 0 and at most 1", idleShare);
        require(sliceNs >= 1000, "sliceNs", "1000 or more", sliceNs);
        require(batchBytes >= 1024 && batchBytes <= 1 << 24, "batchBytes", "from 1 KiB to 16 MiB", batchBytes);
        require(sweepBatches >= 2 && sweepBatches <= 1024, "sweepBatches", "from 2 to 1024", sweepBatches);
        require(
                shadowBytes >= (long) batchBytes * sweepBatches * 2 && shadowBytes <= 1L << 36,
                "shadowBytes",
                "twice batchBytes times sweepBatches or more, and at most 64 GiB",
                shadowBytes);
        require(waitingBytes >= 64 << 10, "waitingBytes", "64 KiB or more", waitingBytes);
        require(writeBytesPerSecond >= 0, "writeBytesPerSecond", "0 or more", writeBytesPerSecond);
    }

    private static void require(boolean holds, String name, String range, Number value) {
        if (!holds) {
            throw new IllegalArgumentException("the snapshot setting " + name + " must be " + range + ", not " + value);
        }
    }

    /** The usual settings: every three minutes, two kept, a twentieth of the partitions' time. */
    public static SnapshotSettings usual() {
        return new SnapshotSettings(180_000, 4L << 30, 2, 0.05, 0.5, 50_000, 256 << 10, 8, 256L << 20, 64L << 20, 0);
    }

    /** The same, but only when asked for. */
    public SnapshotSettings onDemand() {
        return every(0, 0);
    }

    /** The same at another interval, and after another amount of log. */
    public SnapshotSettings every(long newIntervalMs, long newLogBytes) {
        return new SnapshotSettings(
                newIntervalMs,
                newLogBytes,
                keep,
                sweepShare,
                idleShare,
                sliceNs,
                batchBytes,
                sweepBatches,
                shadowBytes,
                waitingBytes,
                writeBytesPerSecond);
    }
}
