package io.reprise.id;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BucketSetTest {
    private final BucketSet set = new BucketSet();

    @Test
    void shouldListBucketsInTheOrderOfAddingWhenTheyAreFew() {
        set.add(700);
        set.add(3);
        set.add(700);

        assertThat(set.size()).isEqualTo(2);
        assertThat(set.isListed()).isTrue();
        assertThat(set.get(0)).isEqualTo(700);
        assertThat(set.get(1)).isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, BucketSet.MOST_LISTED, BucketSet.MOST_LISTED + 1, Buckets.MOST})
    void shouldContainNothingWhenCleared(int added) {
        for (int i = 0; i < added; i++) {
            set.add(i * 7 & Buckets.MOST - 1);
        }

        set.clear();

        assertThat(set.size()).isZero();
        for (int bucket = 0; bucket < Buckets.MOST; bucket++) {
            assertThat(set.contains(bucket)).isFalse();
        }
    }
}
