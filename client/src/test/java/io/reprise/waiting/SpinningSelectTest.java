package io.reprise.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.channel.SelectStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SpinningSelectTest {
    private final SpinningSelect select = new SpinningSelect();

    private int look(int ready, boolean hasTasks) throws Exception {
        return select.calculateStrategy(() -> ready, hasTasks);
    }

    @Test
    void shouldBlockWhenNothingHasComeYet() throws Exception {
        assertThat(look(0, false)).isEqualTo(SelectStrategy.SELECT);
    }

    @Test
    void shouldTellWhatIsReadyAndNeverBlockWhenThereAreTasks() throws Exception {
        assertThat(look(3, false)).isEqualTo(3);
        assertThat(look(0, true)).isZero();
        assertThat(look(2, true)).isEqualTo(2);
    }

    /** The next look does not see the event that ends a block. */
    @Test
    void shouldSpinWhenBlocksWereShortAndBlockAgainWhenThatIsNotRewarded() throws Exception {
        boolean spun = false;
        // A pause of the machine may spoil a few.
        for (int i = 0; i < 100_000 && !spun; i++) {
            spun = look(0, false) == SelectStrategy.CONTINUE;
        }
        assertThat(spun).isTrue();

        int strategy = SelectStrategy.CONTINUE;
        while (strategy == SelectStrategy.CONTINUE) {
            strategy = look(0, false);
        }

        assertThat(strategy).isEqualTo(SelectStrategy.SELECT);
    }
}
