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
        Seeds.forEach(6, seed -> run(seed, 4, 400));
    }

    @Test
    @Tag("long")
    void shouldEqualAStoppedCopyWhenManyTransactionsRunMeanwhile() {
        Seeds.forEach(100, seed -> run(seed, 8, 1500));
    }

    private static void run(long seed, int snapshots, int rows) {
        Random random = new Random(seed);
        int partitions = 1 + random.nextInt(3);
        SimulatedFileStore files = new SimulatedFileStore(seed);
        try (SnapshotRig rig = new SnapshotRig(partitions, SnapshotRig.small(), files)) {
            RandomLoad load = new RandomLoad(rig, random);
            load.fill(rows);
            for (int i = 0; i < snapshots; i++) {
                one(rig, load, random, files);
                for (int between = random.nextInt(50); between > 0; between--) {
                    load.transaction();
                }
            }
        }
    }

    private static void one(SnapshotRig rig, RandomLoad load, Random random, SimulatedFileStore files) {
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
        }

        SnapshotReport report = future.join();
        assertThat(report.problem()).isEmpty();
        assertThat(report.succeeded()).isTrue();
        Manifest manifest = new SnapshotReader(files).verify(report.transactionId());
        assertThat(SnapshotRig.images(files, manifest)).isEqualTo(expected);
        assertThat(nextRowIds(manifest)).isEqualTo(nextRowIds);
        assertThat(report.rows()).isEqualTo(expected.size());
        for (PartitionSweep sweep : rig.sweeps) {
            assertThat(sweep.isActive()).isFalse();
        }
        rig.assertNoMarks();
        rig.stores.forEach(PartitionStore::verify);
    }

    private static Map<String, Long> nextRowIds(SnapshotRig rig) {
        Map<String, Long> ids = new HashMap<>();
        for (Table table : rig.catalog.tables().values()) {
            for (int bucket = 0; bucket < (table.replicated() ? 1 : Buckets.COUNT); bucket++) {
                PartitionStore store = rig.stores.get(table.replicated() ? 0 : bucket % rig.stores.size());
                ids.put(table.name() + " " + bucket, store.table(table.id()).nextRowId(bucket));
            }
        }
        return ids;
    }

    private static Map<String, Long> nextRowIds(Manifest manifest) {
        Map<String, Long> ids = new HashMap<>();
        for (TableContents table : manifest.tables()) {
            for (int bucket = 0; bucket < table.buckets(); bucket++) {
                ids.put(table.name() + " " + bucket, table.nextRowId(bucket));
            }
        }
        return ids;
    }
}
