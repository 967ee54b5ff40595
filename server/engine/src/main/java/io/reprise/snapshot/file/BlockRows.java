package io.reprise.snapshot.file;

import io.reprise.runtime.memory.Memory;
import io.reprise.storage.image.DamagedImageException;
import io.reprise.storage.image.ImageCursor;
import io.reprise.storage.row.RowLayout;

/**
 * The rows of one block, one after the other. The block is groups of rows of one table, each:
 *
 * <pre>
 * table id, number of rows, then for each row:
 *     its number in the bucket, less the one before it in the group (signed)
 *     bytes of its image
 *     its image
 * </pre>
 *
 * <p>All numbers are in base 128. Reused for block after block.
 */
public final class BlockRows {
    private static final long MOST_SEQUENCE = (1L << RowLayout.SEQUENCE_BITS) - 1;

    private BlockReader reader;
    private ImageCursor payload;
    private long position;
    private long rowIdBase;
    private boolean replicated;
    private int rowsLeft;
    private int groupLeft;
    private int table;
    private long sequence;
    private long image;
    private int length;

    void over(BlockReader theReader, long blockPosition, int bucket, int rows) {
        reader = theReader;
        payload = theReader.payload();
        position = blockPosition;
        replicated = bucket == BlockFormat.REPLICATED;
        rowIdBase = replicated ? 0 : (long) bucket << RowLayout.SEQUENCE_BITS;
        rowsLeft = rows;
        groupLeft = 0;
    }

    /** Moves to the next row. Returns whether there is one. */
    public boolean next() {
        try {
            return advance();
        } catch (DamagedImageException e) {
            throw damaged(e);
        }
    }

    private boolean advance() {
        if (rowsLeft == 0) {
            if (payload.hasNext()) {
                throw payload.damaged("there are more rows than the block's header says");
            }
            return false;
        }
        if (groupLeft == 0) {
            beginGroup();
        }
        sequence += payload.signedVarint();
        if (sequence < 0 || sequence > MOST_SEQUENCE) {
            throw payload.damaged("a row has the number " + sequence + " in its bucket");
        }
        length = payload.varintUpTo(BlockFormat.MOST_PAYLOAD, "the length of a row");
        image = payload.skip(length);
        groupLeft--;
        rowsLeft--;
        return true;
    }

    private void beginGroup() {
        int id = payload.varintUpTo(Integer.MAX_VALUE, "a table id");
        table = reader.positionOf(id);
        if (table < 0 || reader.table(table).replicated() != replicated) {
            throw payload.damaged("rows of table " + id + " can't be in this block");
        }
        groupLeft = payload.varintUpTo(rowsLeft, "the number of a table's rows");
        if (groupLeft == 0) {
            throw payload.damaged("a group has no rows");
        }
        sequence = 0;
    }

    /** The exception for an image in this block that can't be read. */
    DamagedSnapshotException damaged(DamagedImageException cause) {
        return reader.damaged(
                position, "the block makes no sense although its checksum matches (" + cause.getMessage() + ")", cause);
    }

    /** The position of the row's table in {@link Manifest#tables}. */
    public int table() {
        return table;
    }

    /** The row's id. */
    public long rowId() {
        return rowIdBase | sequence;
    }

    /** The memory that the image is in. */
    public Memory memory() {
        return reader.memory();
    }

    /** The address of the row's image. */
    public long image() {
        return image;
    }

    /** The number of bytes of the row's image. */
    public int length() {
        return length;
    }
}
