package io.reprise.cluster.transaction;

import io.reprise.cluster.replica.PeerFrames;
import java.nio.BufferOverflowException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;

/**
 * A message between the leaders of two partitions.
 *
 * <pre>
 *  u1 64 | u4 sender | u8 sender's incarnation | u8 receiver's incarnation | u8 sequence
 *  u4 from | u8 from's term | u4 to | u8 to's term | u1 kind | body
 * </pre>
 *
 * All numbers are big-endian. The sequence ascends for each pair of nodes; the receiver drops what comes late.
 */
sealed interface TransactionMessage {
    /** Asks for a place in the participant's order, and brings the opening, or nothing. */
    record Reserve(TransactionName name, long id, Mode mode, int[] participants, List<byte[]> works)
            implements TransactionMessage {}

    /** The participant's lower bound of the id. */
    record Proposed(TransactionName name, long id) implements TransactionMessage {}

    /** The final id. */
    record Move(TransactionName name, long id) implements TransactionMessage {}

    /** The participant has run its part, or is ready for statements. */
    record Ran(TransactionName name, Run run, List<Result> results) implements TransactionMessage {}

    /** The participant's vote. */
    record Prepared(TransactionName name, Run run) implements TransactionMessage {}

    /**
     * A statement of a round; first all from a round on is rolled back, unless that is -1. Behind the last statement the
     * participant votes, unless it was aborted.
     */
    record Execute(TransactionName name, long id, int round, int back, boolean isLast, byte[] work)
            implements TransactionMessage {}

    /** The answer to {@link Execute}, at the same id. */
    record Rows(TransactionName name, long id, int round, Result result) implements TransactionMessage {}

    /** The rounds are over: the participant votes. */
    record Prepare(TransactionName name, Run run) implements TransactionMessage {}

    /** The rounds of a read are over: the participant releases and confirms. */
    record Finish(TransactionName name) implements TransactionMessage {}

    /** The rows that the participant's part read are stable, and were the newest. */
    record Confirmed(TransactionName name) implements TransactionMessage {}

    /** The coordinator's decision. */
    record Decide(TransactionName name, Run run, Verdict verdict) implements TransactionMessage {}

    /** The participant has carried out an abort or a release. */
    record Done(TransactionName name) implements TransactionMessage {}

    /** The participant's part and decision, and all in front of them, are stable. */
    record Stable(TransactionName name, long id) implements TransactionMessage {}

    /** The transaction is stable at all participants. */
    record StableAll(TransactionName name, long id) implements TransactionMessage {}

    /** Asks for the end of a transaction. */
    record Ask(TransactionName name) implements TransactionMessage {}

    /** The answer to {@link Ask}. */
    record Answer(TransactionName name, Verdict verdict) implements TransactionMessage {}

    /** The sender, the receiver and the sequence of a message. */
    record Envelope(
            int sender,
            long senderIncarnation,
            long receiverIncarnation,
            long sequence,
            int from,
            long fromTerm,
            int to,
            long toTerm,
            TransactionMessage message) {
        byte[] encode() {
            for (int capacity = 512; ; capacity *= 4) {
                ByteBuffer out = ByteBuffer.allocate(capacity);
                try {
                    write(out);
                    return Arrays.copyOf(out.array(), out.position());
                } catch (BufferOverflowException tooLong) {
                    // The next buffer is larger.
                }
            }
        }

        private void write(ByteBuffer out) {
            out.put(PeerFrames.KIND).putInt(sender).putLong(senderIncarnation).putLong(receiverIncarnation);
            out.putLong(sequence).putInt(from).putLong(fromTerm).putInt(to).putLong(toTerm);
            TransactionMessage.write(out, message);
        }

        /** The partition to which an encoded envelope goes. */
        static int receiverOf(byte[] frame) {
            return ByteBuffer.wrap(frame).getInt(1 + 4 + 3 * Long.BYTES + 4 + Long.BYTES);
        }

        static Envelope decode(byte[] frame) {
            ByteBuffer in = ByteBuffer.wrap(frame, 1, frame.length - 1);
            return new Envelope(
                    in.getInt(),
                    in.getLong(),
                    in.getLong(),
                    in.getLong(),
                    in.getInt(),
                    in.getLong(),
                    in.getInt(),
                    in.getLong(),
                    read(in));
        }
    }

