package io.reprise.log;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;

/** The header of a record in a frame, up to its write hash; {@link LogRecords} reads it. */
final class RecordHeader {
    private RecordHeader() {}

    /**
     * Writes a header.
     *
     * @param kindAndFlags the record's kind, with flags for a list of buckets and a caller
     * @param partition the partition's id, or -1 for a transaction of several
     * @param bucket the only bucket, or -1
     * @param difference the folded difference of its transaction id to the one before it
     * @param payload the bytes that follow the header
     * @return the address behind it
     */
    static long put(
            Memory memory,
            long address,
            int kindAndFlags,
            int partition,
            int bucket,
            int writeHash,
            long difference,
            int payload) {
        int flags = kindAndFlags;
        boolean multi = partition < 0;
        boolean hasBuckets = bucket >= 0 || (flags & LogFormat.RECORD_BUCKET) != 0;
        boolean hash = RecordKind.ofCode(flags & LogFormat.RECORD_KIND_MASK).hasWriteHash();
        int length = Varint.size(difference) + payload;
        if (multi) {
            flags |= LogFormat.RECORD_MULTI;
        } else {
            length += Varint.size(partition);
        }
        if (hasBuckets) {
            flags |= LogFormat.RECORD_BUCKET;
            length += Varint.size(bucket + 1L);
        }
        if (hash) {
            flags |= LogFormat.RECORD_HASH;
            length += Integer.BYTES;
        }
        memory.putByte(address, (byte) flags);
        long to = Varint.putRoomy(memory, address + 1, length);
        to = Varint.putRoomy(memory, to, difference);
        if (!multi) {
            to = Varint.putRoomy(memory, to, partition);
        }
        if (hasBuckets) {
            to = Varint.putRoomy(memory, to, bucket + 1L);
        }
        if (hash) {
            memory.putInt(to, writeHash);
            to += Integer.BYTES;
        }
        return to;
    }
}
