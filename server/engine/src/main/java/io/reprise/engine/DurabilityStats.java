package io.reprise.engine;

import io.reprise.archive.ArchiveStats;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogStats;
import io.reprise.runtime.metric.Distribution;
import io.reprise.snapshot.SnapshotReport;
import io.reprise.snapshot.SnapshotStats;
import java.util.Optional;

/**
 * Status of log, snapshots, recovery and archive.
 *
 * @param log since the engine was opened
 * @param snapshots since the engine was opened
 * @param recovery the report of its opening
 * @param archive since the engine was opened; empty if there is no archive
 */
public record DurabilityStats(
        LogState log, SnapshotState snapshots, RecoveryReport recovery, Optional<ArchiveStats> archive) {
    /**
     * The log. Each number is right by itself; they are not all of one moment.
     *
     * @param flushes number of batches written, and forced if the log is synchronous
     * @param meanFlushNs the mean time of that
     * @param medianFlushNs half of them took at most so long, to about a fifth
     * @param p99FlushNs 99 of 100 took at most so long, to about a fifth
     * @param longestFlushNs the longest time of that
     * @param records number of records written
     * @param recordsPerFlush mean number of records of a batch
     * @param largestBatch the most records that a batch had
     * @param recordBytes bytes of the records, before compression
     * @param writtenBytes bytes written, with frames and padding
     * @param zeroedBytes bytes of new segments filled with zeros before
     * @param reusedSegments number of segments used again, which needs no zeros
     * @param pendingBytes bytes that waited when the last batch was written
     * @param position behind the last written batch, or the end that the log was found with
     * @param durable everything before this position is on stable storage
     * @param refusesBecause why transactions that write are refused; empty if they are not
     * @param refusesLargeBecause why those are refused whose records are large, while others that write go on; empty
     *     if none or all are
     * @param blocked whether even finished transactions can't be written, so that they are not acknowledged
     */
    public record LogState(
            long flushes,
            long meanFlushNs,
            long medianFlushNs,
            long p99FlushNs,
            long longestFlushNs,
            long records,
            double recordsPerFlush,
            long largestBatch,
            long recordBytes,
            long writtenBytes,
            long zeroedBytes,
            long reusedSegments,
            long pendingBytes,
            long position,
            long durable,
            Optional<String> refusesBecause,
            Optional<String> refusesLargeBecause,
            boolean blocked) {
        private static final double MEDIAN = 0.5;
        private static final double P99 = 0.99;

        static LogState of(LogStats stats, LogAdmission admission) {
            long flushes = stats.flushes();
            Distribution times = stats.flushTimes();
            long records = stats.records();
            return new LogState(
                    flushes,
                    times.meanNs(),
                    times.at(MEDIAN),
                    times.at(P99),
                    times.longestNs(),
                    records,
                    flushes == 0 ? 0 : (double) records / flushes,
                    stats.largestBatch(),
                    stats.recordBytes(),
                    stats.writtenBytes(),
                    stats.zeroedBytes(),
                    stats.reusedSegments(),
                    stats.pendingBytes(),
                    stats.position(),
                    stats.durable(),
                    admission.refusal(),
                    admission.refusalOfLarge(),
                    admission.isBlocked());
        }
    }

    /**
     * The snapshots.
     *
     * @param now the present activity
     * @param last the end of the last one
     */
    public record SnapshotState(SnapshotStats now, Optional<SnapshotReport> last) {}
}
