package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.storage.ColumnSource;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.PartitionTables;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;

/** Rows that are there for a snapshot only, because their table has been truncated, and what else becomes of that meanwhile. */
class KeptRowsTest {
    /** More than are deleted one by one. */
    private static final int ROWS = 1500;

    private final SimulatedFileStore files = new SimulatedFileStore(1);

    private static void insert(SnapshotRig rig, int rows) {
        PartitionStore store = rig.stores.getFirst();
        store.begin(++rig.transactionId);
        for (int i = 0; i < rows; i++) {
            rig.access(0, "EVENT").insert(i % 1024, Arrays.asList(rig.nextId++, null, null));
        }
        store.commit();
    }

    private static void rebuild(PartitionStore store, Table table) {
        List<ColumnSource> sources = table.columns().stream()
                .<ColumnSource>map(column -> new ColumnSource.Existing(column.position()))
                .toList();
        PartitionTables tables = store.tables();
        tables.discard(tables.install(tables.prepareRebuild(table, sources)));
    }

    private void check(BiConsumer<PartitionStore, Table> change) {
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), files)) {
            insert(rig, ROWS);
            Map<String, String> rows = rig.images();
            Table table = rig.catalog.table("EVENT").orElseThrow();
            PartitionStore store = rig.stores.getFirst();
            CompletableFuture<SnapshotReport> future = rig.agent.request();
            rig.work();
            rig.beginIfAsked();

            store.begin(++rig.transactionId);
            store.table(table.id()).truncate();
            store.commit();
            store.verify();
            insert(rig, 10);
            change.accept(store, table);
            store.verify();
            while (!future.isDone()) {
                rig.sweep(0);
                rig.work();
            }

            store.verify();
            assertThat(future.join().problem()).isEmpty();
            Manifest manifest = new SnapshotReader(files).verify(future.join().transactionId());
            assertThat(SnapshotRig.images(files, manifest)).isEqualTo(rows);
        }
    }

    @Test
    void shouldCountRowsOfATruncatedTableWhenItIsRebuilt() {
        check(KeptRowsTest::rebuild);
    }

    @Test
    void shouldCountRowsOfATruncatedTableWhenItIsDropped() {
        check((store, table) -> store.dropTable(table.id()));
    }

    @Test
    void shouldCountRowsOfATruncatedTableWhenItIsRebuiltAndDropped() {
        check((store, table) -> {
            rebuild(store, table);
            store.dropTable(table.id());
        });
    }
}
