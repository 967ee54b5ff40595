package io.reprise.storage.image;

import io.reprise.storage.row.RowLayout;
import java.util.stream.IntStream;

/**
 * The largest size of an image: of a row, its key, one value. Never less than is written, or overwritten behind it.
 * Owned by the partition's thread.
 */
public final class ImageBounds {
    /** Reserving so much at once costs nothing, whereas reading the lengths of a row's strings does. */
    private static final long LITTLE = 4096;

    private final ColumnImages columns;
    private final RowLayout layout;
    private final int[] keyColumns;
    private final int rowWithoutSpilled;
    private final int keyWithoutSpilled;

    /** The columns whose strings may lie outside of the row. */
    private final int[] spillable;

    /**
     * The largest size of any row, if that is little; otherwise 0, and the bounds of each row are found by its
     * strings.
     */
    private final long rowOfAll;

    private final long keyOfAll;

    ImageBounds(ColumnImages columns, RowLayout layout, int beforeValues, int... keyColumns) {
        this.columns = columns;
        this.layout = layout;
        this.keyColumns = keyColumns;
        rowWithoutSpilled = beforeValues + mostInRow(IntStream.range(0, columns.count())) + ColumnImages.SLACK;
        keyWithoutSpilled = mostInRow(IntStream.of(keyColumns)) + ColumnImages.SLACK;
        spillable = IntStream.range(0, columns.count()).filter(this::canSpill).toArray();
        rowOfAll = ofAll(rowWithoutSpilled, spillable);
        keyOfAll = ofAll(
                keyWithoutSpilled,
                IntStream.of(keyColumns).filter(this::canSpill).toArray());
    }

    private int mostInRow(IntStream some) {
        return some.map(this::mostBytesInRow).sum();
    }

    private long ofAll(long withoutSpilled, int... spilling) {
        long bound = withoutSpilled;
        for (int column : spilling) {
            bound += columns.mostStringBytes(column);
        }
        return bound <= LITTLE ? bound : 0;
    }

    private boolean canSpill(int column) {
        return columns.isString(column) && layout.canSpill(column);
    }

    private int mostBytesInRow(int column) {
        boolean inline = columns.isString(column) && layout.isInline(column);
        return columns.mostBytes(column) + (inline ? layout.width(column) : 0);
    }

    /** Of the image of a row, or of some of its columns. */
    public long ofRow(long row) {
        if (rowOfAll != 0) {
            return rowOfAll;
        }
        long bound = rowWithoutSpilled;
        for (int column : spillable) {
            bound += columns.stringLength(column, row);
        }
        return bound;
    }

    /** Of its primary key. */
    public long ofKey(long row) {
        if (keyOfAll != 0) {
            return keyOfAll;
        }
        long bound = keyWithoutSpilled;
        for (int column : keyColumns) {
            bound += canSpill(column) ? columns.stringLength(column, row) : 0;
        }
        return bound;
    }

    /** Of one of its values. */
    public long ofValue(int column, long row) {
        long bound = mostBytesInRow(column);
        bound += canSpill(column) ? columns.stringLength(column, row) : 0;
        return bound + ColumnImages.SLACK;
    }
}
