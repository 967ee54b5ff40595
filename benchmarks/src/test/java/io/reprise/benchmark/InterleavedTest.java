package io.reprise.benchmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class InterleavedTest {
    private final List<String> order = new ArrayList<>();

    @Test
    void shouldReverseTheOrderEveryOtherRound() throws Exception {
        new Interleaved().add("a", () -> take("a")).add("b", () -> take("b")).run(1, 3);

        assertThat(order).containsExactly("a", "b", "b", "a", "a", "b", "b", "a");
    }

    @Test
    void shouldLeaveWarmUpsOutAndDivideWithinRounds() throws Exception {
        Interleaved.Comparison comparison = new Interleaved()
                .add("a", () -> take("a"))
                .add("b", () -> 2 * take("b"))
                .run(1, 2);

        // Taken in the order a b | b a | a b: rounds 1 and 2 count.
        assertThat(comparison.of("a")).isEqualTo(new Samples(4, 5));
        assertThat(comparison.of("b")).isEqualTo(new Samples(6, 12));
        assertThat(comparison.ratio("b", "a")).isEqualTo(new Samples(1.5, 2.4));
        assertThatThrownBy(() -> comparison.of("c")).hasMessageContaining("no alternative c");
    }

    @Test
    void shouldQuoteMedianAndSpread() {
        assertThat(new Samples(5, 1, 3).median()).isEqualTo(3);
        assertThat(new Samples(1, 2, 3, 10).median()).isEqualTo(2.5);
        assertThat(new Samples(5, 1, 3)).hasToString("3 (1 .. 5, 3)");
    }

    @Test
    void shouldFindPercentiles() {
        assertThat(new Samples(5, 1, 3).percentile(1)).isEqualTo(1);
        assertThat(new Samples(10, 9, 8, 7, 6, 5, 4, 3, 2, 1).percentile(90)).isEqualTo(9);
        assertThat(new Samples(10, 9, 8, 7, 6, 5, 4, 3, 2, 1).percentile(91)).isEqualTo(10);
        assertThat(new Samples(2).percentile(99)).isEqualTo(2);
    }

    @Test
    void shouldWriteNumbersWithoutExponentOrNoise() {
        assertThat(Numbers.format(1234567.8)).isEqualTo("1234568");
        assertThat(Numbers.format(12.34567)).isEqualTo("12.35");
        assertThat(Numbers.format(0.00012345)).isEqualTo("0.0001235");
        assertThat(Numbers.format(2.0)).isEqualTo("2");
        assertThat(Numbers.format(0)).isEqualTo("0");
    }

    private double take(String name) {
        order.add(name);
        return order.size();
    }
}
