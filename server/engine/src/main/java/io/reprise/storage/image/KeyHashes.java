package io.reprise.storage.image;

import io.reprise.catalog.Index;
import io.reprise.storage.TableStore;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import java.util.Arrays;

/**
 * Reads images for the hashes of the primary keys in them, so that rows can be fetched before they are looked up. Needs
 * nothing but the table's definition, and so may belong to another thread than the partition; the bytes may lie in any
 * memory.
 */
public final class KeyHashes {
    private static final int NONE = -1;

    private final RowImageCodec codec;
    private final ColumnImages columns;
    private final HashIndex index;
    private final KeyLayout layout;
    private final IndexKey key;

    /** By column: its place in the key. */
    private final int[] positions;

    private KeyHashes(RowImageCodec codec, HashIndex index) {
        this.codec = codec;
        this.index = index;
        columns = codec.columns();
        layout = index.layout();
        key = new IndexKey(layout);
        positions = new int[columns.count()];
        Arrays.fill(positions, NONE);
        for (int i = 0; i < codec.keyColumnCount(); i++) {
            positions[codec.keyColumn(i)] = i;
        }
    }

    /** Those of a table, or null where the primary key has no hash index. */
    public static KeyHashes of(RowImageCodec codec) {
        TableStore table = codec.store();
        Index primary = table.table().primaryKey().orElse(null);
        HashIndex index = primary == null ? null : table.hashIndex(primary.position());
        return index == null ? null : new KeyHashes(codec, index);
    }

    /** Reads a key. */
    public int ofKey(ImageCursor in) {
        layout.clear(key);
        for (int i = 0; i < codec.keyColumnCount(); i++) {
            int column = codec.keyColumn(i);
            put(i, column, columns.read(column, in), in);
        }
        return index.hashOf(key);
    }

    /** Reads a row. */
    public int ofRow(ImageCursor in) {
        layout.clear(key);
        long nullBits = in.skip(codec.rowNullBytes());
        int nullables = 0;
        for (int column = 0; column < positions.length; column++) {
            if (columns.isNullable(column)) {
                if (PlainImages.isSet(in, nullBits, nullables++)) {
                    continue;
                }
            }
            long value = columns.read(column, in);
            if (positions[column] != NONE) {
                put(positions[column], column, value, in);
            }
        }
        return index.hashOf(key);
    }

    private void put(int position, int column, long value, ImageCursor in) {
        if (columns.isString(column)) {
            layout.putString(in.memory(), key, position, value);
        } else {
            layout.put(key, position, value);
        }
    }
}
