package io.reprise.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class SeedsTest {
    private final String oneBefore = System.getProperty("reprise.seed");
    private final String manyBefore = System.getProperty("reprise.seeds");

    @BeforeEach
    void forgetProperties() {
        System.clearProperty("reprise.seed");
        System.clearProperty("reprise.seeds");
    }

    @AfterEach
    void restoreProperties() {
        restore("reprise.seed", oneBefore);
        restore("reprise.seeds", manyBefore);
    }

    @Test
    void shouldUseTheSameDifferentSeedsEachTimeWhenNothingIsSaid() {
        assertThat(seeds(10)).hasSize(10).doesNotHaveDuplicates().isEqualTo(seeds(10));
    }

    @Test
    void shouldUseNewSeedsWhenTheirNumberIsSaid() {
        System.setProperty("reprise.seeds", "25");

        assertThat(seeds(10)).hasSize(25).doesNotContainAnyElementsOf(seeds(10));
    }

    @Test
    void shouldUseOnlyTheSeedThatIsSaid() {
        System.setProperty("reprise.seed", "-42");

        assertThat(seeds(10)).containsExactly(-42L);
    }

    @Test
    void shouldNameSeedAndCommandWhenATestFails() {
        System.setProperty("reprise.seed", "-42");

        assertThatThrownBy(() -> Seeds.forEach(3, seed -> {
                    throw new IllegalStateException("wrong");
                }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("seed -42 fails: java.lang.IllegalStateException: wrong")
                .hasMessageContaining("-Dtest=SeedsTest#shouldNameSeedAndCommandWhenATestFails -Dreprise.seed=-42")
                .hasRootCauseMessage("wrong");
    }

    private static List<Long> seeds(int count) {
        List<Long> seeds = new ArrayList<>();
        Seeds.forEach(count, seeds::add);
        return seeds;
    }

    private static void restore(String name, String value) {
        if (value == null) {
            System.clearProperty(name);
        } else {
            System.setProperty(name, value);
        }
    }
}
