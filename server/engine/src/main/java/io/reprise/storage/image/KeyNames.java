package io.reprise.storage.image;

import io.reprise.id.Buckets;
import io.reprise.storage.row.Ref;
import java.util.Arrays;

/**
 * Reads images for a number of the primary key in them: equal keys have equal numbers, and others hardly ever. It needs no index. The bytes may
 * lie in any memory. One thread.
 */
public final class KeyNames {
    private static final int NONE = -1;

    private final RowImageCodec codec;
    private final ColumnImages columns;

    /** By column: its place in the key. */
    private final int[] places;

    /** Behind the key's last column in a row. */
    private final int end;

    private final long[] values;

    /** For a table with a primary key. */
    public KeyNames(RowImageCodec codec) {
        this.codec = codec;
        columns = codec.columns();
        places = new int[columns.count()];
        Arrays.fill(places, NONE);
        values = new long[codec.keyColumnCount()];
        int last = 0;
        for (int i = 0; i < values.length; i++) {
            places[codec.keyColumn(i)] = i;
            last = Math.max(last, codec.keyColumn(i));
        }
        end = last + 1;
    }

    /** Reads a key. */
    public long ofKey(ImageCursor in) {
        for (int i = 0; i < values.length; i++) {
            read(i, codec.keyColumn(i), in);
        }
        return mixed();
    }

    /** Reads a row as far as the end of its key. */
    public long ofRow(ImageCursor in) {
        long nullBits = in.skip(codec.rowNullBytes());
        int nullables = 0;
        for (int column = 0; column < end; column++) {
            if (columns.isNullable(column) && PlainImages.isSet(in, nullBits, nullables++)) {
                continue;
            }
            if (places[column] == NONE) {
                columns.skip(column, in);
            } else {
                read(places[column], column, in);
            }
        }
        return mixed();
    }

    private void read(int place, int column, ImageCursor in) {
        long value = columns.read(column, in);
        values[place] = columns.isString(column) ? in.memory().hash(Ref.address(value), Ref.length(value)) : value;
    }

    private long mixed() {
        long mixed = 0;
        for (long value : values) {
            mixed = Buckets.mix(mixed, value);
        }
        return mixed;
    }
}
