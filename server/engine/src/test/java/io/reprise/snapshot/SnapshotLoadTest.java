package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.BlockReader;
import io.reprise.snapshot.file.BlockRows;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.LoadProgress;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.snapshot.file.SnapshotBuffers;
import io.reprise.snapshot.file.SnapshotLoader;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.snapshot.file.SnapshotWriter;
import io.reprise.snapshot.file.TableContents;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SnapshotLoadTest {
    @Test
    void shouldHaveTheSameContentWhenLoadedIntoAnotherNumberOfPartitions() {
        Seeds.forEach(2, seed -> {
            SimulatedFileStore files = new SimulatedFileStore(seed);
            try (SnapshotRig rig = new SnapshotRig(2, SnapshotRig.small(), files)) {
                RandomLoad load = new RandomLoad(rig, new Random(seed));
                load.fill(1500);
                for (int i = 0; i < 100; i++) {
                    load.transaction();
                }
                SnapshotReport report = rig.snapshot();
                assertThat(report.problem()).isEmpty();
                Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
                for (int partitions : new int[] {1, 2, 3, 5}) {
                    loadAndCompare(rig, files, manifest, partitions);
                }
            }
        });
    }

    private static void loadAndCompare(
            SnapshotRig source, SimulatedFileStore files, Manifest manifest, int partitions) {
        try (SnapshotRig target =
                new SnapshotRig(partitions, CatalogScript.load(manifest.origin().ddl()))) {
            LoadProgress progress = new LoadProgress();
            for (PartitionStore store : target.stores) {
                try (SnapshotLoader loader = new SnapshotLoader(files, manifest, store, progress)) {
                    loader.run();
                }
                store.verify();
            }

            Map<String, String> expected = source.images();
            assertThat(target.images()).isEqualTo(expected);
            long replicated = expected.keySet().stream()
                    .filter(key -> key.startsWith("COUNTRY") || key.startsWith("SETTING"))
                    .count();
            assertThat(progress.rows()).isEqualTo(expected.size() + replicated * (partitions - 1));
            for (PartitionStore store : target.stores) {
                assertThat(target.images(store))
                        .containsAllEntriesOf(expected.entrySet().stream()
                                .filter(entry -> entry.getKey().startsWith("COUNTRY"))
                                .collect(java.util.stream.Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
            }
            assertNextRowIds(source, target);
        }
    }

    private static void assertNextRowIds(SnapshotRig source, SnapshotRig target) {
        for (Table table : source.catalog.tables().values()) {
            for (int bucket = 0; bucket < (table.replicated() ? 1 : Buckets.DEFAULT.count()); bucket++) {
                assertThat(nextRowId(target, table, bucket)).isEqualTo(nextRowId(source, table, bucket));
            }
        }
    }

    private static long nextRowId(SnapshotRig rig, Table table, int bucket) {
        return rig.stores.get(bucket % rig.stores.size()).table(table.id()).nextRowId(bucket);
    }

    @Test
    void shouldGoOnAsBeforeWhenLoaded() {
        SimulatedFileStore files = new SimulatedFileStore(7);
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), files);
                SnapshotRig target = new SnapshotRig(1)) {
            RandomLoad load = new RandomLoad(rig, new Random(7));
            load.fill(500);
            rig.snapshot();
            Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
            try (SnapshotLoader loader =
                    new SnapshotLoader(files, manifest, target.stores.getFirst(), new LoadProgress())) {
                loader.run();
            }
            target.transactionId = rig.transactionId;
            target.nextId = rig.nextId;

            new RandomLoad(rig, new Random(8)).fill(100);
            new RandomLoad(target, new Random(8)).fill(100);

            assertThat(target.images()).isEqualTo(rig.images());
        }
    }

    /** Each block and each file is right by itself, and there are as many rows as there should be. */
    @Test
    void shouldRefuseWhenABlockIsThereTwiceAndAnotherIsMissing() {
        SimulatedFileStore files = new SimulatedFileStore(7);
        SimulatedFileStore others = new SimulatedFileStore(8);
        // Without keys, so that nothing but the count by buckets tells that a row is there twice.
        Catalog catalog =
                CatalogScript.load("CREATE TABLE EVENT (KIND BIGINT NOT NULL); PARTITION TABLE EVENT ON COLUMN KIND;");
        try (SnapshotRig rig = new SnapshotRig(1, catalog);
                SnapshotRig target = new SnapshotRig(1, catalog)) {
            rig.startAgent(SnapshotRig.small(), files);
            PartitionStore store = rig.stores.getFirst();
            store.begin(++rig.transactionId);
            for (int bucket = 0; bucket < 20; bucket++) {
                rig.access(0, "EVENT").insert(bucket, List.of(7L));
            }
            store.commit();
            rig.snapshot();
            Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
            Manifest other = copyWithTheFirstBlockForTheLast(files, manifest, others);
            new SnapshotReader(others).verify(other.identity().transactionId());
            Manifest mixed = new Manifest(manifest.identity(), 1, manifest.origin(), other.files(), manifest.tables());

            try (SnapshotLoader loader =
                    new SnapshotLoader(others, mixed, target.stores.getFirst(), new LoadProgress())) {
                assertThatThrownBy(loader::run)
                        .isInstanceOf(DamagedSnapshotException.class)
                        .hasMessageContaining("it says that table EVENT has 1 rows of bucket ")
                        .hasMessageContaining(", but the data files have 2 with the hash");
            }
        }
    }

    private static Manifest copyWithTheFirstBlockForTheLast(
            SimulatedFileStore files, Manifest manifest, SimulatedFileStore to) {
        TableContents table = manifest.tables().getFirst();
        TableContents copy = new TableContents(table.id(), table.name(), table.replicated(), Buckets.DEFAULT);
        for (int bucket = 0; bucket < table.buckets(); bucket++) {
            // Some more than needed, because one bucket has a row more.
            copy.nextRowId(bucket, table.nextRowId(bucket) + 1);
        }
        try (BlockReader reader = new BlockReader(files, manifest);
                SnapshotBuffers buffers = new SnapshotBuffers(1 << 20);
                SnapshotWriter writer = new SnapshotWriter(
                        to, manifest.identity(), 1, List.of(copy), buffers, SnapshotWriter.Settings.usual())) {
            reader.open(manifest.files().getFirst());
            for (int block = 0; block < reader.blocks() - 1; block++) {
                copyBlock(reader, block, table.id(), writer);
            }
            copyBlock(reader, 0, table.id(), writer);
            return writer.publish(manifest.origin(), writer.finishFiles());
        }
    }

    private static void copyBlock(BlockReader reader, int block, int table, SnapshotWriter writer) {
        BlockRows rows = new BlockRows();
        try (Memory memory = Memory.reserve(8 << 20)) {
            RowBatch batch = new RowBatch(memory, Memory.PAGE, 1 << 19);
            reader.read(block, rows);
            while (rows.next()) {
                batch.clear();
                memory.copyFrom(rows.memory(), rows.image(), batch.rowAddress(), rows.length());
                batch.addImage(table, rows.rowId(), batch.rowAddress() + rows.length());
                writer.add(0, batch);
            }
        }
    }

    @Test
    void shouldRefuseWhenThePartitionHasTooLittleMemory() {
        SimulatedFileStore files = new SimulatedFileStore(7);
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), files);
                PartitionStore small = new PartitionStore(PartitionStore.Options.single(1 << 20))) {
            new RandomLoad(rig, new Random(7)).fill(6000);
            rig.snapshot();
            Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
            rig.catalog.tables().values().forEach(small::createTable);
            try (SnapshotLoader loader = new SnapshotLoader(files, manifest, small, new LoadProgress())) {
                assertThatThrownBy(loader::run)
                        .isInstanceOf(ProcedureException.class)
                        .hasMessageContaining("The memory limit of the partition is reached");
            }
        }
    }

    @Test
    void shouldRefuseWhenTheTablesAreOthers() {
        SimulatedFileStore files = new SimulatedFileStore(7);
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), files);
                SnapshotRig other =
                        new SnapshotRig(1, CatalogScript.load(SnapshotRig.DDL.replace("TABLE ITEM", "TABLE THING")))) {
            rig.snapshot();
            Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();

            assertThatThrownBy(() -> new SnapshotLoader(files, manifest, other.stores.getFirst(), new LoadProgress()))
                    .isInstanceOf(DamagedSnapshotException.class)
                    .hasMessageContaining("table 1 is ITEM in it, but THING in the catalog that came with it");
        }
    }
}
