package io.reprise.snapshot.file;

import io.reprise.catalog.Table;
import io.reprise.runtime.file.FileStore;
import io.reprise.storage.DirectWrites;
import io.reprise.storage.IndexBuild;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.image.RowImageCodec;
import java.util.Arrays;

/**
 * Fills one partition from a snapshot: with the rows of the buckets that it owns, and those of replicated tables. There may be
 * another number of partitions than when the snapshot was made. Owned by the partition's thread; all partitions load side by
 * side, each reading only the blocks that it needs, one at a time. Indexes are built beside, by whoever steps {@link
 * #indexes}.
 *
 * <p>The partition's tables have to be there and empty. After an exception the partition must not be used.
 */
public final class SnapshotLoader implements AutoCloseable {
    private final Manifest manifest;
    private final PartitionStore store;
    private final LoadProgress progress;
    private final BlockReader reader;
    private final BlockRows rows = new BlockRows();
    private final ContentCheck check;
    private final ImageCursor image;
    private final TableStore[] tables;
    private final RowImageCodec[] codecs;
    private final IndexBuild indexes;

    private int nextFile;
    private int[] blocks = new int[0];
    private int nextBlock;
    private boolean finished;

    /** A loader of a partition. */
    public SnapshotLoader(FileStore files, Manifest manifest, PartitionStore store, LoadProgress progress) {
        this.manifest = manifest;
        this.store = store;
        this.progress = progress;
        reader = new BlockReader(files, manifest);
        check = new ContentCheck(manifest);
        image = new ImageCursor(store.memory());
        int count = manifest.tables().size();
        tables = new TableStore[count];
        codecs = new RowImageCodec[count];
        for (int i = 0; i < count; i++) {
            TableContents contents = manifest.tables().get(i);
            tables[i] = store.table(contents.id());
            codecs[i] = new RowImageCodec(store, tables[i]);
            requireSame(contents, tables[i].table());
        }
        indexes = new IndexBuild(store);
        for (int i = 0; i < count; i++) {
            indexes.expect(tables[i], rowsOf(manifest.tables().get(i)));
        }
    }

    private long rowsOf(TableContents contents) {
        long count = 0;
        for (int bucket = 0; bucket < contents.buckets(); bucket++) {
            count += contents.replicated() || store.owns(bucket) ? contents.rows(bucket) : 0;
        }
        return count;
    }

    /** What enters the rows into indexes. Belongs to another thread than the loader, or to the same when that is done. */
    public IndexBuild indexes() {
        return indexes;
    }

    private static void requireSame(TableContents contents, Table table) {
        if (!table.name().equals(contents.name()) || table.replicated() != contents.replicated()) {
            throw new IllegalArgumentException("table " + table.id() + " is " + table.name() + " here, but "
                    + contents.name() + " in the snapshot; the tables have to be made from the snapshot's catalog");
        }
    }

    /** Loads a block, or checks what was loaded when all are. Returns whether there is more to load. */
    public boolean step() {
        while (nextBlock == blocks.length) {
            if (nextFile == manifest.files().size()) {
                finish();
                return false;
            }
            openNextFile();
        }
        int block = blocks[nextBlock++];
        reader.read(block, rows);
        long moved = reader.bringInto(store);
        long count = 0;
        while (rows.next()) {
            load(rows.image() + moved);
            count++;
        }
        indexes.publish();
        progress.add(count, reader.length(block));
        return true;
    }

    /** Loads everything and builds the indexes, on one thread. */
    public void run() {
        while (step()) {
            continue;
        }
        indexes.run();
    }

    /** Chooses the blocks that this partition needs, in the order of the file. */
    private void openNextFile() {
        reader.open(manifest.files().get(nextFile++));
        long[] wanted = new long[reader.blocks()];
        int count = 0;
        for (int block = 0; block < reader.blocks(); block++) {
            int bucket = reader.bucket(block);
            if (bucket < 0 || store.owns(bucket)) {
                wanted[count++] = block;
            }
        }
        blocks = Arrays.stream(wanted, 0, count)
                .boxed()
                .sorted((a, b) -> Long.compare(reader.position(a.intValue()), reader.position(b.intValue())))
                .mapToInt(Long::intValue)
                .toArray();
        nextBlock = 0;
    }

    private void load(long address) {
        TableStore table = tables[rows.table()];
        check.add(rows);
        long row = table.allocate();
        image.over(address, rows.length());
        try {
            codecs[rows.table()].readRow(image, row);
            if (image.hasNext()) {
                throw image.damaged("there is more than the row");
            }
        } catch (DamagedImageException e) {
            table.abandon(row);
            throw rows.damaged(e);
        } catch (RuntimeException e) {
            table.abandon(row);
            throw e;
        }
        table.directWrites().append(row, rows.rowId());
    }

    private void finish() {
        if (finished) {
            return;
        }
        finished = true;
        check.check(store::owns);
        for (int i = 0; i < tables.length; i++) {
            TableContents contents = manifest.tables().get(i);
            DirectWrites writes = tables[i].directWrites();
            for (int bucket = 0; bucket < contents.buckets(); bucket++) {
                if (contents.replicated() || store.owns(bucket)) {
                    writes.raiseNextRowId(bucket, contents.nextRowId(bucket));
                }
            }
        }
        indexes.finish();
    }

    @Override
    public void close() {
        reader.close();
    }
}
