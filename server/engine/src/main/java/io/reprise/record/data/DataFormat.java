package io.reprise.record.data;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/**
 * The payload of a data record: the net effect of a transaction on each row, table by table.
 *
 * <pre>
 * payload   group*
 * group     varint table id | operation* | END
 *
 * operation byte, bits 0..2 kind, bit 3 {@link #BUCKET}, the others 0
 *           varint bucket, if bit 3 is set
 *           TRUNCATE  of a partitioned table: 128 bytes, bit b is set for each bucket b whose rows are gone
 *           DELETE    row
 *           SPENT     number
 *           INSERT    number | all columns
 *           UPDATE    row | some columns
 *
 * row       the primary key, or the number where the table has none
 * number    the row id's number in its bucket: signed varint of the difference from the number before it in this group;
 *           from 0 at the beginning of the group and after a change of the bucket
 * </pre>
 *
 * <p>Keys, columns and varints are as {@link io.reprise.storage.image.RowImageCodec} writes them. The bucket is that of the
 * last operation in the payload that had one; rows of replicated tables are in bucket 0 of every partition, and it isn't
 * said.
 *
 * <p>Within a group all that vanishes comes first, so that no row stands in the way of another: TRUNCATE, DELETE, SPENT,
 * then INSERT and UPDATE. A row whose key in a unique index has changed is deleted and inserted again, with the row id that
 * it had. SPENT is about a row that was inserted and deleted in the transaction: nothing is left of it, but its number was
 * given out (and all below it), and rows inserted later must get the same ids as the first time.
 */
public final class DataFormat {
    public static final int END = 0;
    public static final int TRUNCATE = 1;
    public static final int DELETE = 2;
    public static final int SPENT = 3;
    public static final int INSERT = 4;
    public static final int UPDATE = 5;

    /** The bits of an operation's first byte that say which one it is. */
    public static final int KIND = 7;

    /** The bit of an operation's first byte that says that its bucket follows. */
    public static final int BUCKET = 8;

    /** Words of a set of columns of the table that has most of them. */
    public static final int MOST_COLUMN_WORDS = 16;

    /** The room of an operation besides images: its byte, bucket and number, and bytes that are overwritten behind it. */
    public static final int OPERATION_BOUND = 1 + 2 * Varint.MOST_BYTES + Long.BYTES;

    private DataFormat() {}

    /** Begins an operation in the bucket of the one before, or of a replicated table. Returns the address behind its byte. */
    public static long begin(Memory memory, long to, int kind) {
        memory.putByte(to, (byte) kind);
        return to + 1;
    }

    /** Begins an operation that says its bucket. Returns the address behind that. */
    public static long begin(Memory memory, long to, int kind, int bucket) {
        return Varint.putRoomy(memory, begin(memory, to, kind | BUCKET), bucket);
    }
}
