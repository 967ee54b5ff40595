package io.reprise.recovery.run;

import io.reprise.execution.Outcomes;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.id.Buckets;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.record.command.CommandReader;
import io.reprise.record.command.DamagedCommandException;
import io.reprise.runtime.memory.Memory;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotBuffers;
import io.reprise.snapshot.file.SnapshotIdentity;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.DirectWrites;
import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.TreeSet;

/** Writes one run. Its owner passes the records of the stretch in log order, then publishes or discards it. One thread. */
final class LogRunWriter implements AutoCloseable {
    private static final long SCRATCH = 1L << 30;

    /** The place of a row in the scratch memory, and of the record in the row. */
    private static final long ROW = Memory.PAGE;

    private static final long RECORD = ROW + Long.BYTES;
    static final int MOST_STATEMENTS = 1000;
    static final int OUTCOMES = 1 << 20;

    private final long begin;
    private final long end;
    private final Memory scratch = Memory.reserve(SCRATCH + 2L * Memory.HUGE_PAGE);
    private final List<TableContents> tables;
    private final SnapshotWriter writer;
    private final CommandReader reader = new CommandReader();
    private final TreeSet<Long> versions = new TreeSet<>();
    private final TreeSet<String> statements = new TreeSet<>();

    /** Of the records behind the last one that concerns all rows. */
    private Outcomes outcomes = new Outcomes();

    /** Null without images. */
    private final CommandImages images;

    private int records;
    private int commandCount;
    private int imageCount;
    private long lastId;
    private long unfit = -1;
    private long lastFrame = -1;
    private long lastFrameId;

    /**
     * A run without records.
     *
     * @param images of commands; null: there are none
     */
    LogRunWriter(LogRuns runs, long begin, long end, SnapshotBuffers buffers, CommandImages images) {
        this.images = images;
        this.begin = begin;
        this.end = end;
        Buckets buckets = runs.database().buckets();
        tables = tables(buckets);
        try {
            writer = new SnapshotWriter(
                    runs.files(),
                    new SnapshotIdentity(runs.database(), LogRun.id(end, 0)),
                    1,
                    tables,
                    buffers,
                    SnapshotWriter.Settings.usual());
        } catch (RuntimeException | Error failure) {
            scratch.close();
            throw failure;
        }
    }

    /** The tables of a run: records of one bucket, and others. */
    static List<TableContents> tables(Buckets buckets) {
        return List.of(
                new TableContents(LogRun.SINGLE, "records", false, buckets),
                new TableContents(LogRun.SHARED, "shared", true, buckets));
    }

    /** Adds the record at the cursor. */
    void add(LogRecords record) {
        lastId = Math.max(lastId, record.transactionId());
        if (record.index() == 0) {
            lastFrame = record.framePosition();
            lastFrameId = record.transactionId();
        }
        switch (record.kind()) {
            case COMMAND, DATA, BOUNDARY, CALLS -> {
                if (record.kind() == RecordKind.BOUNDARY && hasImage(record)) {
                    // Of the call and of the rows elsewhere.
                    putImage(record);
                    break;
                }
                int parts = record.parts();
                for (int part = 0; part < parts; part++) {
                    record.showPart(part);
                    addPart(record);
                }
            }
            case SNAPSHOT_BEGIN, FOOTPRINT, STATE_HASH -> {}
            default -> {
                unfit = record.framePosition();
                // The run is used behind this record only, from a snapshot that has the earlier outcomes. Those that a
                // recovery has discarded are in none.
                outcomes = new Outcomes();
            }
        }
        if (record.hasCaller()) {
            do {
                outcomes.remember(
                        record.client(),
                        record.sequence(),
                        Result.Kind.of(record.resultKind()),
                        record.resultWord(),
                        record.transactionId());
            } while (record.nextCaller());
        }
    }

    private boolean hasImage(LogRecords record) {
        return images != null && images.find(record);
    }

    private void addPart(LogRecords record) {
        if (record.kind() == RecordKind.COMMAND) {
            if (hasImage(record)) {
                putImage(record);
                return;
            }
            note(record);
            commandCount++;
        }
        put(record);
    }

    /** The work decides, at a restart, whether the command can be applied bucket by bucket. */
    private void note(LogRecords record) {
        try {
            reader.over(record.memory().segment(), record.payload(), record.payloadBytes());
            if (reader.versionId() != Work.NO_VERSION) {
                versions.add(reader.versionId());
            } else if (statements.size() < MOST_STATEMENTS || statements.contains(reader.statement())) {
                statements.add(reader.statement());
            } else {
                unfit = record.framePosition();
            }
        } catch (DamagedCommandException e) {
            unfit = record.framePosition();
        }
    }

    private void put(LogRecords record) {
        if (record.copyBytes() + Long.BYTES > SCRATCH) {
            unfit = record.framePosition();
            return;
        }
        put(record, record.copyTo(scratch, RECORD));
    }

    private void putImage(LogRecords record) {
        int bytes = images.payloadBytes();
        if (record.copyBytes() + bytes + Long.BYTES > SCRATCH) {
            unfit = record.framePosition();
        } else {
            put(record, record.copyAsDataTo(scratch, RECORD, images.memory(), images.payload(), bytes));
            imageCount++;
        }
        images.release();
    }

    /** Adds the record whose copy is in the scratch memory. */
    private void put(LogRecords record, int copyBytes) {
        scratch.putLong(ROW, record.framePosition());
        boolean single = record.bucketCount() == 1;
        long number = records++;
        tables.get(single ? 0 : 1).nextRowId(single ? record.bucket() : 0, number + 1);
        writer.add(
                0,
                single ? LogRun.SINGLE : LogRun.SHARED,
                single ? DirectWrites.rowId(record.bucket(), number) : number,
                scratch,
                ROW,
                Long.BYTES + copyBytes);
    }

    /** Makes the run one that is found from now on, and returns it. */
    LogRun publish(long epochMicros) {
        ByteArrayOutputStream remembered = new ByteArrayOutputStream();
        outcomes.encode(OUTCOMES, remembered::writeBytes);
        Manifest manifest = writer.publish(
                new Manifest.Origin(
                        end,
                        epochMicros,
                        0,
                        LogRun.SHARED + 1,
                        "",
                        LogRun.attachment(
                                begin,
                                end,
                                lastId,
                                records,
                                commandCount,
                                imageCount,
                                unfit,
                                lastFrame,
                                lastFrameId,
                                versions,
                                statements),
                        List.of(remembered.toByteArray())),
                writer.finishFiles());
        return LogRun.of(manifest);
    }

    /** Whether the run has data records only. */
    boolean isData() {
        return commandCount == 0 && unfit < 0;
    }

    /** The number of commands, which are run again. */
    int commands() {
        return commandCount;
    }

    /** The position of the last frame with records; -1 if there is none. */
    long lastFrame() {
        return lastFrame;
    }

    /** The position of the end of the stretch. */
    long end() {
        return end;
    }

    /** Removes what was written. */
    void discard() {
        writer.discard();
    }

    @Override
    public void close() {
        writer.close();
        scratch.close();
    }

    static boolean isCounted(RecordKind kind) {
        return kind.isTransaction();
    }
}
