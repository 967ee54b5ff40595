package io.reprise.cluster.replica;

import java.util.ArrayList;
import java.util.List;

/**
 * An image on its way to a joiner, in pieces of which a bounded number is under way. Those that the joiner has not acknowledged are
 * kept. They are sent again after a break of the link, or when none has moved for long. Owned by the leader's replica.
 */
final class ImageTransfer {
    private static final int MOST_UNDER_WAY = 8;

    private final long epoch;
    private final long attempt;

    /** Its number among the images of this leadership: a joiner may ask again with its attempt when the leader has given up an image. */
    private final int number;

    private final long index;
    private final long indexEpoch;
    private final ImageSource source;

    /** The pieces from the first that is not acknowledged on. */
    private final List<byte[]> kept = new ArrayList<>();

    /** The numbers of the next piece to send, and of the first that is not acknowledged. */
    private int next;

    private int acknowledged;

    /** Whether the source has given its last piece: all that are left are kept. */
    private boolean isWhole;

    /** The time when a piece left or was acknowledged last. */
    private long movedNs = Long.MIN_VALUE / 2;

    ImageTransfer(long epoch, long attempt, int number, long index, long indexEpoch, ImageSource source) {
        this.epoch = epoch;
        this.attempt = attempt;
        this.number = number;
        this.index = index;
        this.indexEpoch = indexEpoch;
        this.source = source;
    }

    /** The next piece to send, or null if none is at hand or enough are under way. */
    PeerMessage.Image next() {
        int at = next - acknowledged;
        if (at == kept.size()) {
            byte[] piece = isGoingOn() && kept.size() < MOST_UNDER_WAY ? source.next() : null;
            if (piece == null) {
                return null;
            }
            kept.add(piece);
            if (piece.length == 0) {
                isWhole = true;
                source.close();
            }
        }
        return new PeerMessage.Image(epoch, attempt, number, index, indexEpoch, next, kept.get(at));
    }

    /** The piece has left. */
    void sent(PeerMessage.Image piece, long nowNs) {
        next = piece.number() + 1;
        movedNs = nowNs;
    }

    /** The joiner has some pieces of an image; a gap means that later ones have come. Returns false if it is another image. */
    boolean acknowledge(PeerMessage.ImageAck ack, long nowNs) {
        if (ack.transfer() != number) {
            return false;
        }
        int known = Math.min(ack.pieces() - acknowledged, kept.size());
        if (known > 0) {
            kept.subList(0, known).clear();
            acknowledged += known;
            movedNs = nowNs;
        }
        next = ack.gap() ? acknowledged : Math.max(next, acknowledged);
        return true;
    }

    /**
     * The joiner lives. Pieces under way that have not moved for long may be lost: behind the last piece, the joiner can't see that one
     * is missing.
     */
    void sendAgainIfStalled(long patienceNs, long nowNs) {
        if (nowNs - movedNs > patienceNs) {
            sendAgain();
        }
    }

    /** Pieces under way may be lost. */
    void sendAgain() {
        next = acknowledged;
    }

    /** Whether pieces are to come from the source. Changes behind the last one concern the stream alone. */
    boolean isGoingOn() {
        return !isWhole;
    }

    /** Whether the image can't be completed. */
    boolean isLost() {
        return isGoingOn() && source.isLost();
    }

    /** The image is not needed any more. Has no effect on a closed one. */
    void close() {
        source.close();
    }
}
