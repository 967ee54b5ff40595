package io.reprise.engine.replication;

import java.io.ByteArrayOutputStream;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;

/**
 * An image of a partition as it arrives, in pieces. Blocks wait here until the log's ring has room.
 *
 * <pre>
 *  a piece:  1 byte 1 | a part of {@link ImageHead}
 *            1 byte 2 | a block of {@link io.reprise.recovery.replay.PartitionImage}; behind all parts of the head
 *            nothing, at the end
 * </pre>
 *
 * <p>Owned by the partition's thread.
 */
final class ArrivingImage {
    static final byte HEAD = 1;
    static final byte BLOCK = 2;

    private final ByteArrayOutputStream headBytes = new ByteArrayOutputStream();
    private final Deque<byte[]> blocks = new ArrayDeque<>();
    private ImageHead head;
    private boolean isHeadNew;
    private int pieces;
    private boolean ended;
    private long index;
    private long epoch;

    /** A piece as it is sent. */
    static byte[] piece(byte kind, byte[] content, int from, int to) {
        byte[] piece = new byte[1 + to - from];
        piece[0] = kind;
        System.arraycopy(content, from, piece, 1, to - from);
        return piece;
    }

    void add(byte[] piece) {
        pieces++;
        if (piece.length > 0 && piece[0] == HEAD) {
            headBytes.write(piece, 1, piece.length - 1);
            return;
        }
        if (head == null) {
            head = ImageHead.decode(headBytes.toByteArray());
            isHeadNew = true;
        }
        if (piece.length > 0) {
            blocks.add(Arrays.copyOfRange(piece, 1, piece.length));
        }
    }

    /** All pieces have come: it stands for the stream up to an index. */
    void complete(long toIndex, long toEpoch) {
        index = toIndex;
        epoch = toEpoch;
        ended = true;
    }

    /** The number of pieces that do not wait here any more. */
    int stored() {
        return pieces - blocks.size();
    }

    boolean hasBlock() {
        return !blocks.isEmpty();
    }

    /** The next block, which leaves. */
    byte[] block() {
        return blocks.poll();
    }

    /** Whether all of it has come, and no block waits. */
    boolean isWhole() {
        return ended && blocks.isEmpty();
    }

    /** Its head; null if some of it has not come. */
    ImageHead head() {
        return head;
    }

    /** The head, once, when all of it has come; otherwise null. */
    ImageHead newHead() {
        ImageHead found = isHeadNew ? head : null;
        isHeadNew = false;
        return found;
    }

    long index() {
        return index;
    }

    long epoch() {
        return epoch;
    }
}
