package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class WaitingRepliesTest {
    /** Rows of 1 to 7 transactions, of which those leave that are durable, wherever in a row that ends. */
    @Test
    void shouldKeepTheOrderWhenRowsOfTransactionsGrowInTheMidstOfARound() {
        int all = 5_000;
        WaitingReplies waiting = new WaitingReplies(2_000);
        int added = 0;
        int removed = 0;
        int mostAtOnce = 0;

        while (removed < all) {
            for (int i = 0; i < 5 && added < all && !waiting.isFull(); i++) {
                WaitingReply reply = waiting.add(10L * added++);
                reply.count = 1;
                assertThat(waiting.lastOfGroup()).isSameAs(reply);
                for (; reply.count < 1 + i * i % 7 && !waiting.isFull(); added++) {
                    waiting.addPosition(10L * added);
                    reply.count++;
                }
            }
            waiting.groupEnded(added);
            assertThat(waiting.lastOfGroup()).isNull();
            mostAtOnce = Math.max(mostAtOnce, waiting.size());
            int toRemove = Math.min(added, removed + 7);
            while (removed < toRemove) {
                assertThat(waiting.durable(10L * removed - 1)).isZero();
                assertThat(waiting.first().groupEndedNs).isGreaterThan(removed);
                int durable = waiting.durable(10L * toRemove - 1);
                assertThat(durable).isEqualTo(Math.min(toRemove - removed, waiting.first().count));
                WaitingReply first = waiting.first();
                waiting.removeFirst(durable);
                first.count -= durable;
                removed += durable;
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
            waiting.add(i);
        }

        for (int i = 0; i < 16; i++) {
            assertThat(waiting.isFull()).isTrue();
            waiting.add(i);
        }

        assertThatThrownBy(() -> waiting.add(2_000)).hasMessageContaining("1016");
    }
}
