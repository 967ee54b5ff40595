package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.TableContents;
import io.reprise.storage.PartitionStore;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A snapshot made while everything changes equals a stopped copy of its moment. */
class SnapshotUnderLoadTest {
    @Test
    void shouldEqualAStoppedCopyWhenTransactionsRunMeanwhile() {
        Seeds.forEach(6, seed -> run(seed, SnapshotRig.small(), 4, 1200));
    }

    @Test
    @Tag("long")
    void shouldEqualAStoppedCopyWhenManyTransactionsRunMeanwhile() {
        Seeds.forEach(100, seed -> run(seed, SnapshotRig.small(), 8, 1500));
    }

    /** With next to no room for saved rows many snapshots are given up; the others must be right all the same. */
    @Test
    void shouldLeaveNothingBehindWhenSnapshotsAreGivenUp() {
        SnapshotSettings tight = new SnapshotSettings(0, 0, 2, 1, 1, 1_000, 2048, 2, 8192, 64 << 10, 0);
        int[] succeeded = new int[2];
        Seeds.forEach(6, seed -> {
            int[] counts = run(seed, tight, 6, 1200);
            succeeded[0] += counts[0];
            succeeded[1] += counts[1];
        });
        assertThat(succeeded[0]).as("given up").isPositive();
        assertThat(succeeded[1]).as("completed").isPositive();
    }

    /** Returns how many snapshots were given up, and how many completed. */
    private static int[] run(long seed, SnapshotSettings settings, int snapshots, int rows) {
        int[] counts = new int[2];
        Random random = new Random(seed);
        int partitions = 1 + random.nextInt(3);
        SimulatedFileStore files = new SimulatedFileStore(seed);
        try (SnapshotRig rig = new SnapshotRig(partitions, settings, files)) {
            RandomLoad load = new RandomLoad(rig, random);
            load.fill(rows);
            for (int i = 0; i < snapshots; i++) {
                counts[one(rig, load, random, files) ? 1 : 0]++;
                for (int between = random.nextInt(50); between > 0; between--) {
                    load.transaction();
                }
            }
        }
        return counts;
    }

    private static boolean one(SnapshotRig rig, RandomLoad load, Random random, SimulatedFileStore files) {
        int loadShare = 20 + random.nextInt(60);
        boolean schemaChanges = random.nextInt(3) == 0;
        CompletableFuture<SnapshotReport> future = rig.agent.request();
        Map<String, String> expected = null;
        Map<String, Long> nextRowIds = null;
        for (int step = 0; !future.isDone(); step++) {
            assertThat(step).as("steps").isLessThan(1_000_000);
            int dice = random.nextInt(100);
            if (dice < loadShare) {
                load.transaction();
                if (schemaChanges && random.nextInt(30) == 0) {
                    load.changeSchema();
                }
            } else if (dice < 90) {
                rig.sweep(random.nextInt(rig.stores.size()));
            } else if (dice < 95) {
                rig.work();
            } else if (rig.toBegin != null) {
                expected = rig.images();
                nextRowIds = nextRowIds(rig);
                rig.beginIfAsked();
            }
            if (step % 250 == 0) {
                rig.stores.forEach(PartitionStore::verify);
            }
        }

        for (PartitionSweep sweep : rig.sweeps) {
            assertThat(sweep.isActive()).isFalse();
        }
        rig.assertNoMarks();
        rig.stores.forEach(PartitionStore::verify);
        SnapshotReport report = future.join();
        if (report.problem().contains("changed faster than they could be written")) {
            return false;
        }
        assertThat(report.problem()).isEmpty();
        assertThat(report.succeeded()).isTrue();
        Manifest manifest = new SnapshotReader(files).verify(report.transactionId());
        assertThat(SnapshotRig.images(files, manifest)).isEqualTo(expected);
        assertThat(nextRowIds(manifest)).isEqualTo(nextRowIds);
        assertThat(report.rows()).isEqualTo(expected.size());
        return true;
    }

    static Map<String, Long> nextRowIds(SnapshotRig rig) {
        Map<String, Long> ids = new HashMap<>();
        for (Table table : rig.catalog.tables().values()) {
            for (int bucket = 0; bucket < (table.replicated() ? 1 : Buckets.DEFAULT.count()); bucket++) {
                PartitionStore store = rig.stores.get(table.replicated() ? 0 : bucket % rig.stores.size());
                ids.put(table.name() + " " + bucket, store.table(table.id()).nextRowId(bucket));
            }
        }
        return ids;
    }

    static Map<String, Long> nextRowIds(Manifest manifest) {
        Map<String, Long> ids = new HashMap<>();
        for (TableContents table : manifest.tables()) {
            for (int bucket = 0; bucket < table.buckets(); bucket++) {
                ids.put(table.name() + " " + bucket, table.nextRowId(bucket));
            }
        }
        return ids;
    }
}
