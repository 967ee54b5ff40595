package io.reprise.cluster.transaction;

import java.nio.ByteBuffer;

/**
 * A record of a partition's log, as the payload of a replica's record.
 *
 * <pre>
 *  u1 kind | body
 * </pre>
 *
 * All numbers are big-endian; the log's frame has the checksum.
 */
public sealed interface TransactionRecord {
    /** A transaction of this partition alone. */
    record Local(long id, byte[] effects) implements TransactionRecord {}

    /** The effects of one participant, which count when the decision says so. */
    record Part(TransactionName name, Run run, int[] participants, byte[] effects) implements TransactionRecord {}

    /** The open part is withdrawn, because its transaction moved or a member of its batch failed. */
    record Undone(TransactionName name) implements TransactionRecord {}

    /** The end of the open part. */
    record Decision(TransactionName name, boolean commit) implements TransactionRecord {}

    /** Ids up to this one may have been given out, to reads too. */
    record Promise(long id) implements TransactionRecord {}

    /** Everything up to an index of this log is stable in all partitions. */
    record Mark(long index) implements TransactionRecord {}

    /** The partition is closed until {@link Opened}: its replicas may have lost unforced records. */
    record Closed() implements TransactionRecord {}

    /** The records behind an index are void, and the partition is closed until {@link Opened}. */
    record Cut(long index) implements TransactionRecord {}

    /** The partition agrees with all others. */
    record Opened(long term) implements TransactionRecord {}

    /** The record as bytes. */
    default byte[] encode() {
        return switch (this) {
            case Local(long id, byte[] effects) ->
                at(1, 8 + effects.length).putLong(id).put(effects).array();
            case Part part -> part(part);
            case Undone(TransactionName name) -> name(3, name, 0).array();
            case Decision(TransactionName name, boolean commit) ->
                name(4, name, 1).put((byte) (commit ? 1 : 0)).array();
            case Promise(long id) -> at(5, 8).putLong(id).array();
            case Mark(long index) -> at(6, 8).putLong(index).array();
            case Closed() -> at(7, 0).array();
            case Cut(long index) -> at(8, 8).putLong(index).array();
            case Opened(long term) -> at(9, 8).putLong(term).array();
        };
    }

    private static ByteBuffer at(int kind, int bytes) {
        return ByteBuffer.allocate(1 + bytes).put((byte) kind);
    }

    private static ByteBuffer name(int kind, TransactionName name, int more) {
        ByteBuffer out = at(kind, TransactionName.BYTES + more);
        name.write(out);
        return out;
    }

    private static byte[] part(Part part) {
        int bytes = TransactionName.BYTES + Run.BYTES + 4 + 4 * part.participants.length + part.effects.length;
        ByteBuffer out = ByteBuffer.allocate(1 + bytes).put((byte) 2);
        part.name.write(out);
        part.run.write(out);
        Wire.putInts(out, part.participants);
        return out.put(part.effects).array();
    }

    /** Reads what {@link #encode} made. */
    static TransactionRecord decode(byte[] payload) {
        ByteBuffer in = ByteBuffer.wrap(payload);
        int kind = in.get();
        return switch (kind) {
            case 1 -> new Local(in.getLong(), Wire.rest(in));
            case 2 -> new Part(TransactionName.read(in), Run.read(in), Wire.ints(in), Wire.rest(in));
            case 3 -> new Undone(TransactionName.read(in));
            case 4 -> new Decision(TransactionName.read(in), in.get() != 0);
            case 5 -> new Promise(in.getLong());
            case 6 -> new Mark(in.getLong());
            case 7 -> new Closed();
            case 8 -> new Cut(in.getLong());
            case 9 -> new Opened(in.getLong());
            default -> throw new IllegalArgumentException("unknown kind of transaction record: " + kind);
        };
    }
}
