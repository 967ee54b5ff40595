package io.reprise.workload;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.procedure.TextBuilder;
import org.junit.jupiter.api.Test;

class RandomValuesTest {
    private final RandomValues random = new RandomValues(42);

    @Test
    void shouldRepeatItselfWhenTheSeedIsTheSame() {
        RandomValues other = new RandomValues(42);

        for (int i = 0; i < 1_000; i++) {
            assertThat(random.uniform(1, 1_000_000)).isEqualTo(other.uniform(1, 1_000_000));
        }
    }

    @Test
    void shouldDifferWhenThePlaceDiffers() {
        long here = random.seed(1, 2, 3, 4).nextLong();

        assertThat(random.seed(1, 2, 3, 5).nextLong()).isNotEqualTo(here);
        assertThat(random.seed(1, 2, 4, 3).nextLong()).isNotEqualTo(here);
        assertThat(random.seed(2, 1, 3, 4).nextLong()).isNotEqualTo(here);
        assertThat(random.seed(1, 2, 3, 4).nextLong()).isEqualTo(here);
    }

    @Test
    void shouldReachBothEndsWhenDrawnUniformly() {
        int[] counts = new int[10];

        for (int i = 0; i < 100_000; i++) {
            counts[random.uniform(5, 14) - 5]++;
        }

        assertThat(java.util.Arrays.stream(counts))
                .allSatisfy(count -> assertThat(count).isBetween(9_500, 10_500));
    }

    @Test
    void shouldUseAllCharactersAndLengthsWhenAlphanumeric() {
        TextBuilder text = new TextBuilder(24);
        int[] lengths = new int[25];
        int[] characters = new int[128];

        for (int i = 0; i < 20_000; i++) {
            String value = random.alphanumeric(text.clear(), 14, 24).text().toString();
            lengths[value.length()]++;
            value.chars().forEach(c -> characters[c]++);
        }

        for (int length = 0; length < lengths.length; length++) {
            assertThat(lengths[length] > 0).as("length " + length).isEqualTo(length >= 14);
        }
        for (int c = 0; c < characters.length; c++) {
            assertThat(characters[c] > 0).as("character " + c).isEqualTo(Character.isLetterOrDigit(c));
        }
    }

    @Test
    void shouldContainEachNumberOnceWhenPermuting() {
        int[] permutation = new int[3_000];

        random.permutation(permutation, permutation.length);

        assertThat(permutation).doesNotHaveDuplicates();
        assertThat(java.util.Arrays.stream(permutation).sum()).isEqualTo(3_000 * 3_001 / 2);
        assertThat(permutation)
                .isNotEqualTo(java.util.stream.IntStream.rangeClosed(1, 3_000).toArray());
    }
}
