package io.reprise.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.reprise.procedure.Text;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.RandomValues;
import org.junit.jupiter.api.Test;

class StringsTest {
    @Test
    void shouldMakeNamesFromSyllablesWhenNumberHasThreeDigits() {
        assertThat(name(0)).isEqualTo("BARBARBAR");
        assertThat(name(371)).isEqualTo("PRICALLYOUGHT");
        assertThat(name(999)).isEqualTo("EINGEINGEING");
    }

    @Test
    void shouldFindOriginalWhereverItStands() {
        for (int before = 0; before < 20; before++) {
            for (int after = 0; after < 20; after++) {
                String text = "G".repeat(before) + "ORIGINAL" + "O".repeat(after);

                assertThat(Original.isIn(Text.of(text))).as(text).isTrue();
            }
        }
    }

    @Test
    void shouldAgreeWithPlainSearchWhenTextsAreMadeOfItsLetters() {
        RandomValues random = new RandomValues(17);
        String[] pieces = {"O", "R", "I", "G", "N", "A", "L", "ORIGIN", "AL", "ORIGINA", "x"};
        int found = 0;
        for (int i = 0; i < 100_000; i++) {
            StringBuilder text = new StringBuilder();
            for (int k = random.uniform(0, 8); k > 0; k--) {
                text.append(pieces[random.uniform(0, pieces.length - 1)]);
            }
            boolean expected = text.indexOf("ORIGINAL") >= 0;
            assertThat(Original.isIn(Text.of(text.toString())))
                    .as(text.toString())
                    .isEqualTo(expected);
            found += expected ? 1 : 0;
        }
        assertThat(found).isPositive();
    }

    @Test
    void shouldHaveOriginalInOneOfTenWhenDataAreMade() {
        Population population = new Population();
        int original = 0;
        for (int i = 0; i < 50_000; i++) {
            Text data = population.data().text();
            assertThat(data.length()).isBetween(26, 50);
            original += Original.isIn(data) ? 1 : 0;
        }

        assertThat(original / 500.0).isCloseTo(10, within(0.5));
    }

    private static String name(int number) {
        return CustomerName.append(new TextBuilder(16), number).text().toString();
    }
}
