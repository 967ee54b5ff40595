package io.reprise.engine;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.LogSettings;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.snapshot.SnapshotSettings;

/** Logs and snapshots so small that a test's few transactions fill several frames, batches and segments, and blocks. */
public final class SmallDurability {
    private SmallDurability() {}

    static LogSettings log(long segmentBytes) {
        return LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 15, 8192).withSegmentBytes(segmentBytes);
    }

    /** The same with room for records that have a schema and the classes of its procedures. */
    public static LogSettings logOfSchemas(long segmentBytes) {
        return LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 15, 40 << 10).withSegmentBytes(segmentBytes);
    }

    /** Rows are written where they stay even in small tables. */
    public static ReplaySettings replay() {
        return new ReplaySettings(4);
    }

    /** Of commands with footprints, as a rebuild of a partition needs them. */
    static Durability withFootprints() {
        return Durability.standard()
                .with(LoggingMethod.COMMAND)
                .withFootprints(true)
                .with(logOfSchemas(256 << 10))
                .with(snapshots(2));
    }

    /** Runs of so many bytes of log. */
    static SortedLogSettings runs(long bytes) {
        return runs(bytes, SortedLogSettings.DEFAULTS.runFan());
    }

    static SortedLogSettings runs(long bytes, int fan) {
        SortedLogSettings defaults = SortedLogSettings.DEFAULTS;
        return defaults.withSizes(bytes, fan, defaults.leastBaseBytes());
    }

    /** Made only when asked for. */
    public static SnapshotSettings snapshots(int kept) {
        return new SnapshotSettings(0, 0, kept, 1, 1, 50_000, 1024, 2, 1 << 20, 1 << 20, 0);
    }
}
