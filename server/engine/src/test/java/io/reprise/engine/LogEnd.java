package io.reprise.engine;

import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.runtime.agent.Waker;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.util.function.Consumer;

/**
 * The end of a log of which no engine is at work: bytes that no engine would write there, or only after a long time.
 */
public final class LogEnd {
    /** Higher than what any engine gives out before. */
    public static final long FIRST_ID = Long.MAX_VALUE >> 2;

    private LogEnd() {}

    /** Adds records of the first partition, as the log's writer writes them. */
    public static void append(SimulatedFileStore disk, LogSettings settings, Consumer<PartitionLog> records) {
        try (PartitionLog log = new PartitionLog(0, 0, settings, new Waker())) {
            PartitionLog[] logs = {log};
            LogTail tail = LogTail.find(disk, settings, 0);
            LogWriter writer =
                    new LogWriter(tail, settings, logs, new Waker[0], new SimulatedClock(), (id, position) -> {});
            writer.onStart();
            records.accept(log);
            writer.onClose();
        }
    }
}
