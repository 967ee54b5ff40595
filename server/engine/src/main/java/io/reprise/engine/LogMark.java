package io.reprise.engine;

import io.reprise.execution.Partition;
import io.reprise.execution.durable.FootprintAgent;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.log.PartitionLog;
import java.util.Arrays;
import java.util.List;

/** A moment in all rings of a log, footprints included. Made while all partitions are held; any thread may then ask. */
final class LogMark {
    private final PartitionLog[] logs;
    private final long[] positions;
    private final FootprintAgent footprints;
    private final long chunks;

    /**
     * The present moment. Hands the collected footprints over.
     *
     * @param footprints null if none are collected
     */
    LogMark(PartitionLog[] logs, List<Partition> partitions, FootprintAgent footprints) {
        this.logs = logs;
        this.footprints = footprints;
        positions = Arrays.stream(logs).mapToLong(PartitionLog::position).toArray();
        long passed = 0;
        for (Partition partition : partitions) {
            FootprintBuffer buffer = partition.store().footprint();
            if (buffer != null) {
                buffer.passOn();
                passed += buffer.passed();
            }
        }
        chunks = passed;
    }

    /** Whether the log is durable up to this moment. */
    boolean isDurable() {
        for (int i = 0; i < logs.length; i++) {
            if (logs[i].durable() < positions[i]) {
                return false;
            }
        }
        return footprints == null || footprints.settled() >= chunks;
    }
}
