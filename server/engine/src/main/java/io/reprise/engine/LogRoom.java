package io.reprise.engine;

import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import java.util.Arrays;
import java.util.Optional;

/** The readiness of the log for more records, and the durability of its rings. Any thread. */
final class LogRoom {
    /** Shorter waits are usual. */
    private static final long STALL_NS = 50_000_000;

    private final PartitionLog[] logs;
    private final LogWriter writer;
    private final Durability durability;

    LogRoom(PartitionLog[] logs, LogWriter writer, Durability durability) {
        this.logs = logs;
        this.writer = writer;
        this.durability = durability;
    }

    /** Throws if the log can't be written. Callers ask before they prepare a change. */
    void checkWritable() {
        writer.admission().refusal().ifPresent(why -> {
            throw unavailable("the log can't be written: " + why);
        });
    }

    /**
     * Throws if the rings have no room, or the log can't be written. The engine's own works write no rows that could be rolled back, so
     * they check this before they begin: reads in all partitions would wait for their record. While all partitions are held.
     */
    void check() {
        if (isBlocked()) {
            checkWritable();
        }
        for (PartitionLog log : logs) {
            if (!log.hasRoom()) {
                throw unavailable("the log can't be written: "
                        + writer.admission().refusal().orElse("its buffers are full"));
            }
        }
    }

    /** The same for a change of the schema of many bytes, because it may have many classes with it. */
    void check(long bytes) {
        check();
        for (PartitionLog log : logs) {
            writer.admission().refusal(log.spilledBytes() + bytes).ifPresent(why -> {
                throw unavailable("it can't be logged: " + why);
            });
        }
    }

    private static ProcedureException unavailable(String why) {
        return new ProcedureException(ErrorCode.STORAGE_UNAVAILABLE, "nothing was changed, because " + why);
    }

    /** Whether calls that have run can't be answered, because the log can't be written. */
    boolean isBlocked() {
        return writer.admission().isBlocked();
    }

    /** The ends of the rings, by slot; when their partitions run nothing any more. */
    long[] positions() {
        return Arrays.stream(logs).mapToLong(PartitionLog::position).toArray();
    }

    /** The sentence that tells of lost answers up to these positions: the log is asynchronous, and has ended before them. */
    Optional<String> whyLost(long... positions) {
        boolean durable = true;
        for (int i = 0; i < logs.length; i++) {
            durable &= logs[i].durable() >= positions[i];
        }
        return durable || durability.log().synchronous()
                ? Optional.empty()
                : Optional.of(
                        "The last answered transactions are lost: the log is asynchronous, and could not be written to its end"
                                + writer.admission()
                                        .refusal()
                                        .map(why -> ": " + why)
                                        .orElse("."));
    }

    /** Whether the rings are durable up to these positions. */
    boolean areDurable(long[] positions) {
        for (int i = 0; i < logs.length; i++) {
            if (logs[i].durable() < positions[i]) {
                return false;
            }
        }
        return true;
    }

    /** The reason why calls wait, for the message to rejected ones. */
    Optional<String> whyWaiting(long nowNs) {
        if (writer.admission().isBlocked()) {
            return writer.admission().refusal().map(why -> "the log can't be written: " + why);
        }
        long busyNs = writer.stats().busyNs(nowNs);
        return busyNs < STALL_NS
                ? Optional.empty()
                : Optional.of("the log has been waiting for the disk for " + busyNs / 1_000_000 + " ms");
    }

    /** Checks the size of a schema change, and returns its bytes. */
    long checkSize(SchemaRecord record) {
        int bytes = record.encode().length;
        if (bytes > durability.log().maxRecordBytes()) {
            throw new ProcedureException(
                    ErrorCode.INVALID_REQUEST,
                    "the change of the schema, with its classes, takes " + bytes
                            + " bytes of log, and a log record has at"
                            + " most " + durability.log().maxRecordBytes()
                            + "; deploy smaller jars, or allow larger records");
        }
        return bytes;
    }
}
