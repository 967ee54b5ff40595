package io.reprise.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Operations on maps without a cluster: goals are even, few replicas move, and nothing is left to do the second time. */
final class MapOperationTest {
    /** A settled map with k+1 replicas in a row. */
    private static PartitionMap settled(int nodes, int partitions, int copies) {
        List<Replicas> lines = new ArrayList<>();
        for (int partition = 0; partition < partitions; partition++) {
            TreeSet<Integer> holders = new TreeSet<>();
            for (int copy = 0; copy < copies; copy++) {
                holders.add((partition + copy) % nodes);
            }
            lines.add(new Replicas(
                    1,
                    1,
                    partition % nodes,
                    holders.stream().map(node -> new Member(node, 100 + node)).toList()));
        }
        return new PartitionMap(IntStream.range(0, nodes).boxed().toList(), List.of(), lines, List.of());
    }

    private static SortedMap<Integer, Levels> running(int... nodes) {
        SortedMap<Integer, Levels> running = new TreeMap<>();
        for (int node : nodes) {
            running.put(node, Levels.OWN);
        }
        return running;
    }

    /** The map when all goals are reached. */
    private static PartitionMap reached(PartitionMap map) {
        PartitionMap reached = map;
        for (int partition = 0; partition < map.partitions().size(); partition++) {
            List<Integer> goal = map.partitions().get(partition).goal();
            reached = reached.with(
                    partition,
                    new Replicas(
                            2,
                            2,
                            goal.getFirst(),
                            new TreeSet<>(goal)
                                    .stream()
                                            .map(node -> new Member(node, 100 + node))
                                            .toList(),
                            goal,
                            goal));
        }
        return MapOperation.tidy(reached);
    }

    private static long replicas(PartitionMap map, int node) {
        return map.partitions().stream()
                .filter(line -> line.goal().contains(node))
                .count();
    }

    private static long leads(PartitionMap map, int node) {
        return map.partitions().stream()
                .filter(line -> line.goal().getFirst() == node)
                .count();
    }

    private static void requireEven(PartitionMap map) {
        List<Long> replicas =
                map.staying().stream().map(node -> replicas(map, node)).sorted().toList();
        List<Long> leads =
                map.staying().stream().map(node -> leads(map, node)).sorted().toList();
        assertThat(replicas.getLast() - replicas.getFirst())
                .as("replicas %s", replicas)
                .isLessThanOrEqualTo(1);
        assertThat(leads.getLast() - leads.getFirst()).as("leads %s", leads).isLessThanOrEqualTo(1);
        map.partitions().forEach(line -> assertThat(new TreeSet<>(line.goal())).hasSameSizeAs(line.goal()));
    }

    @ParameterizedTest
    @CsvSource({"1, 4, 1", "1, 1, 1", "2, 8, 2", "3, 6, 2", "3, 12, 3", "3, 7, 1", "5, 64, 2", "7, 100, 3", "2, 1, 2"})
    void shouldGiveAnAddedNodeItsShareAndMoveNoMore(int nodes, int partitions, int copies) {
        PartitionMap map = settled(nodes, partitions, copies);

        PartitionMap added = MapOperation.apply(new MapOperation.Add(nodes), map, copies, running(nodes));

        requireEven(added);
        long moved = replicas(added, nodes);
        assertThat(moved).isLessThanOrEqualTo((long) partitions * copies / (nodes + 1) + 1);
        for (int node = 0; node < nodes; node++) {
            assertThat(replicas(added, node)).isLessThanOrEqualTo(replicas(map, node));
        }
        assertThat(MapOperation.apply(new MapOperation.Add(nodes), added, copies, running(nodes)))
                .isEqualTo(added);
        assertThat(PartitionMap.decode(added.encode())).isEqualTo(added);
    }

    @ParameterizedTest
    @CsvSource({"2, 4, 1", "3, 6, 2", "4, 12, 3", "3, 7, 1", "5, 64, 2", "7, 100, 3"})
    void shouldGiveTheReplicasOfARemovedNodeToOthers(int nodes, int partitions, int copies) {
        PartitionMap map = settled(nodes, partitions, copies);

        PartitionMap removing = MapOperation.apply(new MapOperation.Remove(0), map, copies, running());

        requireEven(removing);
        assertThat(replicas(removing, 0)).isZero();
        removing.partitions().forEach(line -> assertThat(line.goal()).hasSize(copies));
        assertThat(removing.nodes()).contains(0);
        assertThat(MapOperation.apply(new MapOperation.Remove(0), removing, copies, running()))
                .isEqualTo(removing);
        assertThat(MapOperation.tidy(removing)).isEqualTo(removing);
        assertThat(reached(removing).nodes()).doesNotContain(0).hasSize(nodes - 1);
    }

