package io.reprise.recovery.run;

import io.reprise.log.DamagedLogException;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.snapshot.file.BlockReader;
import io.reprise.snapshot.file.BlockRows;
import io.reprise.snapshot.file.BucketBlock;
import io.reprise.snapshot.file.BucketSource;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.storage.DirectWrites;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the records of one run. Records of a bucket whose blocks are damaged come from the log instead, which takes longer, unless the run has
 * images of commands. Confined to one thread.
 */
public final class RunRecords implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final long SCRATCH = 1L << 30;

    private final LogRuns runs;
    private final FileStore files;
    private final LogSettings log;
    private final LogRun run;
    private final BucketBlock block = new BucketBlock();
    private final BucketSource source;

    /** Takes a record. */
    @FunctionalInterface
    public interface Sink {
        /**
         * A copy of a record, in memory that is used again.
         *
         * @param number of the record in the run
         * @param position of its frame
         */
        void take(int number, long position, Memory memory, long address, int length);
    }

    /**
     * Opens a run; throws {@link DamagedSnapshotException}.
     *
     * @param files the data directory, which has the log too
     */
    public RunRecords(LogRuns runs, FileStore files, LogSettings log, LogRun run) {
        this.runs = runs;
        this.files = files;
        this.log = log;
        this.run = run;
        try {
            source = new BucketSource(
                    runs.files(), run.manifest(), runs.database().buckets().count());
        } catch (RuntimeException | Error failure) {
            block.close();
            throw failure;
        }
    }

    /** The run. */
    public LogRun run() {
        return run;
    }

    /** Passes on the records of several buckets or of none; throws {@link DamagedSnapshotException}. */
    public void shared(Sink sink) {
        BlockRows rows = new BlockRows();
        try (BlockReader reader = new BlockReader(runs.files(), run.manifest())) {
            for (DataFileEntry file : run.manifest().files()) {
                reader.open(file);
                for (int i = 0; i < reader.blocks(); i++) {
                    if (reader.bucket(i) < 0) {
                        reader.read(i, rows);
                        while (rows.next()) {
                            pass(sink, rows.rowId(), rows.memory(), rows.image(), rows.length());
                        }
                    }
                }
            }
        }
    }

    private static void pass(Sink sink, long rowId, Memory memory, long image, int length) {
        sink.take(
                (int) DirectWrites.number(rowId),
                memory.getLong(image),
                memory,
                image + Long.BYTES,
                length - Long.BYTES);
    }

    /** Passes on the records of one bucket; throws {@link DamagedRunException}. */
    public void of(int bucket, Sink sink) {
        int passed = -1;
        try {
            source.open(bucket);
            while (source.next(block)) {
                for (int i = 0; i < block.count(); i++) {
                    pass(sink, block.rowId(i), block.memory(), block.image(i), block.length(i));
                    passed = (int) DirectWrites.number(block.rowId(i));
                }
            }
        } catch (DamagedSnapshotException e) {
            if (run.images() > 0) {
                // The log has the commands, and they may need other buckets.
                throw new DamagedRunException(run, bucket, e);
            }
            LOG.warn(
                    "Records of bucket {} are read from the log, because a run is damaged: {}", bucket, e.getMessage());
            readLog(bucket, passed, sink, e);
        }
    }

    private void readLog(int bucket, int passed, Sink sink, DamagedSnapshotException why) {
        try {
            fromLog(bucket, passed, sink);
        } catch (DamagedLogException e) {
            DamagedRunException damaged = new DamagedRunException(run, bucket, why);
            damaged.addSuppressed(e);
            throw damaged;
        }
    }

    /**
     * Passes on a bucket's records from the log.
     *
     * @param passed the last record that an undamaged block had; a bucket's blocks are in the order of its records
     */
    private void fromLog(int bucket, int passed, Sink sink) {
        LogRecords records = new LogRecords();
        int number = 0;
        try (LogReader reader = LogReader.upTo(files, log, runs.database(), run.begin(), run.end());
                LogFrame frame = new LogFrame();
                Memory scratch = Memory.reserve(SCRATCH + 2L * Memory.HUGE_PAGE)) {
            while (reader.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    if (!LogRunWriter.isCounted(records.kind())) {
                        continue;
                    }
                    int parts = records.parts();
                    for (int part = 0; part < parts; part++) {
                        records.showPart(part);
                        if (number > passed && records.bucketCount() == 1 && records.bucket() == bucket) {
                            int length = records.copyTo(scratch, Memory.PAGE);
                            sink.take(number, records.framePosition(), scratch, Memory.PAGE, length);
                        }
                        number++;
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        source.close();
        block.close();
    }
}
