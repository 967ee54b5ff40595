package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SilenceTest {
    private static final long LIMIT_NS = Duration.ofHours(10).toNanos();

    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final FrameSender sender = new FrameSender(channel, new Counters());
    private final Silence silence = new Silence(LIMIT_NS);
    private final long beganNs = System.nanoTime();

    private void check(long afterNs) {
        silence.check(beganNs + afterNs, sender);
    }

    private boolean isTooLong(long afterNs) {
        return silence.isTooLong(beganNs + afterNs);
    }

    private int questions() {
        return channel.outboundMessages().size();
    }

    @Test
    void shouldGiveAServerUpThatDoesNotAnswerWhatItWasAsked() {
        check(LIMIT_NS / 4);
        assertThat(questions()).isZero();
        check(LIMIT_NS * 6 / 10);
        check(LIMIT_NS * 7 / 10);
        assertThat(questions()).isOne();

        assertThat(isTooLong(LIMIT_NS)).isFalse();
        assertThat(isTooLong(LIMIT_NS * 12 / 10)).isTrue();
    }

    /** Nothing was read while this process stood still. */
    @Test
    void shouldAskAServerBeforeItIsGivenUpHoweverLongAgoItWasHeard() {
        long awokeNs = 50 * LIMIT_NS;

        assertThat(isTooLong(awokeNs)).isFalse();
        check(awokeNs);
        assertThat(questions()).isOne();
        assertThat(isTooLong(awokeNs + LIMIT_NS * 4 / 10)).isFalse();
        assertThat(isTooLong(awokeNs + LIMIT_NS * 6 / 10)).isTrue();
    }

    @Test
    void shouldForgetWhatItAskedWhenTheServerIsHeard() {
        check(LIMIT_NS * 6 / 10);
        silence.broken();

        assertThat(isTooLong(LIMIT_NS * 12 / 10)).isFalse();
    }

    @Test
    void shouldNeverAskNorGiveUpWithoutALimit() {
        Silence forEver = new Silence(0);

        forEver.check(beganNs + 50 * LIMIT_NS, sender);

        assertThat(questions()).isZero();
        assertThat(forEver.isTooLong(beganNs + 100 * LIMIT_NS)).isFalse();
    }
}