    @Test
    void shouldGiveUpGoalsThatAreNotReached() {
        PartitionMap map = settled(3, 6, 2);
        PartitionMap adding = MapOperation.apply(new MapOperation.Add(3), map, 2, running(3));
        PartitionMap removing = MapOperation.apply(new MapOperation.Remove(1), map, 2, running());

        assertThat(MapOperation.apply(new MapOperation.Cancel(), adding, 2, running()))
                .isEqualTo(map);
        assertThat(MapOperation.apply(new MapOperation.Cancel(), removing, 2, running()))
                .isEqualTo(map);
        PartitionMap reached = reached(adding);
        assertThat(MapOperation.apply(new MapOperation.Cancel(), reached, 2, running()))
                .isEqualTo(reached);
    }

    @Test
    void shouldMoveAMemberThatIsToHoldNothingOutOfSync() {
        Replicas line = settled(3, 1, 2).partitions().getFirst().with(new Member(2, 102));

        assertThat(line.isMoving()).isTrue();
        assertThat(line.settled().sync()).extracting(Member::node).containsExactly(0, 1);
        assertThat(line.settled().isMoving()).isFalse();
        assertThat(line.settled().epoch()).isEqualTo(line.epoch() + 1);
        assertThat(line.settled().term()).isEqualTo(line.term());
    }

    @Test
    void shouldReplaceANodeByTwoOperationsAtOnce() {
        PartitionMap map = settled(3, 6, 2);

        PartitionMap adding = MapOperation.apply(new MapOperation.Add(3), map, 2, running(3));
        PartitionMap both = MapOperation.apply(new MapOperation.Remove(1), adding, 2, running(3));

        requireEven(both);
        assertThat(reached(both).nodes()).containsExactly(0, 2, 3);
    }

    @Test
    void shouldRefuseWhatTheMapDoesNotAllow() {
        PartitionMap map = settled(2, 4, 2);

        requireRefused(
                new MapOperation.Remove(1),
                map,
                "each partition has 2 replicas on different nodes, and 1 would be left");
        requireRefused(new MapOperation.Remove(7), map, "node 7 is no node of the cluster; its nodes are 0, 1");
        requireRefused(new MapOperation.Add(3), map, "node 3 does not run");
    }

    @Test
    void shouldRaiseTheLevelWhenAllNodesSpeakIt() {
        PartitionMap map = settled(2, 4, 2);
        SortedMap<Integer, Levels> spoken = new TreeMap<>();
        spoken.put(0, new Levels(1, 3));
        spoken.put(5, new Levels(1, 1));

        assertThatThrownBy(() -> MapOperation.apply(new MapOperation.Upgrade(), map, 2, spoken))
                .hasMessageContaining("node 1 does not run");
        spoken.put(1, new Levels(1, 2));
        assertThatThrownBy(() -> MapOperation.apply(new MapOperation.Upgrade(), map, 2, spoken))
                .hasMessageContaining("node 1 speaks levels 1 to 2, and other nodes speak level 3");
        spoken.put(1, new Levels(2, 3));
        PartitionMap raised = MapOperation.apply(new MapOperation.Upgrade(), map, 2, spoken);

        assertThat(raised).isEqualTo(map.withLevel(3));
        assertThat(MapOperation.apply(new MapOperation.Upgrade(), raised, 2, spoken))
                .isEqualTo(raised);
        assertThat(MapOperation.apply(new MapOperation.Remove(1), raised, 1, running(0, 1))
                        .level())
                .isEqualTo(3);
        assertThat(MapOperation.apply(new MapOperation.Cancel(), raised, 2, running(0, 1))
                        .level())
                .isEqualTo(3);
    }

    private static void requireRefused(MapOperation operation, PartitionMap map, String message) {
        assertThatThrownBy(() -> MapOperation.apply(operation, map, 2, running(0, 1)))
                .isInstanceOf(MapOperation.RefusedException.class)
                .hasMessageContaining(message);
    }

    @Test
    void shouldSpreadWhatIsUneven() {
        PartitionMap map = settled(2, 4, 1);
        PartitionMap alone = reached(MapOperation.apply(new MapOperation.Remove(1), map, 1, running()));
        PartitionMap both = new PartitionMap(List.of(0, 1), List.of(), alone.partitions(), List.of());

        PartitionMap spread = MapOperation.apply(new MapOperation.Spread(), both, 1, running());

        requireEven(spread);
        assertThat(spread.moving()).isEqualTo(2);
        assertThat(MapOperation.apply(new MapOperation.Spread(), spread, 1, running()))
                .isEqualTo(spread);
        assertThat(MapOperation.apply(new MapOperation.Spread(), reached(spread), 1, running()))
                .isEqualTo(reached(spread));
    }
}
