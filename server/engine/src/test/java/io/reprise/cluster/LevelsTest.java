package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class LevelsTest {
    @Test
    void shouldFindTheLevelsThatBothSpeak() {
        Levels wide = new Levels(2, 5);

        assertThat(wide.common(new Levels(1, 3))).hasValue(new Levels(2, 3));
        assertThat(wide.common(new Levels(5, 9))).hasValue(new Levels(5, 5));
        assertThat(wide.common(new Levels(6, 9))).isEmpty();
        assertThat(wide.common(new Levels(1, 1))).isEmpty();
    }

    @Test
    void shouldNameTheRemedyWhenTheClusterIsAtAnotherLevel() {
        Levels own = new Levels(2, 3);

        assertThat(own.problem(2)).isEmpty();
        assertThat(own.problem(3)).isEmpty();
        assertThat(own.problem(4).orElseThrow())
                .isEqualTo(
                        "the cluster works at level 4, and this version of Reprise speaks levels 2 to 3; start the node"
                                + " with the version that the other nodes run");
        assertThat(own.problem(1).orElseThrow()).contains("a version that speaks levels 1 to 2 first");
    }

    @Test
    void shouldRefuseRangesThatAreNone() {
        assertThat(Levels.of(0, 1)).isEmpty();
        assertThat(Levels.of(3, 2)).isEmpty();
        assertThat(Levels.of(1, 1 << 16)).isEmpty();
        assertThatThrownBy(() -> new Levels(2, 1)).hasMessageContaining("from 2 to 1");
    }
}
