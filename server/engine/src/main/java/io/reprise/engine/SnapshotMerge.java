package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.id.Buckets;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.recovery.run.LogRunAgent;
import io.reprise.redo.NamedRows;
import io.reprise.runtime.memory.Memory;
import io.reprise.snapshot.CannotMergeException;
import io.reprise.snapshot.SnapshotMerger;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.snapshot.file.RowSplitter;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.RowImageCodec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A merge of a snapshot with the log behind it. It takes groups of buckets one after the other: loads rows of the group from the older
 * snapshot into a partition of its own, applies the group's records, and passes the rows on. A group is small against the engine's
 * memory. Data records are applied in parts; a command has to lie within one group, or there is only one group.
 *
 * <p>If the log has data records only, a partition gets the rows that they name. Images of all others pass from the older snapshot to the
 * new one as they are. A command may read any row, so with commands a partition gets all rows.
 *
 * <p>Owned by the snapshot's thread.
 */
final class SnapshotMerge implements SnapshotMerger.Merge {
    private static final int MOST_GROUPS = 64;
    private static final int RECORDS = 512;
    private static final int RECORDS_AT_ONCE = 1 << 13;

    /** The room of a row in a partition, in bytes for each byte of a snapshot. */
    private static final int UNPACKED = 4;

    private static final int ROWS = 512;
    private static final long SCRATCH = 1L << 30;

    private static final long PATIENCE_NS = 10_000_000_000L;

    private final RebuildBase base;

    /** Null unless runs have images of commands. */
    private final LogRunAgent sorting;

    /** The moment from which it does not wait for runs any more; 0: it has not waited yet. */
    private long impatientNs;

    private long end;
    private final long memory;
    private int groups;
    private final List<TableContents> tables = new ArrayList<>();
    private final BucketMap files;
    private final Memory scratch = Memory.reserve(SCRATCH + 2L * Memory.HUGE_PAGE);
    private final RowBatch batch = new RowBatch(scratch, Memory.PAGE, SCRATCH);

    /** The rows that the log's records name, of the records up to {@link #nextNamed}; null if there are commands. */
    private NamedRows named;

    private final LogFrame frame = new LogFrame();
    private final LogRecords record = new LogRecords();
    private int nextNamed = -1;

    private int group = -1;
    private RebuildBase.Rebuilt rebuilt;

    /** The pass over the group's rows; null if it is over. */
    private RowSplitter splitter;

    private int[] records;
    private int nextRecord;
    private int table;
    private long place;
    private RowImageCodec codec;

    /**
     * A merge.
     *
     * @param base the older snapshot; it is closed with this
     * @param end a durable position of the log
     * @param sorting the agent that makes runs with images of commands; null: there are no images
     * @param memory bytes of rows that a group may have, roughly
     */
    SnapshotMerge(RebuildBase base, long end, LogRunAgent sorting, long memory) {
        this.sorting = sorting;
        this.base = base;
        this.end = end;
        this.memory = memory;
        Manifest manifest = base.manifest();
        Buckets buckets = manifest.identity().database().buckets();
        files = BucketMap.dealt(buckets, manifest.partitions());
        // Before those of the log, which are later.
        manifest.origin().outcomes().forEach(of -> base.outcomes().outcomes().decode(of));
        for (TableContents contents : manifest.tables()) {
            tables.add(new TableContents(contents.id(), contents.name(), contents.replicated(), buckets));
        }
    }

    /** A step that makes rows. Whatever is wrong with the snapshot or the log, rows can still be copied. */
    private interface Step {
        void run();
    }

    private static void merging(Step step) {
        try {
            step.run();
        } catch (RuntimeException | StackOverflowError e) {
            throw new CannotMergeException(e.getMessage(), e);
        }
    }

    /** Waits until runs reach the end, because images of commands spare it to run them. Without runs it reads the log. */
    @Override
    public boolean waits(long nowNs) {
        if (sorting == null || nextNamed >= 0) {
            return false;
        }
        if (impatientNs == 0) {
            sorting.wish(end);
            impatientNs = nowNs + PATIENCE_NS;
        }
        end = Math.max(end, sorting.sorted());
        return sorting.sorted() < end && nowNs - impatientNs < 0;
    }

    @Override
    public boolean read() {
        if (nextNamed < 0) {
            merging(this::readLog);
        } else if (named != null && nextNamed < base.tail().count()) {
            merging(this::nameSome);
        } else {
            divide();
            return true;
        }
        return false;
    }

    private void readLog() {
        base.readTo(end);
        if (base.lastId() == base.manifest().identity().transactionId()) {
            throw new CannotMergeException("nothing was written since the last one", null);
        }
        base.tail().takeAll();
        nextNamed = 0;
        named = base.tail().holdsDataOnly() ? base.named() : null;
    }

    private void nameSome() {
        int count = base.tail().count();
        for (int i = 0; i < RECORDS_AT_ONCE && nextNamed < count; i++) {
            int next = nextNamed++;
            if (!base.tail().holds(next)) {
                continue;
            }
            base.tail().view(next, frame, record);
            named.add(record.memory(), record.payload(), record.payloadBytes());
        }
    }

