package io.reprise.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class ReplyLengthsTest {
    private final ReplyLengths lengths = new ReplyLengths();

    @Test
    void shouldExpectRatherMuchOfWhatIsNotKnown() {
        assertThat(lengths.expected(3)).isEqualTo(ReplyLengths.UNKNOWN_BYTES);
        assertThat(lengths.expected(300)).isEqualTo(ReplyLengths.UNKNOWN_BYTES);
    }

    @Test
    void shouldExpectWhatTheLastReplyHadWhenAllAreAlike() {
        lengths.saw(200, 40);

        assertThat(lengths.expected(200)).isEqualTo(40);
        assertThat(lengths.expected(201)).isEqualTo(ReplyLengths.UNKNOWN_BYTES);
        assertThat(lengths.expected(3)).isEqualTo(ReplyLengths.UNKNOWN_BYTES);
    }

    @Test
    void shouldRiseAtOnceAndFallLittleByLittle() {
        lengths.saw(3, 40);
        lengths.saw(3, 500_000);
        assertThat(lengths.expected(3)).isEqualTo(500_000);

        for (int i = 0; i < 64; i++) {
            lengths.saw(3, 40);
        }
        assertThat(lengths.expected(3)).isBetween(100_000, 300_000);
        for (int i = 0; i < 2_000; i++) {
            lengths.saw(3, 40);
        }
        assertThat(lengths.expected(3)).isEqualTo(40);
    }
}
