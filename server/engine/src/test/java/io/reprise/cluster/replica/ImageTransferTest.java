package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Member;
import org.junit.jupiter.api.Test;

/** An image on its way to a joiner, whose source may be lost by a change of tables. */
final class ImageTransferTest {
    private static final int PIECES = 3;

    private final Source source = new Source();
    private final ImageTransfer transfer = new ImageTransfer(1, 1, 7, 10, 1, source);

    private static final class Source implements ImageSource {
        private int given;
        private boolean lost;
        private int closed;

        @Override
        public byte[] next() {
            if (given > PIECES) {
                return null;
            }
            return new byte[given++ < PIECES ? 1 : 0];
        }

        @Override
        public boolean isLost() {
            return lost;
        }

        @Override
        public void close() {
            closed++;
        }
    }

    private int sendAll() {
        int sent = 0;
        for (PeerMessage.Image piece = transfer.next(); piece != null; piece = transfer.next()) {
            transfer.sent(piece, 0);
            sent++;
        }
        return sent;
    }

    @Test
    void shouldBeLostWithItsSourceWhilePiecesAreToCome() {
        transfer.sent(transfer.next(), 0);
        boolean before = transfer.isLost();

        source.lost = true;

        assertThat(before).isFalse();
        assertThat(transfer.isGoingOn()).isTrue();
        assertThat(transfer.isLost()).isTrue();
        assertThat(source.closed).isZero();
    }

    @Test
    void shouldNotBeLostWithItsSourceWhenThatHasGivenAllPieces() {
        assertThat(sendAll()).isEqualTo(PIECES + 1);

        source.lost = true;

        assertThat(transfer.isGoingOn()).isFalse();
        assertThat(transfer.isLost()).isFalse();
        assertThat(source.closed)
                .as("the source observes writes until it is closed")
                .isEqualTo(1);
    }

    @Test
    void shouldSendKeptPiecesAgainWhenItsSourceIsClosed() {
        sendAll();
        transfer.acknowledge(new PeerMessage.ImageAck(1, 1, 7, 1, false), 0);

        transfer.sendAgain();

        assertThat(sendAll()).isEqualTo(PIECES);
        transfer.acknowledge(new PeerMessage.ImageAck(1, 1, 7, PIECES + 1, false), 0);
        assertThat(transfer.next()).isNull();
    }

    /** The link took the last pieces while it was being opened, and lost them: no later piece shows the joiner a gap. */
    @Test
    void shouldSendLastPiecesAgainThatHaveNotMovedForLong() {
        PeerMessage.ImageAck lacksLast = new PeerMessage.ImageAck(1, 1, 7, PIECES, false);
        sendAll();
        transfer.acknowledge(lacksLast, 100);
        transfer.sendAgainIfStalled(50, 150);
        assertThat(sendAll()).as("a piece has moved at 100").isZero();

        transfer.acknowledge(lacksLast, 151);
        transfer.sendAgainIfStalled(50, 151);

        assertThat(sendAll()).isEqualTo(1);
    }

    @Test
    void shouldNotTakeAnEarlierImageOfTheAttemptForThisOne() {
        Peer peer = new Peer(new Member(1, 1), 1, 11, 0);
        peer.image = transfer;

        peer.acknowledge(new PeerMessage.Ack(1, 1, 9, 9, 0, false), 5);
        assertThat(peer.image).isNotNull();
        assertThat(peer.heardNs).isZero();

        peer.acknowledge(new PeerMessage.Ack(1, 1, 10, 10, 0, false), 5);
        assertThat(peer.image).isNull();
        assertThat(peer.heardNs).isEqualTo(5);
    }

    @Test
    void shouldKeepPiecesThatAreAcknowledgedOfAnotherImage() {
        sendAll();

        boolean counts = transfer.acknowledge(new PeerMessage.ImageAck(1, 1, 6, 2, false), 0);

        assertThat(counts).isFalse();
        transfer.sendAgain();
        assertThat(sendAll()).isEqualTo(PIECES + 1);
    }
}
