package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class NodeEntryTest {
    @Test
    void shouldReadTheBytesThatItWrote() {
        NodeEntry entry = new NodeEntry(
                7,
                -3,
                "peer.example:21213",
                "",
                List.of(
                        new NodeEntry.Log(
                                0,
                                3,
                                40,
                                false,
                                List.of(5L, 7L),
                                new NotedLine(4, 3, List.of(new Member(0, 5), new Member(2, -9)), List.of(2, 0)),
                                new TreeMap<>(Map.of(0, 1, 17, 2, 18, 0, 144, 127, 145, 128, 65_535, 40_000))),
                        new NodeEntry.Log(2, 0, 0, true, List.of(), NotedLine.NONE, new TreeMap<>())));

        assertThat(NodeEntry.decode(entry.encode())).isEqualTo(entry);
        assertThat(NodeEntry.decode(entry.withLeaving().encode()).leaving()).isTrue();
        NodeEntry deaf = entry.withUnheard(List.of(new Member(1, 4), new Member(3, -6)));
        assertThat(NodeEntry.decode(deaf.encode())).isEqualTo(deaf);
    }

    @Test
    void shouldTellTheLevelsOfALaterProgramAndSkipItsFields() {
        NodeEntry later = new NodeEntry(7, 0, "a", "b", List.of()).withLevels(new Levels(2, 40_000));
        byte[] bytes = later.encode();

        assertThat(NodeEntry.decode(Arrays.copyOf(bytes, bytes.length + 9))).isEqualTo(later);
    }

    @Test
    void shouldTakeLittleForManyMovedBuckets() {
        SortedMap<Integer, Integer> moved = new TreeMap<>();
        for (int bucket = 0; bucket < 1 << 16; bucket++) {
            moved.put(bucket, bucket % 100);
        }
        List<NodeEntry.Log> logs = new ArrayList<>();
        for (int partition = 0; partition < 4; partition++) {
            logs.add(new NodeEntry.Log(partition, 3, 40, false, List.of(), NotedLine.NONE, moved));
        }
        NodeEntry entry = new NodeEntry(7, 0, "a", "b", logs);

        assertThat(entry.encode()).as("the bound of ZooKeeper").hasSizeLessThan(1 << 20);
        assertThat(NodeEntry.decode(entry.encode())).isEqualTo(entry);
    }

    @Test
    void shouldFindTheLogOfAPartitionThatItHolds() {
        NodeEntry.Log held = new NodeEntry.Log(2, 3, 40, false, List.of(), NotedLine.NONE, new TreeMap<>());
        NodeEntry entry = new NodeEntry(7, 0, "a", "b", List.of(held));

        assertThat(entry.log(2)).isEqualTo(held);
        assertThat(entry.log(1)).isNull();
    }
}
