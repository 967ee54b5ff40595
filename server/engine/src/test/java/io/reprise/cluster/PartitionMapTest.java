package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PartitionMapTest {
    private static final PartitionMap MAP = new PartitionMap(
            7,
            List.of(0, 1, 4),
            List.of(4),
            List.of(
                    new Replicas(3, 2, 1, List.of(new Member(0, 11), new Member(1, -12)), List.of(1, 0), List.of(1, 4)),
                    new Replicas(9, 9, 4, List.of(new Member(4, Long.MAX_VALUE)))),
            List.of(new BucketPlace(17, 1, 0)),
            List.of("Partition 1: a loss of 7 µs", ""));

    @Test
    void shouldReadTheBytesThatItWrote() {
        assertThat(PartitionMap.decode(MAP.encode())).isEqualTo(MAP);
    }

    @Test
    void shouldKeepLossesThroughEachChange() {
        PartitionMap changed = MAP.with(0, MAP.partitions().get(1))
                .withBuckets(List.of())
                .withNodes(List.of(0, 1, 4), List.of())
                .withLevel(8);

        assertThat(changed.losses()).isEqualTo(MAP.losses());
        assertThat(MapOperation.apply(new MapOperation.Cancel(), changed, 1, new TreeMap<>())
                        .losses())
                .isEqualTo(MAP.losses());
    }

    @Test
    void shouldTellTheLevelOfAMapThatOnlyLaterProgramsRead() {
        byte[] later = {0, 0, 0, 9, 77};

        assertThat(PartitionMap.levelOf(later)).isEqualTo(9);
        assertThat(PartitionMap.levelOf(MAP.encode())).isEqualTo(7);
    }

    @Test
    void shouldReadNoMapThatIsShort() {
        byte[] whole = MAP.encode();
        for (int length = 0; length < whole.length; length++) {
            byte[] cut = Arrays.copyOf(whole, length);

            assertThatThrownBy(() -> PartitionMap.decode(cut)).isInstanceOf(BufferUnderflowException.class);
        }
    }
}
