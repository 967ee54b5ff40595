package io.reprise.redo;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.ColumnWrites;
import io.reprise.storage.image.KeyHashes;
import io.reprise.storage.image.QuickImages;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;

/** One table as a {@link DataDecoder} sees it. */
final class DecodedTable {
    /** Of what comes before an image: kind, bucket, number. */
    private static final long OPERATION_REACH = 3 * Long.BYTES;

    final TableStore table;
    final int id;
    final RowImageCodec codec;
    final boolean replicated;
    final boolean unpacksRows;
    final boolean indexed;
    final Placement placement;
    final PlacedRun placed = new PlacedRun();

    /** Of the primary key, if words of it tell rows apart; or null. */
    final KeyLayout layout;

    final IndexKey key;

    /** The primary key's, or null. */
    final HashIndex hash;

    final IndexKey hashedKey;

    /** Of the primary key, if only its strings tell rows apart; or null. */
    final KeyHashes hashes;

    /** Null where the table is not one for it. */
    final QuickImages quick;

    /** The most bytes that are read from an operation's beginning; more than any memory has if {@link #quick} is null. */
    final long reach;

    final long mostUpdateBytes;

    DecodedTable(PartitionStore store, TableStore table) {
        this.table = table;
        id = table.id();
        codec = new RowImageCodec(store, table);
        replicated = table.table().replicated();
        unpacksRows = codec.unpacks();
        indexed = !table.table().indexes().isEmpty();
        placement = new Placement(table, table.buckets());
        int primary = table.table().primaryKey().map(key -> key.position()).orElse(-1);
        KeyLayout keyLayout = primary < 0 ? null : table.rowIndex(primary).layout();
        layout = keyLayout == null || keyLayout.inexact() ? null : keyLayout;
        key = layout == null ? null : new IndexKey(layout);
        hash = primary < 0 ? null : table.hashIndex(primary);
        hashedKey = hash == null ? null : new IndexKey(hash.layout());
        hashes = KeyHashes.of(codec);
        quick = codec.quickImages();
        reach = quick == null ? Long.MAX_VALUE : OPERATION_REACH + quick.reach();
        mostUpdateBytes = 2L * Long.BYTES
                + (key == null ? 0 : (long) key.words.length * Long.BYTES)
                + ColumnWrites.most(codec.columnCount());
    }

    /** Whether a row is found by words that are in the record, and not by strings. */
    boolean findsByWords() {
        return layout != null || !codec.hasKey();
    }

    /** The hash of a row's primary key, if that is hashed; or 0. */
    int hashOfRow(Memory memory, long row) {
        if (hash == null) {
            return 0;
        }
        codec.keyOfRow(memory, row, hash.layout(), hashedKey);
        return hash.hashOf(hashedKey);
    }

    /** An operation's second word for the key that was read last. */
    long hashedKeyWord() {
        return hash == null ? 0 : RedoBatch.hashed(hash.hashOf(key));
    }

    /** The same for a row. */
    long hashedRowWord(Memory memory, long row) {
        return hash == null ? 0 : RedoBatch.hashed(hashOfRow(memory, row));
    }
}