    private static void write(ByteBuffer out, TransactionMessage message) {
        switch (message) {
            case Reserve(TransactionName name, long id, Mode mode, int[] participants, List<byte[]> works) -> {
                begin(out, 1, name).putLong(id).put((byte) mode.ordinal());
                Wire.putInts(out, participants);
                Wire.putList(out, works);
            }
            case Proposed(TransactionName name, long id) -> begin(out, 2, name).putLong(id);
            case Move(TransactionName name, long id) -> begin(out, 3, name).putLong(id);
            case Ran(TransactionName name, Run run, List<Result> results) -> {
                run.write(begin(out, 4, name));
                Wire.putResults(out, results);
            }
            case Prepared(TransactionName name, Run run) -> run.write(begin(out, 5, name));
            case Execute(TransactionName name, long id, int round, int back, boolean isLast, byte[] work) -> {
                begin(out, 6, name).putLong(id).putInt(round).putInt(back).put((byte) (isLast ? 1 : 0));
                Wire.putBytes(out, work);
            }
            case Rows(TransactionName name, long id, int round, Result result) ->
                Wire.putResults(begin(out, 7, name).putLong(id).putInt(round), List.of(result));
            case Prepare(TransactionName name, Run run) -> run.write(begin(out, 8, name));
            case Finish(TransactionName name) -> begin(out, 9, name);
            case Confirmed(TransactionName name) -> begin(out, 10, name);
            case Decide(TransactionName name, Run run, Verdict verdict) -> {
                run.write(begin(out, 11, name));
                out.put((byte) verdict.ordinal());
            }
            case Done(TransactionName name) -> begin(out, 12, name);
            case Stable(TransactionName name, long id) -> begin(out, 13, name).putLong(id);
            case StableAll(TransactionName name, long id) ->
                begin(out, 14, name).putLong(id);
            case Ask(TransactionName name) -> begin(out, 15, name);
            case Answer(TransactionName name, Verdict verdict) ->
                begin(out, 16, name).put((byte) verdict.ordinal());
        }
    }

    private static ByteBuffer begin(ByteBuffer out, int kind, TransactionName name) {
        out.put((byte) kind);
        name.write(out);
        return out;
    }

    private static TransactionMessage read(ByteBuffer in) {
        int kind = in.get();
        TransactionName name = TransactionName.read(in);
        return switch (kind) {
            case 1 -> new Reserve(name, in.getLong(), Mode.values()[in.get()], Wire.ints(in), Wire.list(in));
            case 2 -> new Proposed(name, in.getLong());
            case 3 -> new Move(name, in.getLong());
            case 4 -> new Ran(name, Run.read(in), Wire.results(in));
            case 5 -> new Prepared(name, Run.read(in));
            case 6 -> new Execute(name, in.getLong(), in.getInt(), in.getInt(), in.get() != 0, Wire.bytes(in));
            case 7 -> new Rows(name, in.getLong(), in.getInt(), Wire.results(in).getFirst());
            case 8 -> new Prepare(name, Run.read(in));
            case 9 -> new Finish(name);
            case 10 -> new Confirmed(name);
            case 11 -> new Decide(name, Run.read(in), Verdict.values()[in.get()]);
            case 12 -> new Done(name);
            case 13 -> new Stable(name, in.getLong());
            case 14 -> new StableAll(name, in.getLong());
            case 15 -> new Ask(name);
            case 16 -> new Answer(name, Verdict.values()[in.get()]);
            default -> throw new IllegalArgumentException("unknown kind of transaction message: " + kind);
        };
    }
}
