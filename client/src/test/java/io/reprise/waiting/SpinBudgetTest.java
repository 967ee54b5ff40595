package io.reprise.waiting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SpinBudgetTest {
    private static final long MOST_NS = 1_000;
    private static final int MANY = 20;

    private final SpinBudget budget = new SpinBudget(MOST_NS);
    private long nowNs = -50_000;

    private void waited(int times, long eachNs) {
        for (int i = 0; i < times; i++) {
            budget.spins(nowNs);
            nowNs += eachNs;
            budget.found(nowNs);
        }
    }

    @Test
    void shouldNotSpinBeforeAnythingWasRewarded() {
        assertThat(budget.spins(nowNs)).isFalse();
    }

    @Test
    void shouldSpinWhenWaitsWereShortAlsoIfTheyWereSlept() {
        waited(MANY, MOST_NS);

        assertThat(budget.spins(nowNs)).isTrue();
    }

    @Test
    void shouldSpinNoLongerThanAShortWait() {
        waited(MANY, MOST_NS);

        budget.spins(nowNs);

        assertThat(budget.spins(nowNs + MOST_NS - 1)).isTrue();
        assertThat(budget.spins(nowNs + MOST_NS)).isFalse();
    }

    @Test
    void shouldStopWhenSpinsAreNotRewardedAndBeginAgainWhenTheyWouldBe() {
        waited(MANY, MOST_NS);
        waited(3, MOST_NS + 1);
        assertThat(budget.spins(nowNs)).isFalse();
        budget.found(nowNs);

        waited(MANY, MOST_NS / 2);

        assertThat(budget.spins(nowNs)).isTrue();
    }

    @Test
    void shouldNotSpinWhenFourOfFiveWaitsAreShort() {
        for (int i = 0; i < MANY; i++) {
            waited(1, 100 * MOST_NS);
            waited(4, MOST_NS / 2);
        }

        assertThat(budget.spins(nowNs)).isFalse();
    }

    @Test
    void shouldCountNothingWhenNobodyWaited() {
        for (int i = 0; i < MANY; i++) {
            budget.found(nowNs);
        }

        assertThat(budget.spins(nowNs)).isFalse();
    }
}
