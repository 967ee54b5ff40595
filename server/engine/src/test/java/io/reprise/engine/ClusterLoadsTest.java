package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.SimulatedClock;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterLoadsTest {
    private final SimulatedClock clock = new SimulatedClock();
    private final ClusterLoads one = new ClusterLoads(1, 4, clock);
    private final ClusterLoads two = new ClusterLoads(2, 4, clock);

    @Test
    void shouldAddTheLoadsOfNodesThatHaveToldThem() {
        one.ownBy(() -> List.of(new long[] {5, 0, 0, 0}, new long[] {0, 0, 7, 0}));
        two.ownBy(() -> List.of(new long[] {0, 3, 1L << 40, 0}));

        one.receive(two.frame());

        assertThat(one.now().nodes()).containsExactly(1, 2);
        assertThat(one.now().buckets()).containsExactly(5, 3, 7L + Integer.MAX_VALUE, 0);
        assertThat(two.now().nodes()).containsExactly(2);
    }

    @Test
    void shouldForgetANodeThatTellsNothingAnyMore() {
        one.receive(two.frame());
        clock.advance(3 * ClusterLoads.INTERVAL_NS);
        assertThat(one.now().nodes()).containsExactly(1, 2);

        clock.advance(3 * ClusterLoads.INTERVAL_NS);
        assertThat(one.now().nodes()).containsExactly(1);
    }

    @Test
    void shouldTakeNoLoadOfABucketThatThereIsNot() {
        ClusterLoads larger = new ClusterLoads(3, 8, clock);
        larger.ownBy(() -> List.of(new long[] {1, 1, 1, 1, 1, 1, 1, 1}));

        one.receive(larger.frame());

        assertThat(one.now().nodes()).containsExactly(1);
    }
}
