package io.reprise.log;

/**
 * An entry of the ring between an executor and the log writer. Never in a file.
 *
 * <pre>
 *  0  int   bytes of the entry, a multiple of 8
 *  4  byte  type
 *  5  byte  record: kind, and flags for a list of buckets and a caller
 *  6  short record: number of participants in the list at the end
 *  8  long  transaction id
 * 16  int   record: bucket or -1;  join: the ring that has the record
 * 20  int   record: write hash
 * 24  int   record: bytes of the payload
 * 28  int   0
 * 32  payload (of a spilled record: nothing), then the participants' rings, an int each
 * </pre>
 *
 * <p>A spilled record's payload and list are in the memory that the overflow queue holds, in the order of the
 * entries.
 */
final class RingEntry {
    static final int BYTES = 0;
    static final int TYPE = 4;
    static final int KIND = 5;
    static final int PARTICIPANTS = 6;
    static final int TRANSACTION = 8;
    static final int BUCKET = 16;
    static final int HOME = BUCKET;
    static final int HASH = 20;
    static final int PAYLOAD_BYTES = 24;
    static final int HEADER = 32;

    /** A record, in the ring. */
    static final byte RECORD = 1;

    /** A record whose payload is in the overflow queue. */
    static final byte SPILLED = 2;

    /** The place of a multi-partition transaction in the order of a partition that did not log it. */
    static final byte JOIN = 3;

    private RingEntry() {}

    /** The four fields at the start, which are written at once. */
    static long firstWord(int bytes, byte type, int kind, int participants) {
        return bytes | (long) type << 8 * TYPE | (long) kind << 8 * KIND | (long) participants << 8 * PARTICIPANTS;
    }

    static int align(int bytes) {
        return (bytes + 7) & -8;
    }
}
