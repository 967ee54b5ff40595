package io.reprise.cluster.replica;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A message between two replicas of a partition.
 *
 * <pre>
 *  u1 kind | u4 partition | u4 sender | u8 sender's incarnation | u8 receiver's incarnation | body
 * </pre>
 *
 * All numbers are big-endian. A receiver of another incarnation drops the message.
 */
sealed interface PeerMessage {
    /** A new leader asks an in-sync member for its report. */
    record Collect(long epoch) implements PeerMessage {}

    /** An in-sync member has entered the epoch and refuses lower ones; its records begin behind its image. */
    record Report(long epoch, long attempt, long image, long lastEpoch, long lastIndex, long durable)
            implements PeerMessage {}

    /** A collecting leader asks the holder of the longest log for the records from an index on. */
    record Fetch(long epoch, long from) implements PeerMessage {}

    /** The answer to {@link Fetch}. */
    record Fetched(long epoch, long from, List<ReplicaRecord> records) implements PeerMessage {}

    /** The leader's stream: records from an index on, and the token that an acknowledgement confirms. */
    record Batch(long epoch, long from, List<ReplicaRecord> records, long token) implements PeerMessage {}

    /** A follower's or joiner's acknowledgement of all up to these indexes; a gap means that a batch began beyond them. */
    record Ack(long epoch, long attempt, long received, long durable, long token, boolean gap) implements PeerMessage {}

    /**
     * A replica that is not in sync asks the leader to bring it up; names its last record, if its log is usable. Within an
     * attempt its log only grows.
     */
    record Join(long epoch, long attempt, boolean usable, long lastEpoch, long lastIndex) implements PeerMessage {}

    /** The leader's answer to a joiner whose log is a prefix: the stream follows. */
    record Joined(long epoch, long attempt) implements PeerMessage {}

    /** A piece of the leader's answer to a joiner whose log is no prefix: an image, which an empty piece ends. */
    record Image(long epoch, long attempt, int transfer, long index, long indexEpoch, int number, byte[] piece)
            implements PeerMessage {}

    /** A joiner has stored so many pieces of the image, and is alive; a gap means that a later piece than the next one has come. */
    record ImageAck(long epoch, long attempt, int transfer, int pieces, boolean gap) implements PeerMessage {}

    /** An in-sync member differs from the leader; it holds nothing from now on, and has to be removed. */
    record Diverged(long epoch) implements PeerMessage {}

    /** An in-sync member is about to stop, and asks its leader to be removed. */
    record Leave(long epoch) implements PeerMessage {}

    /** A replica lives, and can send nothing else: its thread is busy with a transaction, or no piece of an image may leave. */
    record Busy(long epoch) implements PeerMessage {}

    /** The sender, the receiver and the partition of a message. */
    record Envelope(int partition, int sender, long senderIncarnation, long receiverIncarnation, PeerMessage message) {
        private static final int HEAD_BYTES = 25;

        byte[] encode() {
            ByteBuffer out = ByteBuffer.allocate(HEAD_BYTES + bodyBytes(message));
            out.put((byte) kind(message)).putInt(partition).putInt(sender);
            out.putLong(senderIncarnation).putLong(receiverIncarnation);
            write(out, message);
            return out.array();
        }

        static Envelope decode(byte[] frame) {
            ByteBuffer in = ByteBuffer.wrap(frame);
            int kind = in.get();
            int partition = in.getInt();
            int sender = in.getInt();
            long from = in.getLong();
            long to = in.getLong();
            return new Envelope(partition, sender, from, to, read(in, kind));
        }
    }

    private static int kind(PeerMessage message) {
        return switch (message) {
            case Collect _ -> 1;
            case Report _ -> 2;
            case Fetch _ -> 3;
            case Fetched _ -> 4;
            case Batch _ -> 5;
            case Ack _ -> 6;
            case Join _ -> 7;
            case Joined _ -> 8;
            case Image _ -> 9;
            case Diverged _ -> 10;
            case ImageAck _ -> 11;
            case Leave _ -> 12;
            case Busy _ -> 13;
        };
    }

    private static int bodyBytes(PeerMessage message) {
        return switch (message) {
            case Collect _, Diverged _, Leave _, Busy _ -> 8;
            case Report _ -> 48;
            case Ack _ -> 41;
            case Fetch _, Joined _ -> 16;
            case Fetched fetched -> 16 + recordBytes(fetched.records);
            case Batch batch -> 24 + recordBytes(batch.records);
            case Join _ -> 33;
            case Image image -> 44 + image.piece.length;
            case ImageAck _ -> 25;
        };
    }

