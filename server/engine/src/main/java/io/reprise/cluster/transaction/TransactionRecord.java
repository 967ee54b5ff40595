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

    /** The open part is withdrawn, because its transaction moved. */
    record Undone(TransactionName name) implements TransactionRecord {}

    /** The end of the open part. */
    record Decision(TransactionName name, boolean commit) implements TransactionRecord {}

    /** Everything up to an index of this log is stable in all partitions. */
    record Mark(long index) implements TransactionRecord {}

    /** The record as bytes. */
    default byte[] encode() {
        return switch (this) {
            case Local(long id, byte[] effects) ->
                at(1, 8 + effects.length).putLong(id).put(effects).array();
            case Part part -> part(part);
            case Undone(TransactionName name) -> name(3, name, 0).array();
            case Decision(TransactionName name, boolean commit) ->
                name(4, name, 1).put((byte) (commit ? 1 : 0)).array();
            case Mark(long index) -> at(5, 8).putLong(index).array();
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
            case 5 -> new Mark(in.getLong());
            default -> throw new IllegalArgumentException("unknown kind of transaction record: " + kind);
        };
    }
}
