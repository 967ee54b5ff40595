package io.reprise.recovery.run;

import io.reprise.execution.Outcomes;
import io.reprise.id.Buckets;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotBuffers;
import io.reprise.snapshot.file.SnapshotIdentity;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.DirectWrites;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * A merge of runs that follow each other into one run of the next level. It has the same records in the same order, so a bucket's records lie in one
 * place instead of several. It goes step by step, some buckets at a time; its owner publishes or discards it. One thread.
 */
final class RunMerge implements AutoCloseable {
    private static final long SCRATCH = 1L << 30;

    /** The place of a row in the scratch memory, and of the record in the row. */
    private static final long ROW = Memory.PAGE;

    private static final long RECORD = ROW + Long.BYTES;

    /** A step ends behind so many bytes or buckets. */
    private static final long STEP_BYTES = 256 << 10;

    private static final int STEP_BUCKETS = 128;

    private final List<LogRun> inputs;
    private final List<RunRecords> opened = new ArrayList<>();
    private final int buckets;
    private final List<TableContents> tables;
    private final Memory scratch = Memory.reserve(SCRATCH + 2L * Memory.HUGE_PAGE);
    private SnapshotWriter writer;
    private int nextBucket = -1;
    private long bytes;

    /**
     * A merge that has read nothing; throws {@link io.reprise.snapshot.file.DamagedSnapshotException}.
     *
     * @param inputs in log order; they follow each other
     * @param buffers used by no other writer meanwhile
     */
    RunMerge(LogRuns runs, FileStore files, LogSettings log, List<LogRun> inputs, SnapshotBuffers buffers) {
        this.inputs = List.copyOf(inputs);
        Buckets all = runs.database().buckets();
        buckets = all.count();
        tables = LogRunWriter.tables(all);
        try {
            for (LogRun input : inputs) {
                opened.add(new RunRecords(runs, files, log, input));
            }
            writer = new SnapshotWriter(
                    runs.files(),
                    new SnapshotIdentity(runs.database(), id()),
                    1,
                    tables,
                    buffers,
                    SnapshotWriter.Settings.usual());
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    private long id() {
        return LogRun.id(inputs.getLast().end(), inputs.getLast().level() + 1);
    }

    /** The runs that are merged. */
    List<LogRun> inputs() {
        return inputs;
    }

    /** Copies some records. Returns false if all have been copied. */
    boolean step() {
        bytes = 0;
        int visited = 0;
        while (nextBucket < buckets && bytes < STEP_BYTES && visited < STEP_BUCKETS) {
            copy(nextBucket++);
            visited++;
        }
        return nextBucket < buckets;
    }

    /**
     * Copies the records of a bucket.
     *
     * @param bucket -1: those of several buckets or of none
     */
    private void copy(int bucket) {
        int base = 0;
        for (int i = 0; i < opened.size(); i++) {
            int first = base;
            RunRecords.Sink sink = (number, position, memory, address, length) ->
                    add(bucket, first + number, position, memory, address, length);
            if (bucket < 0) {
                opened.get(i).shared(sink);
            } else {
                opened.get(i).of(bucket, sink);
            }
            base += inputs.get(i).records();
        }
    }

    private void add(int bucket, long number, long position, Memory from, long address, int length) {
        scratch.putLong(ROW, position);
        scratch.copyFrom(from, address, RECORD, length);
        boolean single = bucket >= 0;
        tables.get(single ? 0 : 1).nextRowId(single ? bucket : 0, number + 1);
        writer.add(
                0,
                single ? LogRun.SINGLE : LogRun.SHARED,
                single ? DirectWrites.rowId(bucket, number) : number,
                scratch,
                ROW,
                Long.BYTES + length);
        bytes += length;
    }

    /** Makes the run one that is found from now on, and returns it. */
    LogRun publish(long epochMicros) {
        Outcomes outcomes = new Outcomes();
        for (LogRun input : inputs) {
            input.manifest().origin().outcomes().forEach(outcomes::decode);
        }
        ByteArrayOutputStream remembered = new ByteArrayOutputStream();
        outcomes.encode(LogRunWriter.OUTCOMES, remembered::writeBytes);
        Manifest manifest = writer.publish(
                new Manifest.Origin(
                        inputs.getLast().end(),
                        epochMicros,
                        0,
                        LogRun.SHARED + 1,
                        "",
                        attachment(),
                        List.of(remembered.toByteArray())),
                writer.finishFiles());
        return LogRun.of(manifest);
    }

    private byte[] attachment() {
        LogRun lastWithFrame = inputs.stream()
                .filter(run -> run.lastFrame() >= 0)
                .reduce(inputs.getFirst(), (first, second) -> second);
        TreeSet<Long> versions = new TreeSet<>();
        inputs.forEach(run -> versions.addAll(run.versions()));
        return LogRun.attachment(
                inputs.getFirst().begin(),
                inputs.getLast().end(),
                inputs.stream().mapToLong(LogRun::lastId).max().orElse(0),
                inputs.stream().mapToInt(LogRun::records).sum(),
                inputs.stream().mapToInt(LogRun::commands).sum(),
                inputs.stream().mapToInt(LogRun::images).sum(),
                inputs.stream().mapToLong(LogRun::unfit).max().orElse(-1),
                lastWithFrame.lastFrame(),
                lastWithFrame.lastFrameId(),
                versions,
                statements(inputs));
    }

    /** The statements of several runs. */
    static TreeSet<String> statements(List<LogRun> of) {
        TreeSet<String> statements = new TreeSet<>();
        of.forEach(run -> statements.addAll(run.statements()));
        return statements;
    }

    /** Removes what was written. */
    void discard() {
        writer.discard();
    }

    @Override
    public void close() {
        opened.forEach(RunRecords::close);
        if (writer != null) {
            writer.close();
        }
        scratch.close();
    }
}
