package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
                                new NotedLine(3, List.of(new Member(0, 5), new Member(2, -9)), List.of(2, 0)),
                                new TreeMap<>(Map.of(17, 2, 18, 0))),
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
    void shouldFindTheLogOfAPartitionThatItHolds() {
        NodeEntry.Log held = new NodeEntry.Log(2, 3, 40, false, List.of(), NotedLine.NONE, new TreeMap<>());
        NodeEntry entry = new NodeEntry(7, 0, "a", "b", List.of(held));

        assertThat(entry.log(2)).isEqualTo(held);
        assertThat(entry.log(1)).isNull();
    }
}
