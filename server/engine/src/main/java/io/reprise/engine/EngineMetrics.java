package io.reprise.engine;

import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.metric.Distribution;
import java.util.List;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.stream.IntStream;

/**
 * What an engine has measured, for whoever watches it. Asking for it takes no transaction and holds up nobody: counts are
 * of this moment, what partitions hold is at most half a second old, and they are not all of one moment ({@link
 * Reprise#stats} is).
 *
 * @param procedures by name; ad hoc statements together, as {@link #AD_HOC}
 * @param partitions in their order
 * @param reservedHugePages how many bytes of the partitions' memory lie in huge pages that the operator has had set aside
 * @param refused how many calls were refused before they began, by why
 * @param slowUntold how many slow transactions the program's log does not have, because there were too many
 * @param log what the log's writer has done; empty without a directory
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

    /** A sentence for each partition that is at its memory limit: what it is, and what to do. */
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
     * @param committed how many calls committed
     * @param failed how many did not, by why; only what has happened
     * @param latency from being admitted to being answered
     * @param execution how long it ran; of short ones only a sample is timed
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
     * @param busyNs how long its thread has been doing something since the engine was opened
     * @param stoodStillNs how long nobody could use the partition, because other participants of a transaction were not there yet
     * @param queued how many calls wait for their turn
     * @param waitingReplies how many transactions have run and wait for the log
     * @param committed transactions that its thread committed, the engine's own and those of a replay included
     * @param aborted transactions that its thread rolled back
     * @param memoryUsed bytes taken, of {@code memoryLimit}
     * @param memoryLimit bytes that it may take
     * @param memoryRefusals requests for memory that were rejected since the engine was opened
     * @param memoryFull whether it is at its limit: it takes as much, or has rejected a request within the last minute
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
     * @param flushTimes how long it took to write and force each batch
     */
    public record LogMetrics(Distribution flushTimes) {}
}
