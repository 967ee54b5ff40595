package io.reprise.cluster.replica;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.cluster.BucketPlace;
import io.reprise.cluster.Levels;
import io.reprise.cluster.Member;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.Replicas;
import io.reprise.execution.BucketMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Maps that are made of the logs of nodes. Node n ran as 10n before the loss, and runs as 10n + 1 now. */
class MapRecoveryTest {
    private static final long FIRST = PartitionMap.firstEpoch(1);

    private final SortedMap<Integer, List<NodeEntry.Log>> logs = new TreeMap<>();
    private final SortedMap<Integer, Integer> accepted = new TreeMap<>();
    private long epochSeconds;

    private static Member member(int node) {
        return new Member(node, 10L * node);
    }

    private static NotedLine noted(long epoch, int... members) {
        List<Member> all = new ArrayList<>();
        List<Integer> holders = new ArrayList<>();
        for (int node : members) {
            all.add(member(node));
            holders.add(node);
        }
        return new NotedLine(1, epoch, all, holders);
    }

    private void log(int node, int partition, long epoch, long index, NotedLine noted) {
        log(node, partition, epoch, index, noted, Map.of());
    }

    private void log(int node, int partition, long epoch, long index, NotedLine noted, Map<Integer, Integer> moved) {
        logs.computeIfAbsent(node, key -> new ArrayList<>())
                .add(new NodeEntry.Log(
                        partition,
                        epoch,
                        index,
                        false,
                        List.of(10L * node, 10L * node + 1),
                        noted,
                        new TreeMap<>(moved)));
    }

    private SortedMap<Integer, NodeEntry> entries() {
        SortedMap<Integer, NodeEntry> entries = new TreeMap<>();
        logs.forEach((node, held) -> entries.put(node, new NodeEntry(10L * node + 1, 0, "n" + node, "", held)));
        return entries;
    }

    private MapRecovery.Result plan(int partitions) {
        return MapRecovery.plan(BucketMap.dealt(partitions), entries(), accepted, epochSeconds);
    }

    private MapRecovery.Finding only() {
        return plan(1).findings().getFirst();
    }

    @Test
    void shouldLetTheLongestLogOfTheMembersLeadInAnEpochAboveAll() {
        log(0, 0, 4, 90, noted(5, 0, 2));
        log(1, 0, 7, 3, noted(2, 0, 1));
        log(2, 0, 5, 80, noted(5, 0, 2));
        log(1, 1, 3, 7, noted(3, 1));

        MapRecovery.Result result = plan(2);

        assertThat(result.findings()).allMatch(MapRecovery.Finding::isSafe);
        PartitionMap map = result.map().orElseThrow();
        assertThat(map.nodes()).containsExactly(0, 1, 2);
        assertThat(map.partitions())
                .containsExactly(
                        new Replicas(FIRST, FIRST, 2, List.of(new Member(2, 21)), List.of(0, 2), List.of(0, 2)),
                        new Replicas(FIRST, FIRST, 1, List.of(new Member(1, 11)), List.of(1), List.of(1)));
        assertThat(map.generation()).isEqualTo(1);
        assertThat(map.versionForClients(2)).isEqualTo((1L << 20) + 2);
    }

    @Test
    void shouldBeginAnotherGenerationEachTime() {
        log(0, 0, FIRST + 3, 10, noted(FIRST + 9, 0));

        assertThat(plan(1).map().orElseThrow().partitions().getFirst().epoch()).isEqualTo(PartitionMap.firstEpoch(2));
    }

    /** The nodes of the first recovery are not here when the map is lost again. */
    @Test
    void shouldUseNoEpochOfAnotherRecoveryThatItDoesNotSee() {
        log(0, 0, 5, 80, noted(5, 0, 1));
        accepted.put(0, MapRecovery.LONGEST);

        epochSeconds = 1_800_000_000;
        PartitionMap one = plan(1).map().orElseThrow();
        epochSeconds = 1_800_000_100;
        PartitionMap other = plan(1).map().orElseThrow();

        assertThat(one.generation()).isEqualTo(1_800_000_000);
        assertThat(other.generation()).isEqualTo(1_800_000_100);
        assertThat(other.versionForClients(1)).isGreaterThan(one.versionForClients(Integer.MAX_VALUE >>> 11));
    }

