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
import java.util.function.IntPredicate;

/**
 * Fills one partition from a snapshot: with the rows of the buckets that it owns, and those of replicated tables. There may be
 * another number of partitions than when the snapshot was made. Owned by the partition's thread; all partitions load side by
 * side, each reading only the blocks that it needs. Three stages share the work, on threads of their own or on one: {@link
 * #feed} reads and checks blocks, {@link #step} makes rows of them, {@link #indexes} enters these into indexes.
 *
 * <p>The partition's tables have to be there and empty. After an exception the partition must not be used.
 */
public final class SnapshotLoader implements AutoCloseable {
    private final Manifest manifest;
    private final PartitionStore store;
    private final LoadProgress progress;
    private final IntPredicate buckets;
    private final BlockFeed feed;
    private final ImageCursor image;
    private final TableStore[] tables;
    private final RowImageCodec[] codecs;
    private final IndexBuild indexes;

    private boolean done;

    /** A loader of a partition. */
    public SnapshotLoader(FileStore files, Manifest manifest, PartitionStore store, LoadProgress progress) {
        this(files, manifest, store, progress, store::owns);
    }

    /**
     * The same for some of its buckets and the replicated tables. Row ids count as given out in all buckets.
     *
     * @param buckets those to load
     */
    public SnapshotLoader(
            FileStore files, Manifest manifest, PartitionStore store, LoadProgress progress, IntPredicate buckets) {
        this.buckets = buckets;
        this.manifest = manifest;
        this.store = store;
        this.progress = progress;
        image = new ImageCursor(store.memory());
        int count = manifest.tables().size();
        tables = new TableStore[count];
        codecs = new RowImageCodec[count];
        for (int i = 0; i < count; i++) {
            TableContents contents = manifest.tables().get(i);
            requireSame(contents);
            tables[i] = store.table(contents.id());
            codecs[i] = new RowImageCodec(store, tables[i]);
        }
        indexes = new IndexBuild(store);
        for (int i = 0; i < count; i++) {
            indexes.expect(tables[i], rowsOf(manifest.tables().get(i)));
        }
        feed = new BlockFeed(files, manifest, buckets);
    }

    private long rowsOf(TableContents contents) {
        long count = 0;
        for (int bucket = 0; bucket < contents.buckets(); bucket++) {
            count += contents.replicated() || buckets.test(bucket) ? contents.rows(bucket) : 0;
        }
        return count;
    }

    /** The reader of the blocks. */
    public BlockFeed feed() {
        return feed;
    }

    /** Enters the rows into indexes. Belongs to another thread than the loader, or to the same when that is done. */
    public IndexBuild indexes() {
        return indexes;
    }

    /** The tables are made of the catalog that came with the snapshot: if it has others, it contradicts itself. */
    private void requireSame(TableContents contents) {
        Table table = store.hasTable(contents.id()) ? store.table(contents.id()).table() : null;
        if (table == null || !table.name().equals(contents.name()) || table.replicated() != contents.replicated()) {
            throw new DamagedSnapshotException(
                    SnapshotDirectory.path(manifest.identity().transactionId()) + "/" + SnapshotDirectory.MANIFEST,
                    0,
                    "table " + contents.id() + " is " + contents.name() + " in it, but "
                            + (table == null ? "not there" : table.name()) + " in the catalog that came with it");
        }
    }

    /** Loads a block that was read, if there is one. Returns how many rows it had, or more than 0 if all are loaded. */
    public int step() {
        BlockFeed.Buffer block = done ? null : feed.poll();
        if (block == null) {
            return 0;
        }
        if (feed.isEnd(block)) {
            finish();
            return 1;
        }
        BlockRows rows = block.rows();
        long moved = block.bringInto(store);
        int count = 0;
        while (rows.next()) {
            load(rows, rows.image() + moved);
            count++;
        }
        int length = block.length();
        feed.giveBack(block);
        indexes.publish();
        progress.add(count, length);
        return count;
    }

    /** Whether all rows are loaded; indexes may lack some. */
    public boolean isDone() {
        return done;
    }

    /** Loads everything and builds the indexes, on one thread. */
    public void run() {
        while (!done) {
            feed.step();
            step();
        }
        indexes.run();
    }

    private void load(BlockRows rows, long address) {
        TableStore table = tables[rows.table()];
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
        done = true;
    }

    @Override
    public void close() {
        feed.close();
    }
}
