package io.reprise.engine;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.metric.Distribution;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/**
 * The measurements of an engine. Asking for them takes no transaction and blocks no thread: counts are of this moment,
 * sizes of partitions are at most half a second old, and they are not all of one moment ({@link Reprise#stats} is).
 *
 * @param procedures by name; ad hoc statements together, as {@link #AD_HOC}
 * @param partitions in their order
 * @param reservedHugePages bytes of the partitions' memory in huge pages that the operator has had set aside
 * @param refused number of calls refused before they began, by reason
 * @param slowUntold number of slow transactions that the program's log does not have, because there were too many
 * @param log the counters of the log's writer; empty without a directory
 * @param durability log, snapshots and recovery; empty without a directory
 */
public record EngineMetrics(
        List<ProcedureMetrics> procedures,
        List<PartitionMetrics> partitions,
        long reservedHugePages,
        SequencedMap<ErrorCode, Long> refused,
        long slowUntold,
        Optional<LogMetrics> log,
        Optional<DurabilityStats> durability) {
    /** The name under which ad hoc statements are measured. */
    public static final String AD_HOC = "(ad hoc)";

    /** The partitions that are at their memory limit. */
    public List<Integer> fullPartitions() {
        return IntStream.range(0, partitions.size())
                .filter(i -> partitions.get(i).memoryFull())
                .boxed()
                .toList();
    }

    /** A sentence for each partition at its memory limit: its state, and the remedy. */
    public List<String> memoryWarnings() {
        return fullPartitions().stream()
                .map(i -> "partition " + i + " "
                        + MemoryAlarm.text(
                                partitions.get(i).memoryUsed(),
                                partitions.get(i).memoryLimit()))
                .toList();
    }

    /**
     * A procedure, since the engine was opened.
     *
     * @param name its name
     * @param committed number of committed calls
     * @param failed number of failed calls, by reason; only reasons that occurred
     * @param latency from being admitted to being answered
     * @param execution its execution times; of short ones only a sample is timed
     */
    public record ProcedureMetrics(
            String name,
            long committed,
            SequencedMap<ErrorCode, Long> failed,
            Distribution latency,
            Distribution execution) {}

    /**
     * A partition and its site.
     *
     * @param busyNs the time for which its thread has been doing something since the engine was opened
     * @param stoodStillNs the time for which the partition was idle, because other participants of a
     *     transaction were not there yet
     * @param queued number of calls that wait for their turn
     * @param waitingReplies number of transactions that have run and wait for the log
     * @param committed transactions that its thread committed, the engine's own and those of a replay included
     * @param aborted transactions that its thread rolled back
     * @param memoryUsed bytes taken, of {@code memoryLimit}
     * @param memoryLimit bytes that it may take
     * @param memoryRefusals requests for memory that were rejected since the engine was opened
     * @param memoryFull whether it is at its limit: it takes as much, or has rejected a request within the last
     *     minute
     * @param tables by name
     * @param bucketLoad by bucket, about how many transactions of the last seconds it had here
     */
    public record PartitionMetrics(
            long busyNs,
            long stoodStillNs,
            long queued,
            long waitingReplies,
            long committed,
            long aborted,
            long memoryUsed,
            long memoryLimit,
            long memoryRefusals,
            boolean memoryFull,
            SequencedMap<String, Stats.TableStats> tables,
            long[] bucketLoad) {}

    /**
     * The log's writer.
     *
     * @param flushTimes times of writing and forcing each batch
     */
    public record LogMetrics(Distribution flushTimes) {}
}
