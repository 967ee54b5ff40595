package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.FileStore;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.RowBatch;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess.Bytes;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Rows that are larger than the batches in which they leave, or than the buffers that the JVM has memory for. */
class LargeRowsTest {
    private static final int BATCH = 2048;
    private static final long SHADOW = 4 * BATCH;

    private final SimulatedFileStore files = new SimulatedFileStore(1);

    private static SnapshotSettings settings(int sweepBatches, long shadowBytes) {
        return new SnapshotSettings(0, 0, 2, 1, 1, 1_000, BATCH, sweepBatches, shadowBytes, 64 << 10, 0);
    }

    private static SnapshotRig rig(SnapshotSettings settings, SimulatedFileStore files, int rows, int bytes) {
        SnapshotRig rig = new SnapshotRig(1, settings, files);
        PartitionStore store = rig.stores.getFirst();
        store.begin(++rig.transactionId);
        for (int i = 0; i < rows; i++) {
            rig.access(0, "ITEM").insert(i, Arrays.asList(rig.nextId++, null, new Bytes(new byte[bytes]), null));
        }
        store.commit();
        return rig;
    }

    private static CompletableFuture<SnapshotReport> begin(SnapshotRig rig) {
        CompletableFuture<SnapshotReport> future = rig.agent.request();
        rig.work();
        rig.beginIfAsked();
        return future;
    }

    private static void update(SnapshotRig rig, int rows) {
        PartitionStore store = rig.stores.getFirst();
        store.begin(++rig.transactionId);
        long row = rig.table(0, "ITEM").first();
        for (int i = 0; i < rows; i++) {
            rig.access(0, "ITEM").update(row, 0, 3, 1L);
            row = rig.table(0, "ITEM").next(row);
        }
        store.commit();
    }

    private static SnapshotReport finish(SnapshotRig rig, CompletableFuture<SnapshotReport> future) {
        while (!future.isDone()) {
            rig.sweep(0);
            rig.work();
        }
        rig.assertNoMarks();
        return future.join();
    }

    private static List<RowBatch> handedOver(SnapshotRig rig) {
        List<RowBatch> batches = new ArrayList<>();
        RowBatch batch;
        while ((batch = rig.sweeps.getFirst().toWriter().poll()) != null) {
            batches.add(batch);
        }
        return batches;
    }

    @Test
    void shouldSaveOneRowWhenItAloneIsLargerThanWhatMayWait() {
        try (SnapshotRig rig = rig(settings(2, SHADOW), files, 8, 5000)) {
            CompletableFuture<SnapshotReport> future = begin(rig);

            update(rig, 1);

            assertThat(finish(rig, future).succeeded()).isTrue();
        }
    }

    /** They were counted as batches: a batch of one row, however large, was as good as another. */
    @Test
    void shouldGiveUpWhenSavedRowsTakeMoreThanMayWait() {
        try (SnapshotRig rig = rig(settings(2, SHADOW), files, 8, 5000)) {
            CompletableFuture<SnapshotReport> future = begin(rig);

            update(rig, 3);

            assertThat(finish(rig, future).problem())
                    .contains("rows of partition 0 changed faster than they could be written");
            assertThat(rig.snapshot().succeeded()).isTrue();
        }
    }

    @Test
    void shouldPauseWhenSweptRowsTakeMoreThanMayWait() {
        try (SnapshotRig rig = rig(settings(4, 1 << 20), files, 8, 5000)) {
            begin(rig);

            for (int i = 0; i < 100; i++) {
                rig.sweep(0);
            }

            assertThat(handedOver(rig)).hasSize(1);
        }
    }

    @Test
    void shouldLookAtTheClockWhenABatchHasBeenTaken() {
        try (SnapshotRig rig = rig(settings(100, 1 << 20), files, 64, 1000)) {
            begin(rig);
            int slices = 0;

            while (rig.sweeps.getFirst().isActive()) {
                rig.sweep(0);
                slices++;
            }

            assertThat(slices).isGreaterThan(64 * 1000 / BATCH / 2);
            assertThat(handedOver(rig)).hasSizeGreaterThan(20);
        }
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getTotalCapacity)
                .sum();
    }

    /** The JVM has a limit for its buffers: a row that was larger ended the engine, or kept it from opening. */
    @Test
    void shouldTakeNoBuffersOfTheJvmForLargeRows() {
        byte[] body = new byte[(1 << 20) - 1];
        new Random(1).nextBytes(body);
        int columns = 24;
        StringBuilder ddl = new StringBuilder("CREATE TABLE DOC (ID BIGINT NOT NULL");
        List<Object> row = new ArrayList<>(List.of(1L));
        for (int i = 0; i < columns; i++) {
            ddl.append(", BODY")
                    .append(i)
                    .append(" VARBINARY(")
                    .append(body.length)
                    .append(')');
            row.add(new Bytes(body));
        }
        try (SnapshotRig rig = new SnapshotRig(1, CatalogScript.load(ddl + ")"))) {
            rig.startAgent(SnapshotRig.small(), files);
            rig.stores.getFirst().begin(1);
            rig.access(0, "DOC").insert(0, row);
            rig.stores.getFirst().commit();
            long before = directBytes();

            SnapshotReport report = rig.snapshot();
            Manifest manifest = new SnapshotReader(files).verify(report.transactionId());

            assertThat(manifest.bytes()).isGreaterThan((long) columns * body.length);
            assertThat(directBytes() - before).isLessThan(4 << 20);
        }
    }

    @Test
    void shouldCostTheSnapshotOnlyWhenMemoryRunsOut() {
        AtomicInteger left = new AtomicInteger(1);
        FileStore running = (FileStore) Proxy.newProxyInstance(
                FileStore.class.getClassLoader(), new Class<?>[] {FileStore.class}, (_, method, arguments) -> {
                    if (method.getName().equals("create") && left.getAndDecrement() > 0) {
                        throw new OutOfMemoryError("Cannot reserve bytes of direct buffer memory");
                    }
                    try {
                        return method.invoke(files, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
        try (SnapshotRig rig = new SnapshotRig(1, SnapshotRig.small(), running)) {
            SnapshotReport first = rig.snapshot();
            SnapshotReport second = rig.snapshot();

            assertThat(first.succeeded()).isFalse();
            assertThat(first.problem()).contains("too little memory", "direct buffer memory");
            assertThat(second.problem()).isEmpty();
            assertThat(new SnapshotDirectory(files).list()).containsExactly(second.transactionId());
        }
    }
}
