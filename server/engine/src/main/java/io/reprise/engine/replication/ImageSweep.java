package io.reprise.engine.replication;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.cluster.replica.ImageSource;
import io.reprise.execution.Partition;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.recovery.replay.RowBlocks;
import io.reprise.runtime.memory.AddressSet;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.WriteObserver;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RowImageCodec;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;

/**
 * An image of a partition at one moment, made while calls run. A sweep passes over the rows in the order of memory as pieces are asked
 * for. A row ahead of the sweep is saved before its first change, and left out by the sweep, as a row is that is inserted there.
 *
 * <p>A change of tables, or a truncation ahead of the sweep, loses the image: the joiner begins anew. Pieces have the form of {@link
 * ArrivingImage}.
 *
 * <p>Owned by the partition's thread.
 */
final class ImageSweep implements ImageSource, WriteObserver {
    /** The places that are passed for one piece, at most. */
    private static final int PLACES_AT_ONCE = 4096;

    private static final byte[] END = {};

    private final PartitionStore store;
    private final StreamSchema schema;
    private final Catalog catalog;
    private final Deque<byte[]> pieces = new ArrayDeque<>();
    private final Swept[] tables;

    /** By table id. */
    private final Swept[] byId;

    private int current;
    private long savedBytes;
    private boolean ended;
    private boolean lost;
    private boolean closed;

    /** A table, whose rows from the cursor to the end are ahead of the sweep. */
    private final class Swept implements AutoCloseable {
        private final TableStore table;
        private final RowBlocks swept;
        private final RowBlocks saved;
        private final long start;
        private final long end;
        private final int rowSize;

        /** The places ahead whose rows were saved or inserted. */
        private final AddressSet leftOut = new AddressSet();

        private long cursor;

        /** The rows of the image's moment that are neither passed nor saved. */
        private long rowsLeft;

        Swept(TableStore table, PerTable<RowImageCodec> codecs, int pieceBytes) {
            this.table = table;
            swept = new RowBlocks(codecs, table, pieceBytes, ImageSweep.this::add);
            saved = new RowBlocks(codecs, table, pieceBytes, ImageSweep.this::addSaved);
            start = table.scanStart();
            end = table.scanEnd();
            cursor = start;
            rowsLeft = table.count();
            rowSize = table.layout().size();
        }

        boolean isAhead(long row) {
            return row >= cursor && row < end;
        }

        /** Passes over some places. Returns how many are left. */
        int pass(int places) {
            int left = places;
            boolean isSetAside = table.scanStart() != start;
            while (rowsLeft > 0 && left > 0 && cursor < end && pieces.isEmpty() && !isSetAside) {
                if (table.isLive(cursor) && !leftOut.contains(cursor)) {
                    swept.add(cursor);
                    rowsLeft--;
                }
                cursor += rowSize;
                left--;
            }
            if (rowsLeft == 0) {
                cursor = end;
                swept.pass();
                saved.pass();
            } else if (cursor >= end || isSetAside) {
                // A transaction that may still be rolled back has truncated the table.
                lost = true;
                left = 0;
            }
            return left;
        }

        /** Saves a row before its first change. */
        void save(long row) {
            if (leftOut.add(row)) {
                saved.add(row);
                rowsLeft--;
            }
        }

        @Override
        public void close() {
            swept.close();
            saved.close();
        }
    }

    /** The state of this moment, between two transactions. */
    ImageSweep(Partition partition, StreamSchema schema, ImageHead head, int pieceBytes) {
        store = partition.store();
        this.schema = schema;
        catalog = schema.catalog();
        byte[] beginning = head.encode();
        for (int from = 0; from < beginning.length; from += pieceBytes) {
            pieces.add(ArrivingImage.piece(
                    ArrivingImage.HEAD, beginning, from, Math.min(beginning.length, from + pieceBytes)));
        }
        Collection<Table> all = catalog.tables().values();
        new PartitionImage(partition).writeRest(all, pieceBytes, this::add);
        PerTable<RowImageCodec> codecs = PerTable.codecs(store);
        tables = all.stream()
                .map(table -> new Swept(store.table(table.id()), codecs, pieceBytes))
                .toArray(Swept[]::new);
        byId = new Swept[1 + all.stream().mapToInt(Table::id).max().orElse(0)];
        for (Swept each : tables) {
            byId[each.table.id()] = each;
        }
        store.observeWrites(this);
    }

    private void add(byte[] block) {
        pieces.add(ArrivingImage.piece(ArrivingImage.BLOCK, block, 0, block.length));
    }

    private void addSaved(byte[] block) {
        savedBytes += block.length;
        add(block);
    }

    // ---- The sender's side

    @Override
    public byte[] next() {
        if (pieces.isEmpty() && !ended && !isLost()) {
            savedBytes = 0;
            sweep();
        }
        return isLost() ? null : pieces.poll();
    }

    private void sweep() {
        int left = PLACES_AT_ONCE;
        while (current < tables.length && left > 0 && pieces.isEmpty()) {
            Swept table = tables[current];
            left = table.pass(left);
            if (table.rowsLeft == 0) {
                current++;
            }
        }
        if (current == tables.length && pieces.isEmpty() && !lost) {
            ended = true;
            pieces.add(END);
        }
    }

    @Override
    public boolean isLost() {
        lost |= !closed && catalog != schema.catalog();
        return lost;
    }

    /** The bytes of saved rows since the last piece was swept, all of which wait. */
    long savedBytes() {
        return savedBytes;
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            store.stopObserving(this);
            for (Swept each : tables) {
                each.close();
            }
        }
    }

    // ---- The partition's side

    private Swept of(TableStore table) {
        return table.id() < byId.length && byId[table.id()] != null && byId[table.id()].table == table
                ? byId[table.id()]
                : null;
    }

    @Override
    public void inserted(TableStore table, long row) {
        Swept swept = of(table);
        if (swept != null && swept.isAhead(row)) {
            swept.leftOut.add(row);
        }
    }

    @Override
    public void beforeChange(TableStore table, long row) {
        Swept swept = of(table);
        if (swept != null && swept.isAhead(row)) {
            swept.save(row);
        }
    }

    @Override
    public boolean keeps(TableStore table, long firstPlace, Runnable free) {
        Swept swept = of(table);
        lost |= swept != null && swept.cursor < swept.end;
        return false;
    }
}
