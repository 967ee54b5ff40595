package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.record.data.DataCollector;
import io.reprise.record.data.Payloads;
import io.reprise.redo.RedoInTurns;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A follower that applies data records is swept meanwhile: its snapshot equals a stopped copy of its moment. */
class FollowerSnapshotTest {
    @Test
    void shouldEqualAStoppedCopyWhenDataRecordsAreAppliedMeanwhile() {
        Seeds.forEach(8, seed -> run(seed, 4, 600));
    }

    private static void run(long seed, int snapshots, int rows) {
        Random random = new Random(seed);
        int partitions = 1 + random.nextInt(3);
        SimulatedFileStore files = new SimulatedFileStore(seed);
        try (SnapshotRig live = new SnapshotRig(partitions);
                SnapshotRig follower = new SnapshotRig(partitions, SnapshotRig.small(), files)) {
            List<RedoInTurns> redo = follower.stores.stream()
                    .map(store -> new RedoInTurns(store, random.nextInt(40), 1, 1 + random.nextInt(5)))
                    .toList();
            RandomLoad load = new RandomLoad(live, random);
            replicate(live, load, redo);
            load.fill(rows);
            for (int i = 0; i < snapshots; i++) {
                snapshot(live, follower, load, redo, random, files);
                for (int between = random.nextInt(50); between > 0; between--) {
                    load.transaction();
                }
            }
            redo.forEach(RedoInTurns::storeAll);
            assertThat(follower.images()).isEqualTo(live.images());
            follower.stores.forEach(PartitionStore::finishReplay);
            follower.stores.forEach(PartitionStore::verify);
            redo.forEach(RedoInTurns::close);
        }
    }

    /** Each transaction of the live partitions leaves a data record, which all partitions of the follower get. */
    private static void replicate(SnapshotRig live, RandomLoad load, List<RedoInTurns> redo) {
        List<DataCollector> collectors = live.stores.stream()
                .map(store -> new DataCollector(store, true))
                .toList();
        load.beforeCommit(partition -> {
            byte[] payload = Payloads.collect(collectors.get(partition), partition == 0);
            if (payload.length > 0) {
                redo.forEach(each -> each.add(live.transactionId, payload));
            }
        });
    }

    private static void snapshot(
            SnapshotRig live,
            SnapshotRig follower,
            RandomLoad load,
            List<RedoInTurns> redo,
            Random random,
            SimulatedFileStore files) {
        CompletableFuture<SnapshotReport> future = follower.agent.request();
        Map<String, String> expected = null;
        Map<String, Long> nextRowIds = null;
        int loadShare = 20 + random.nextInt(40);
        for (int step = 0; !future.isDone(); step++) {
            assertThat(step).as("steps").isLessThan(1_000_000);
            int dice = random.nextInt(100);
            if (dice < loadShare) {
                load.transaction();
            } else if (dice < 75) {
                redo.get(random.nextInt(redo.size())).store();
            } else if (dice < 92) {
                follower.sweep(random.nextInt(follower.stores.size()));
            } else if (dice < 96) {
                follower.work();
            } else if (follower.toBegin != null) {
                redo.forEach(RedoInTurns::storeAll);
                assertThat(follower.images()).isEqualTo(live.images());
                expected = follower.images();
                nextRowIds = SnapshotUnderLoadTest.nextRowIds(follower);
                follower.beginIfAsked();
            }
        }

        follower.assertNoMarks();
        SnapshotReport report = future.join();
        assertThat(report.problem()).isEmpty();
        Manifest manifest = new SnapshotReader(files).verify(report.transactionId());
        assertThat(SnapshotRig.images(files, manifest)).isEqualTo(expected);
        assertThat(SnapshotUnderLoadTest.nextRowIds(manifest)).isEqualTo(nextRowIds);
    }

    /** Rows that were written ahead of their turn are at places that the sweep would take for the moment's. */
    @Test
    void shouldRefuseToBeginWhileRowsAreWrittenAhead() {
        try (SnapshotRig live = new SnapshotRig(1);
                SnapshotRig follower = new SnapshotRig(1, SnapshotRig.small(), new SimulatedFileStore(1));
                RedoInTurns redo = new RedoInTurns(follower.stores.getFirst(), 1, 1, 10)) {
            PartitionStore store = live.stores.getFirst();
            DataCollector collector = new DataCollector(store, true);
            for (long id = 0; id < 100; id++) {
                store.begin(++live.transactionId);
                live.access(0, "SETTING").insert(0, List.of(id, id));
                redo.add(live.transactionId, Payloads.collect(collector, true));
                store.commit();
                redo.store();
            }
            follower.agent.request();
            while (follower.toBegin == null) {
                follower.work();
            }

            assertThatThrownBy(follower::beginIfAsked).hasMessageContaining("a snapshot begins with rows ahead");
        }
    }
}
