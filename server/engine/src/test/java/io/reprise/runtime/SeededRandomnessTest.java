package io.reprise.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class SeededRandomnessTest {
    @Test
    void shouldGiveTheSameNumbersForEver() {
        Randomness random = new SeededRandomness(42);

        long[] numbers = {random.nextLong(), random.nextLong(), random.fork().nextLong()};

        assertThat(numbers)
                .as("committed seeds would mean other runs if this changed")
                .containsExactly(-4767286540954276203L, 2949826092126892291L, -7195600509147422815L);
    }

    @Test
    void shouldNotDisturbTheParentWhenAForkIsUsed() {
        Randomness used = new SeededRandomness(1);
        Randomness unused = new SeededRandomness(1);
        Randomness fork = used.fork();
        unused.fork();

        fork.nextLong();

        assertThat(used.nextLong()).isEqualTo(unused.nextLong());
        assertThat(fork.nextLong()).isNotEqualTo(used.nextLong());
    }

    @Test
    void shouldStayInBoundsAndReachAllOfThem() {
        Randomness random = new SeededRandomness(7);
        int[] counts = new int[5];
        int hits = 0;

        for (int i = 0; i < 10_000; i++) {
            counts[random.nextInt(5)]++;
            assertThat(random.nextLong(3)).isBetween(0L, 2L);
            assertThat(random.nextDouble()).isBetween(0.0, 0.9999999999999999);
            hits += random.chance(0.25) ? 1 : 0;
        }

        assertThat(counts[4]).isBetween(1_800, 2_200);
        assertThat(counts[0]).isBetween(1_800, 2_200);
        assertThat(hits).isBetween(2_300, 2_700);
        assertThat(random.chance(0)).isFalse();
        assertThat(random.chance(1)).isTrue();
    }

    @Test
    void shouldRefuseABoundThatIsNotPositive() {
        assertThatThrownBy(() -> new SeededRandomness(1).nextInt(0)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new SeededRandomness(1).nextLong(-1)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldDifferEachTimeWhenUnpredictable() {
        assertThat(SeededRandomness.unpredictable().nextLong())
                .isNotEqualTo(SeededRandomness.unpredictable().nextLong());
    }
}