    @Test
    void shouldGoOnWithEpochsWhenTheClockIsBehindAnEarlierRecovery() {
        long first = PartitionMap.firstEpoch(1_800_000_000);
        log(0, 0, first + 3, 10, noted(first + 9, 0));
        epochSeconds = 1_700_000_000;

        assertThat(plan(1).map().orElseThrow().generation()).isEqualTo(1_800_000_001);
    }

    @Test
    void shouldPreferTheFirstHolderOfEqualLogs() {
        log(1, 0, 5, 80, noted(5, 2, 1));
        log(2, 0, 5, 80, noted(5, 2, 1));

        assertThat(only().node()).hasValue(2);
    }

    @Test
    void shouldRefuseWhenAMemberThatMayHaveLedLaterIsNotHere() {
        log(0, 0, 5, 80, noted(5, 0, 1));

        assertThat(only().missing()).containsExactly(member(1));
        assertThat(plan(1).map()).isEmpty();
    }

    @Test
    void shouldRefuseWhenAJoinerIsNotHereThatTheMapMayHave() {
        log(0, 0, 5, 80, new NotedLine(1, 5, List.of(member(0), member(3)), List.of(0, 3)));

        assertThat(only().missing()).containsExactly(member(3));
        log(3, 0, 5, 60, NotedLine.NONE);
        assertThat(only().isSafe()).isTrue();
        assertThat(only().node()).hasValue(0);
    }

    @Test
    void shouldRefuseWhenTheDiskOfAMemberWasReplaced() {
        log(0, 0, 5, 80, noted(5, 0, 1));
        logs.put(1, List.of(new NodeEntry.Log(0, 0, 0, false, List.of(11L), NotedLine.NONE, new TreeMap<>())));

        assertThat(only().missing()).containsExactly(member(1));
    }

    @Test
    void shouldTakeNoLogThatIsBeingLoaded() {
        log(0, 0, 5, 80, noted(5, 0, 1));
        logs.put(1, List.of(new NodeEntry.Log(0, 0, 0, true, List.of(10L, 11L), noted(5, 0, 1), new TreeMap<>())));

        assertThat(only().isSafe()).isTrue();
        assertThat(only().node()).hasValue(0);
    }

    @Test
    void shouldLetAnOperatorAcceptALoss() {
        log(0, 0, 3, 70, noted(3, 0, 1, 2));
        log(2, 0, 5, 60, noted(5, 1, 2));
        assertThat(plan(1).map()).isEmpty();

        accepted.put(0, MapRecovery.LONGEST);
        assertThat(plan(1).map()).isPresent();
        assertThat(only().node()).hasValue(2);
        assertThat(only().isSafe()).isFalse();
        assertThat(plan(1).map().orElseThrow().losses())
                .containsExactly("Partition 0: node 2, record 60 of epoch 5; transactions may be missing that node 1"
                        + " acknowledged, whose log is not here. Their number is not known");

        accepted.put(0, 0);
        assertThat(only().node()).hasValue(0);
        assertThat(only().longer()).hasValue(2);
        assertThat(plan(1).map().orElseThrow().partitions().getFirst().leader()).isZero();

        accepted.put(0, 1);
        assertThat(only().node()).isEmpty();
        assertThat(plan(1).map()).isEmpty();
    }

    @Test
    void shouldTellTheRecordsThatALongerLogHas() {
        log(0, 0, 5, 70, noted(5, 0, 1));
        log(1, 0, 5, 100, noted(5, 0, 1));
        accepted.put(0, 0);

        assertThat(only().behind()).isEqualTo(30);
        assertThat(only().isSafe()).isFalse();
        assertThat(plan(1).map().orElseThrow().losses())
                .containsExactly(
                        "Partition 0: node 0, record 70 of epoch 5; node 1 has a later log, with 30 records more,"
                                + " which is not kept");
        accepted.put(0, MapRecovery.LONGEST);
        assertThat(only().isSafe()).isTrue();
        assertThat(only().node()).hasValue(1);
        assertThat(plan(1).map().orElseThrow().losses()).isEmpty();
    }

