package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class WaitingRepliesTest {
    @Test
    void shouldKeepTheOrderWhenItGrowsInTheMidstOfARound() {
        WaitingReplies waiting = new WaitingReplies(2_000);
        int added = 0;
        int removed = 0;
        int mostAtOnce = 0;

        while (removed < 3_000) {
            for (int i = 0; i < 5 && added < 3_000 && !waiting.isFull(); i++) {
                waiting.add().position = 10L * added;
                added++;
            }
            waiting.groupEnded(added);
            mostAtOnce = Math.max(mostAtOnce, waiting.size());
            for (int i = 0; i < 2 && !waiting.isEmpty(); i++) {
                assertThat(waiting.first().position).isEqualTo(10L * removed);
                assertThat(waiting.first().groupEndedNs).isEqualTo(Math.min(3_000, (removed / 5 + 1) * 5L));
                waiting.removeFirst();
                removed++;
            }
        }

        assertThat(mostAtOnce).isGreaterThan(1_000);
        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepSomeSpareWhenItIsFullAndRefuseWhatIsBeyond() {
        WaitingReplies waiting = new WaitingReplies(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(waiting.isFull()).isFalse();
            waiting.add();
        }

        for (int i = 0; i < 16; i++) {
            assertThat(waiting.isFull()).isTrue();
            waiting.add();
        }

        assertThatThrownBy(waiting::add).hasMessageContaining("1016");
    }
}