    /** Decides how many groups there are. */
    private void divide() {
        long bytes = base.manifest().bytes();
        if (named != null) {
            long ofRow = UNPACKED * bytes / Math.max(1, base.manifest().rows());
            bytes = named.count() * ofRow + base.tail().bytes();
        }
        int most = Math.min(
                MOST_GROUPS, base.manifest().identity().database().buckets().count());
        groups = Math.clamp(bytes / Math.max(1, memory) + 1, 1, most);
        if (groups > 1 && !base.tail().areCommandsWithin(this::group)) {
            throw new CannotMergeException(
                    "commands over several buckets tie buckets together that don't fit into memory at once", null);
        }
    }

    private int group(int bucket) {
        return (int) ((long) bucket
                * groups
                / base.manifest().identity().database().buckets().count());
    }

    @Override
    public long transactionId() {
        return base.lastId();
    }

    @Override
    public long logPosition() {
        return end;
    }

    @Override
    public int partitions() {
        return base.manifest().partitions();
    }

    @Override
    public List<TableContents> tables() {
        return tables;
    }

    @Override
    public boolean isDone() {
        return group == groups;
    }

    @Override
    public void step(SnapshotWriter writer) {
        if (rebuilt == null) {
            merging(this::beginGroup);
        } else if (splitter != null) {
            splitSome(writer);
        } else if (nextRecord < records.length) {
            merging(this::applySome);
        } else if (table < tables.size()) {
            writeSome(writer);
        } else {
            endGroup();
        }
    }

    private void beginGroup() {
        group++;
        if (isDone()) {
            return;
        }
        BitSet owned = new BitSet();
        int count = base.manifest().identity().database().buckets().count();
        for (int bucket = 0; bucket < count; bucket++) {
            owned.set(bucket, group(bucket) == group);
        }
        if (named == null) {
            rebuilt = base.load(owned);
        } else {
            rebuilt = base.begin(owned);
            splitter = base.split(rebuilt, owned::get, named::holds, group == 0);
        }
        records = base.tail().recordsOf(owned);
        nextRecord = 0;
        table = 0;
        place = 0;
    }

    /** Reading fails the merge, and writing fails the snapshot. */
    private void splitSome(SnapshotWriter writer) {
        boolean[] more = new boolean[1];
        merging(() -> more[0] = splitter.read());
        if (more[0]) {
            splitter.pass(writer, files::partition);
        } else {
            splitter.close();
            splitter = null;
        }
    }

    private void applySome() {
        if (named != null) {
            int to = Math.min(records.length, nextRecord + RECORDS_AT_ONCE);
            rebuilt.applier().applyData(records, nextRecord, to);
            nextRecord = to;
            return;
        }
        for (int i = 0; i < RECORDS && nextRecord < records.length; i++) {
            rebuilt.applier().apply(records[nextRecord++], -1);
        }
    }

    private void writeSome(SnapshotWriter writer) {
        TableContents contents = tables.get(table);
        TableStore store = rebuilt.store().table(contents.id());
        if (place == 0) {
            place = store.scanStart();
            codec = new RowImageCodec(rebuilt.store(), store);
        }
        boolean writes = !contents.replicated() || group == 0;
        int size = store.layout().size();
        for (int i = 0; writes && i < ROWS && place < store.scanEnd(); place += size) {
            if (store.isLive(place)) {
                write(writer, contents, store.rowId(place));
                i++;
            }
        }
        if (!writes || place >= store.scanEnd()) {
            endTable(contents, store);
        }
    }

    private void write(SnapshotWriter writer, TableContents contents, long rowId) {
        batch.clear();
        long to = codec.writeRow(place, scratch, batch.rowAddress());
        batch.addImage(contents.id(), rowId, to);
        int bucket = DirectWrites.bucket(rowId);
        writer.add(contents.replicated() ? contents.id() % partitions() : files.partition(bucket), batch);
    }

    private void endTable(TableContents contents, TableStore store) {
        for (int bucket = 0; bucket < contents.buckets(); bucket++) {
            if (contents.replicated() ? group == 0 : group(bucket) == group) {
                contents.nextRowId(bucket, store.nextRowId(bucket));
            }
        }
        table++;
        place = 0;
    }

    private void endGroup() {
        rebuilt.close();
        rebuilt = null;
        if (group == groups - 1) {
            group++;
        }
    }

    @Override
    public Manifest.Origin origin(long epochMicros) {
        Manifest.Origin before = base.manifest().origin();
        List<byte[]> outcomes = new ArrayList<>();
        base.outcomes().outcomes().encode(1 << 20, outcomes::add);
        return new Manifest.Origin(
                end,
                epochMicros,
                before.catalogVersion(),
                before.nextTableId(),
                before.ddl(),
                before.attachment(),
                List.of(joined(outcomes)));
    }

    /** Outcomes of one list are those of all partitions. */
    private static byte[] joined(List<byte[]> pieces) {
        int length = pieces.stream().mapToInt(piece -> piece.length).sum();
        byte[] all = new byte[length];
        int at = 0;
        for (byte[] piece : pieces) {
            System.arraycopy(piece, 0, all, at, piece.length);
            at += piece.length;
        }
        return all;
    }

    @Override
    public void close() {
        if (splitter != null) {
            splitter.close();
        }
        if (rebuilt != null) {
            rebuilt.close();
        }
        frame.close();
        scratch.close();
        base.close();
    }
}
