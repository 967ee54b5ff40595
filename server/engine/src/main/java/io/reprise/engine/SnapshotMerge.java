package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.id.Buckets;
import io.reprise.runtime.memory.Memory;
import io.reprise.snapshot.CannotMergeException;
import io.reprise.snapshot.SnapshotMerger;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.RowImageCodec;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/**
 * A merge of a snapshot with the log behind it. It takes groups of buckets one after the other: loads the group's rows from the older
 * snapshot into a partition of its own, applies the group's records, and passes the rows on. A group is small against the engine's
 * memory. Data records are applied in parts; a command has to lie within one group, or there is only one group.
 *
 * <p>Owned by the snapshot's thread.
 */
final class SnapshotMerge implements SnapshotMerger.Merge {
    private static final int MOST_GROUPS = 64;
    private static final int RECORDS = 512;
    private static final int ROWS = 512;
    private static final long SCRATCH = 1L << 30;

    private final RebuildBase base;
    private final long end;
    private final int groups;
    private final List<TableContents> tables = new ArrayList<>();
    private final BucketMap files;
    private final Memory scratch = Memory.reserve(SCRATCH + 2L * Memory.HUGE_PAGE);
    private final RowBatch batch = new RowBatch(scratch, Memory.PAGE, SCRATCH);

    private int group = -1;
    private RebuildBase.Rebuilt rebuilt;
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
     * @param memory bytes of rows that a group may have, roughly
     */
    SnapshotMerge(RebuildBase base, long end, long memory) {
        this.base = base;
        this.end = end;
        Manifest manifest = base.manifest();
        Buckets buckets = manifest.identity().database().buckets();
        int most = Math.min(MOST_GROUPS, buckets.count());
        groups = Math.clamp(base.bytes(buckets.count()) / Math.max(1, memory) + 1, 1, most);
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

    @Override
    public boolean read() {
        merging(() -> base.readTo(end));
        if (base.lastId() == base.manifest().identity().transactionId()) {
            throw new CannotMergeException("nothing was written since the last one", null);
        }
        if (groups > 1 && !base.tail().areCommandsWithin(this::group)) {
            throw new CannotMergeException(
                    "commands over several buckets tie buckets together that don't fit into memory at once", null);
        }
        return true;
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
        rebuilt = base.load(owned);
        records = base.tail().recordsOf(owned);
        nextRecord = 0;
        table = 0;
        place = 0;
    }

    private void applySome() {
        for (int i = 0; i < RECORDS && nextRecord < records.length; i++) {
            rebuilt.applier().apply(records[nextRecord++]);
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
        writer.add(contents.replicated() ? 0 : files.partition(bucket), batch);
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
        if (rebuilt != null) {
            rebuilt.close();
        }
        scratch.close();
        base.close();
    }
}
