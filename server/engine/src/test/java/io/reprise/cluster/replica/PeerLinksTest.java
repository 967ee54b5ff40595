package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Link;
import io.reprise.cluster.Links;
import io.reprise.cluster.Member;
import org.junit.jupiter.api.Test;

/** Links that end at once. */
final class PeerLinksTest {
    private int dialed;
    private final PeerLinks links = new PeerLinks(new Member(0, 7), new Unreachable(), node -> "n" + node);

    @Test
    void shouldDialAnUnreachableAddressAgainAfterAPauseOnly() {
        assertThat(links.send(1, new byte[1])).isFalse();
        assertThat(dialed).isEqualTo(1);

        int work = 0;
        for (long nowNs = 0; nowNs < 10 * PeerLinks.REDIAL_NS; nowNs += PeerLinks.REDIAL_NS / 50) {
            work += links.check(nowNs);
        }

        assertThat(dialed).isEqualTo(11);
        assertThat(work).isEqualTo(10);
    }

    /** The first time at once: a peer whose process has ended is noticed by that. */
    @Test
    void shouldDialAtOnceWhenALinkEnds() {
        links.send(1, new byte[1]);

        assertThat(links.check(5)).isEqualTo(1);
        assertThat(dialed).isEqualTo(2);
    }

    /** A network that is down: each link ends without a refusal. */
    private final class Unreachable implements Links {
        @Override
        public Link connect(String address) {
            dialed++;
            return new EndedLink();
        }

        @Override
        public Link accept() {
            return null;
        }

        @Override
        public boolean tellsRefusals() {
            return true;
        }
    }

    private static final class EndedLink implements Link {
        @Override
        public State state() {
            return State.CLOSED;
        }

        @Override
        public boolean send(byte[] frame, int offset, int length) {
            return false;
        }

        @Override
        public byte[] receive() {
            return null;
        }

        @Override
        public void close() {
            // It is closed.
        }
    }
}