    private static int recordBytes(List<ReplicaRecord> records) {
        int bytes = 4;
        for (ReplicaRecord each : records) {
            bytes += 12 + each.payload().length;
        }
        return bytes;
    }

    private static void write(ByteBuffer out, PeerMessage message) {
        switch (message) {
            case Collect(long epoch) -> out.putLong(epoch);
            case Diverged(long epoch) -> out.putLong(epoch);
            case Leave(long epoch) -> out.putLong(epoch);
            case Busy(long epoch) -> out.putLong(epoch);
            case Report(long epoch, long attempt, long image, long lastEpoch, long lastIndex, long durable) ->
                out.putLong(epoch)
                        .putLong(attempt)
                        .putLong(image)
                        .putLong(lastEpoch)
                        .putLong(lastIndex)
                        .putLong(durable);
            case Fetch(long epoch, long from) -> out.putLong(epoch).putLong(from);
            case Fetched(long epoch, long from, List<ReplicaRecord> records) ->
                writeRecords(out.putLong(epoch).putLong(from), records);
            case Batch(long epoch, long from, List<ReplicaRecord> records, long token) ->
                writeRecords(out.putLong(epoch).putLong(from).putLong(token), records);
            case Ack(long epoch, long attempt, long received, long durable, long token, boolean gap) ->
                out.putLong(epoch)
                        .putLong(attempt)
                        .putLong(received)
                        .putLong(durable)
                        .putLong(token)
                        .put((byte) (gap ? 1 : 0));
            case Join(long epoch, long attempt, boolean usable, long lastEpoch, long lastIndex) ->
                out.putLong(epoch)
                        .putLong(attempt)
                        .put((byte) (usable ? 1 : 0))
                        .putLong(lastEpoch)
                        .putLong(lastIndex);
            case Joined(long epoch, long attempt) -> out.putLong(epoch).putLong(attempt);
            case Image(long epoch, long attempt, int transfer, long index, long indexEpoch, int number, byte[] piece) ->
                out.putLong(epoch)
                        .putLong(attempt)
                        .putInt(transfer)
                        .putLong(index)
                        .putLong(indexEpoch)
                        .putInt(number)
                        .putInt(piece.length)
                        .put(piece);
            case ImageAck(long epoch, long attempt, int transfer, int pieces, boolean gap) ->
                out.putLong(epoch)
                        .putLong(attempt)
                        .putInt(transfer)
                        .putInt(pieces)
                        .put((byte) (gap ? 1 : 0));
        }
    }

    private static void writeRecords(ByteBuffer out, List<ReplicaRecord> records) {
        out.putInt(records.size());
        for (ReplicaRecord each : records) {
            out.putLong(each.epoch()).putInt(each.payload().length).put(each.payload());
        }
    }

    private static PeerMessage read(ByteBuffer in, int kind) {
        long epoch = in.getLong();
        return switch (kind) {
            case 1 -> new Collect(epoch);
            case 2 -> new Report(epoch, in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.getLong());
            case 3 -> new Fetch(epoch, in.getLong());
            case 4 -> new Fetched(epoch, in.getLong(), readRecords(in));
            case 5 -> {
                long from = in.getLong();
                long token = in.getLong();
                yield new Batch(epoch, from, readRecords(in), token);
            }
            case 6 -> new Ack(epoch, in.getLong(), in.getLong(), in.getLong(), in.getLong(), in.get() != 0);
            case 7 -> new Join(epoch, in.getLong(), in.get() != 0, in.getLong(), in.getLong());
            case 8 -> new Joined(epoch, in.getLong());
            case 9 -> new Image(epoch, in.getLong(), in.getInt(), in.getLong(), in.getLong(), in.getInt(), bytes(in));
            case 10 -> new Diverged(epoch);
            case 11 -> new ImageAck(epoch, in.getLong(), in.getInt(), in.getInt(), in.get() != 0);
            case 12 -> new Leave(epoch);
            case 13 -> new Busy(epoch);
            default -> throw new IllegalArgumentException("unknown kind of peer message: " + kind);
        };
    }

    private static List<ReplicaRecord> readRecords(ByteBuffer in) {
        int count = in.getInt();
        List<ReplicaRecord> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.add(new ReplicaRecord(in.getLong(), bytes(in)));
        }
        return records;
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }
}
