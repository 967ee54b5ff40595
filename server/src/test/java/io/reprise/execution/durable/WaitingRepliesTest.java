package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.Invocation;
import org.junit.jupiter.api.Test;

final class WaitingRepliesTest {
    @Test
    void shouldKeepTheOrderWhenItGrowsInTheMidstOfARound() {
        WaitingReplies waiting = new WaitingReplies(2_000);
        Invocation[] invocations = new Invocation[3_000];
        int added = 0;
        int removed = 0;

        while (removed < invocations.length) {
            for (int i = 0; i < 5 && added < invocations.length && !waiting.isFull(); i++) {
                invocations[added] = new Invocation();
                waiting.add(invocations[added], 10L * added);
                added++;
            }
            for (int i = 0; i < 2 && !waiting.isEmpty(); i++) {
                assertThat(waiting.first()).isSameAs(invocations[removed]);
                assertThat(waiting.firstPosition()).isEqualTo(10L * removed);
                waiting.removeFirst();
                removed++;
            }
        }

        assertThat(waiting.isEmpty()).isTrue();
    }

    @Test
    void shouldKeepSomeSpareWhenItIsFullAndRefuseWhatIsBeyond() {
        WaitingReplies waiting = new WaitingReplies(1_000);
        for (int i = 0; i < 1_000; i++) {
            assertThat(waiting.isFull()).isFalse();
            waiting.add(new Invocation(), i);
        }

        for (int i = 0; i < 16; i++) {
            assertThat(waiting.isFull()).isTrue();
            waiting.add(new Invocation(), 1_000 + i);
        }

        assertThatThrownBy(() -> waiting.add(new Invocation(), 1_016)).hasMessageContaining("1016");
    }
}
