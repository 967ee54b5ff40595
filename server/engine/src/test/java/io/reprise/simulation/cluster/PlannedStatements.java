package io.reprise.simulation.cluster;

import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The file {@code statements.cache} of a schema, as an engine has written it. A new disk that has it spares the simulated engine the
 * planning, which takes longer than the rest of a run. Made once for each schema in a process.
 */
final class PlannedStatements {
    /** The file in the root of the data directory. */
    static final String FILE = "statements.cache";

    private static final Map<String, byte[]> BY_SCHEMA = new ConcurrentHashMap<>();

    private PlannedStatements() {}

    /** Gives a new disk the statements of a schema. */
    static void give(SimulatedFileStore disk, String ddl) {
        byte[] content = BY_SCHEMA.computeIfAbsent(ddl, PlannedStatements::plan);
        try (DataFile file = disk.create(FILE)) {
            file.write(0, ByteBuffer.wrap(content));
            file.force();
        }
        disk.forceDirectory("");
    }

    private static byte[] plan(String ddl) {
        SimulatedFileStore disk = new SimulatedFileStore(1);
        Options options = Options.create()
                .partitions(1)
                .buckets(64)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(4 << 20)
                .ddl(ddl)
                .keepStatements(true)
                .files(disk);
        try (Reprise engine = options.open()) {
            engine.call("Rate");
        }
        try (DataFile file = disk.secondView().openReadOnly(FILE)) {
            ByteBuffer content = ByteBuffer.allocate((int) file.size());
            file.read(0, content);
            return content.array();
        }
    }
}
