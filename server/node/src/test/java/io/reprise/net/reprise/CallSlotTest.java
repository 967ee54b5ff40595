package io.reprise.net.reprise;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.Text;
import io.reprise.wire.CallReader;
import org.junit.jupiter.api.Test;

final class CallSlotTest {
    private final CallSlot slot = new CallSlot();

    /** The first text of a call that has so many. */
    private Text call(int texts) {
        slot.begin(null, new CallReader());
        Text first = slot.text();
        for (int i = 1; i < texts; i++) {
            slot.text();
        }
        slot.end();
        return first;
    }

    @Test
    void shouldUseTheTextsOfACallAgain() {
        Text first = call(20);

        assertThat(call(20)).isSameAs(first);
    }

    @Test
    void shouldNotKeepTheTextsOfACallThatHadVeryMany() {
        Text first = call(10_000);

        assertThat(call(1)).isNotSameAs(first);
    }
}
