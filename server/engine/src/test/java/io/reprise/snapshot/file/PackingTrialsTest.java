package io.reprise.snapshot.file;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class PackingTrialsTest {
    private static final int RANDOM = 3;
    private static final int REPETITIVE = 900;

    private final PackingTrials trials = new PackingTrials();

    /** Returns how many of so many blocks in a row are tried. */
    private int tried(int table, boolean pays, int blocks) {
        int tried = 0;
        for (int i = 0; i < blocks; i++) {
            if (trials.isDue(table)) {
                tried++;
                trials.tried(table, pays);
            }
        }
        return tried;
    }

    @Test
    void shouldTryAllBlocksOfATableThatCanBePacked() {
        assertThat(tried(REPETITIVE, true, 1_000)).isEqualTo(1_000);
    }

    @Test
    void shouldTryFewBlocksOfATableThatCannotBePacked() {
        assertThat(tried(RANDOM, false, 16_000)).isBetween(1_000, 1_004);
    }

    @Test
    void shouldTryEachTableForItselfWhenTheirBlocksComeByTurns() {
        int random = 0;
        for (int i = 0; i < 160; i++) {
            random += tried(RANDOM, false, 1);
            assertThat(tried(REPETITIVE, true, 1)).isEqualTo(1);
        }

        assertThat(random).isLessThan(16);
    }

    @Test
    void shouldNoticeSoonThatRowsHaveBecomeOthers() {
        tried(RANDOM, false, 10_000);

        assertThat(tried(RANDOM, true, 100)).isGreaterThanOrEqualTo(100 - PackingTrials.MOST_LEFT_OUT);
    }

    @Test
    void shouldKnowNothingWhenAnotherSnapshotBegins() {
        tried(RANDOM, false, 10_000);

        trials.clear();

        assertThat(trials.isDue(RANDOM)).isTrue();
    }
}