    @Test
    void shouldPlaceBucketsAsTheStreamsHaveThem() {
        BucketMap dealt = BucketMap.dealt(3);
        int bucket = dealt.buckets(0)[0];
        int back = dealt.buckets(0)[1];
        int undecided = dealt.buckets(0)[2];
        log(0, 0, 5, 70, noted(5, 0), Map.of(bucket, 1, undecided, 2));
        log(0, 1, 5, 70, noted(5, 0), Map.of(bucket, 2, back, 0));
        log(0, 2, 5, 70, noted(5, 0), Map.of(bucket, 2));

        assertThat(plan(3).map().orElseThrow().buckets())
                .containsExactlyInAnyOrder(
                        new BucketPlace(bucket, 2, 2), new BucketPlace(back, 0, 0), new BucketPlace(undecided, 2, 2));
    }

    @Test
    void shouldRefuseALossThatTakesABucketOrDoublesIt() {
        BucketMap dealt = BucketMap.dealt(2);
        int gone = dealt.buckets(0)[0];
        int twice = dealt.buckets(1)[0];
        log(0, 0, 5, 70, noted(5, 0), Map.of(gone, 1, twice, 0));
        log(0, 1, 2, 70, noted(2, 0, 1));
        accepted.put(1, MapRecovery.LONGEST);

        MapRecovery.Result result = plan(2);

        assertThat(result.map()).isEmpty();
        assertThat(result.problems())
                .hasSize(2)
                .anyMatch(each -> each.startsWith("bucket " + gone + " is in no partition"))
                .anyMatch(each -> each.startsWith("bucket " + twice + " is in the partitions [1, 0]"))
                .allMatch(each -> each.contains("restore a backup"));
    }

    @Test
    void shouldWorkAtTheLeastLevelThatAllNodesSpeak() {
        log(0, 0, 5, 70, noted(5, 0));
        SortedMap<Integer, NodeEntry> entries = entries();
        entries.put(0, entries.get(0).withLevels(new Levels(2, 4)));
        entries.put(1, new NodeEntry(11, 0, "n1", "", List.of()).withLevels(new Levels(3, 5)));

        assertThat(MapRecovery.plan(BucketMap.dealt(1), entries, accepted, epochSeconds)
                        .map()
                        .orElseThrow()
                        .level())
                .isEqualTo(3);
        entries.put(2, new NodeEntry(21, 0, "n2", "", List.of()).withLevels(new Levels(6, 6)));
        MapRecovery.Result none = MapRecovery.plan(BucketMap.dealt(1), entries, accepted, epochSeconds);
        assertThat(none.map()).isEmpty();
        assertThat(none.problems().getFirst()).contains("node 2 speaks level 6", "one version of Reprise");
    }

    @Test
    void shouldNotWorkBelowALevelThatIsWrittenDown() {
        log(0, 0, 5, 70, noted(5, 0).withLevel(2));
        log(1, 0, 4, 70, noted(4, 1).withLevel(3));
        SortedMap<Integer, NodeEntry> entries = entries();
        entries.put(0, entries.get(0).withLevels(new Levels(1, 3)));
        entries.put(1, entries.get(1).withLevels(new Levels(2, 4)));

        assertThat(MapRecovery.plan(BucketMap.dealt(1), entries, accepted, epochSeconds)
                        .map()
                        .orElseThrow()
                        .level())
                .isEqualTo(3);
        entries.put(0, entries.get(0).withLevels(new Levels(1, 2)));
        MapRecovery.Result none = MapRecovery.plan(BucketMap.dealt(1), entries, accepted, epochSeconds);
        assertThat(none.map()).isEmpty();
        assertThat(none.problems())
                .singleElement()
                .asString()
                .startsWith("node 0: the cluster works at level 3, and this version of Reprise speaks levels 1 to 2");
    }
}
