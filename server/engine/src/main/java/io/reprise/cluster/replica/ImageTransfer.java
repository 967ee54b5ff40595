package io.reprise.cluster.replica;

import java.util.Arrays;

/**
 * An image on its way to a joiner, in slices of which a bounded number is under way. Owned by the leader's replica.
 */
final class ImageTransfer {
    private static final int MOST_UNDER_WAY = 8;

    private final long epoch;
    private final long attempt;
    private final long index;
    private final long indexEpoch;
    private final int sliceBytes;
    private byte[] image;
    private final int total;
    private boolean begun;
    private int sent;
    private int acknowledged;

    ImageTransfer(long epoch, long attempt, long index, long indexEpoch, byte[] image, int sliceBytes) {
        this.epoch = epoch;
        this.attempt = attempt;
        this.index = index;
        this.indexEpoch = indexEpoch;
        this.image = image;
        this.sliceBytes = sliceBytes;
        total = image.length;
    }

    /** The next slice to send, or null if all have been sent or enough are under way. */
    PeerMessage.Image next() {
        // An image without bytes is one empty slice.
        boolean isDone = sent >= total && (total > 0 || begun);
        if (isDone || sent - acknowledged >= (long) MOST_UNDER_WAY * sliceBytes) {
            return null;
        }
        byte[] slice = Arrays.copyOfRange(image, sent, Math.min(total, sent + sliceBytes));
        return new PeerMessage.Image(epoch, attempt, index, indexEpoch, total, sent, slice);
    }

    /** The slice has left. */
    void sent(PeerMessage.Image slice) {
        begun = true;
        sent = slice.offset() + slice.slice().length;
    }

    /** The joiner has all up to an offset. */
    void acknowledge(PeerMessage.ImageAck ack) {
        acknowledged = Math.max(acknowledged, ack.offset());
        sent = ack.gap() ? acknowledged : Math.max(sent, acknowledged);
        if (acknowledged == total) {
            image = new byte[0];
        }
    }

    /** Slices under way may be lost. */
    void sendAgain() {
        begun = false;
        sent = acknowledged;
    }
}
