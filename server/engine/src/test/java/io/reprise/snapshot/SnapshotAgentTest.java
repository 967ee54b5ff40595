package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.SnapshotStats.Phase;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class SnapshotAgentTest {
    private static final long SECOND = 1_000_000_000L;

    private final SimulatedFileStore files = new SimulatedFileStore(1);

    private static SnapshotSettings every(long intervalMs, long logBytes, int keep) {
        return new SnapshotSettings(intervalMs, logBytes, keep, 1, 1, 1_000, 2048, 2, 1 << 20, 64 << 10, 0);
    }

    private static void step(SnapshotRig rig) {
        rig.work();
        rig.beginIfAsked();
        for (int partition = 0; partition < rig.sweeps.size(); partition++) {
            rig.sweep(partition);
        }
    }

    private static void steps(SnapshotRig rig) {
        for (int i = 0; i < 100; i++) {
            step(rig);
        }
    }

    @Test
    void shouldMakeOneWhenItIsTimeButNotWhenNothingWasLogged() {
        try (SnapshotRig rig = new SnapshotRig(2, every(10_000, 0, 2), files)) {
            steps(rig);
            assertThat(rig.reports).isEmpty();

            rig.clock.nowNs += 10 * SECOND;
            steps(rig);
            assertThat(rig.reports).hasSize(1);

            rig.clock.nowNs += 10 * SECOND;
            steps(rig);
            assertThat(rig.reports).hasSize(1);

            rig.logPosition++;
            steps(rig);
            assertThat(rig.reports).hasSize(2).allMatch(SnapshotReport::succeeded);
        }
    }

    @Test
    void shouldMakeOneWhenMuchWasLogged() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 10_000, 2), files)) {
            rig.logPosition = 9_999;
            steps(rig);
            assertThat(rig.reports).isEmpty();

            rig.logPosition = 10_000;
            steps(rig);
            rig.logPosition += 9_999;
            steps(rig);

            assertThat(rig.reports)
                    .singleElement()
                    .satisfies(report -> assertThat(report.logPosition()).isEqualTo(10_001));
        }
    }

    @Test
    void shouldKeepTheNewestAndSayFromWhereTheLogIsNeeded() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 0, 2), files)) {
            SnapshotReport first = rig.snapshot();
            SnapshotReport second = rig.snapshot();
            SnapshotReport third = rig.snapshot();

            assertThat(new SnapshotDirectory(files).list())
                    .containsExactly(third.transactionId(), second.transactionId());
            assertThat(first.oldestLogPosition()).isEqualTo(first.logPosition());
            assertThat(third.oldestLogPosition()).isEqualTo(second.logPosition());
            assertThat(rig.agent.stats().completed()).isEqualTo(3);
        }
    }

    /** A damaged one counted as one of those to be kept, and cost an older one that could be used. */
    @Test
    void shouldKeepAsManyThatCanBeUsedAsItIsToldAndTheLogForThem() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 0, 2), files)) {
            SnapshotReport first = rig.snapshot();
            SnapshotReport second = rig.snapshot();
            files.flipBit(SnapshotDirectory.path(second.transactionId()) + "/manifest", 30, 1);

            SnapshotReport third = rig.snapshot();

            assertThat(new SnapshotDirectory(files).list())
                    .containsExactly(third.transactionId(), second.transactionId(), first.transactionId());
            assertThat(third.problem()).contains("an older one is of no use");
            assertThat(third.oldestLogPosition()).isEqualTo(first.logPosition());
            SnapshotReport fourth = rig.snapshot();
            assertThat(new SnapshotDirectory(files).list())
                    .containsExactly(fourth.transactionId(), third.transactionId());
            assertThat(fourth.oldestLogPosition()).isEqualTo(third.logPosition());
        }
    }

    /** A later version has made the older one. */
    @Test
    void shouldSayThatAnOlderOneIsOfNoUseWhenItIsInAnotherFormat() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 0, 3), files)) {
            SnapshotReport first = rig.snapshot();
            String path = SnapshotDirectory.path(first.transactionId()) + "/manifest";
            try (DataFile manifest = files.open(path)) {
                ByteBuffer bytes = ByteBuffer.allocate((int) manifest.size()).order(ByteOrder.LITTLE_ENDIAN);
                manifest.read(0, bytes);
                bytes.putInt(8, 99);
                CRC32C crc = new CRC32C();
                crc.update(bytes.array(), 0, 16);
                crc.update(bytes.array(), 20, bytes.capacity() - 20);
                manifest.write(0, bytes.putInt(16, (int) crc.getValue()).clear());
            }

            SnapshotReport second = rig.snapshot();

            assertThat(second.succeeded()).isTrue();
            assertThat(second.problem()).contains("an older one is of no use", "99");
            assertThat(second.oldestLogPosition()).isEqualTo(second.logPosition());
        }
    }

    @Test
    void shouldHaveWhatThePartitionsRememberOfCalls() {
        try (SnapshotRig rig = new SnapshotRig(2, every(0, 0, 2), files)) {
            rig.snapshot();
            SnapshotReport second = rig.snapshot();

            Manifest manifest = new SnapshotDirectory(files).manifest(second.transactionId());
            assertThat(manifest.origin().outcomes()).containsExactly(new byte[] {0, 2}, new byte[] {1, 2});
        }
    }

    @Test
    void shouldNotExistBeforeTheLogIsDurable() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 0, 2), files)) {
            CompletableFuture<SnapshotReport> future = rig.agent.request();
            rig.work();
            SnapshotStart start = rig.toBegin;
            rig.toBegin = null;
            start.begun(500, rig.catalog, new byte[0]);
            steps(rig);
            assertThat(rig.agent.stats().phase()).isEqualTo(Phase.PUBLISHING);
            assertThat(new SnapshotDirectory(files).list()).isEmpty();

            start.durable(2000);
            steps(rig);

            assertThat(future.join().succeeded()).isTrue();
            assertThat(new SnapshotDirectory(files).list()).containsExactly(500L);
        }
    }

    @Test
    void shouldTellWhoAskedWhenTheTransactionIsRefused() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 0, 2), files)) {
            CompletableFuture<SnapshotReport> future = rig.agent.request();
            rig.work();
            rig.toBegin.refused("the engine is closing");
            rig.toBegin = null;
            rig.work();

            assertThat(future.join().problem()).isEqualTo("the engine is closing");
            assertThat(rig.snapshot().succeeded()).isTrue();
        }
    }

    /** As when the heap comes to its end there: a table that only the first partition has stands for it. */
    @Test
    void shouldMakeTheNextOneWhenItCouldNotBeginAtAllPartitions() {
        Catalog more = CatalogScript.load(
                SnapshotRig.DDL
                        + "CREATE TABLE MORE (ID BIGINT NOT NULL PRIMARY KEY); CREATE TABLE EVEN_MORE (ID BIGINT NOT NULL PRIMARY KEY);");
        try (SnapshotRig rig = new SnapshotRig(2, every(0, 0, 2), files)) {
            for (String name : List.of("MORE", "EVEN_MORE")) {
                Table table = more.table(name).orElseThrow();
                rig.stores.get(0).createTable(table);
                if (table.id() % 2 == 0) {
                    rig.stores.get(1).createTable(table);
                }
            }
            CompletableFuture<SnapshotReport> future = rig.agent.request();
            rig.work();
            SnapshotStart start = rig.toBegin;
            rig.toBegin = null;

            assertThatThrownBy(() -> start.begun(101, more, new byte[0])).isInstanceOf(Throwable.class);
            start.refused("the heap is at its end");
            rig.work();

            assertThat(future.join().problem()).isEqualTo("the heap is at its end");
            assertThat(rig.sweeps).noneMatch(PartitionSweep::isActive);
            assertThat(rig.snapshot().succeeded()).isTrue();
        }
    }

    @Test
    void shouldMakeTheNextOneWhenTheTransactionCouldNotBeCommittedThatItHadBegunIn() {
        try (SnapshotRig rig = new SnapshotRig(2, every(0, 0, 2), files)) {
            new RandomLoad(rig, new Random(2)).fill(300);
            CompletableFuture<SnapshotReport> future = rig.agent.request();
            rig.work();
            SnapshotStart start = rig.toBegin;
            rig.toBegin = null;
            start.begun(101, rig.catalog, new byte[0]);
            start.refused("the heap is at its end");
            for (int i = 0; i < 100 && !future.isDone(); i++) {
                steps(rig);
            }

            assertThat(future.join().problem()).isEqualTo("the heap is at its end");
            assertThat(rig.snapshot().succeeded()).isTrue();
            Manifest next = new SnapshotReader(files).choose().newest().orElseThrow();
            assertThat(SnapshotRig.images(files, next)).isEqualTo(rig.images());
        }
    }

    @Test
    void shouldMakeAnotherOneForARequestThatComesTooLateForTheFirst() {
        try (SnapshotRig rig = new SnapshotRig(1, every(0, 0, 2), files)) {
            CompletableFuture<SnapshotReport> first = rig.agent.request();
            CompletableFuture<SnapshotReport> together = rig.agent.request();
            step(rig);
            CompletableFuture<SnapshotReport> late = rig.agent.request();
            steps(rig);

            assertThat(together.join()).isEqualTo(first.join());
            assertThat(late.join().transactionId()).isGreaterThan(first.join().transactionId());
        }
    }

    @Test
    void shouldKeepWhatTheManifestSays() {
        try (SnapshotRig rig = new SnapshotRig(2, every(0, 0, 2), files)) {
            SnapshotReport report = rig.snapshot();

            Manifest manifest = new SnapshotReader(files).choose().newest().orElseThrow();
            assertThat(manifest.identity().database()).isEqualTo(SnapshotRig.DATABASE);
            assertThat(manifest.origin().logPosition()).isEqualTo(report.logPosition());
            assertThat(manifest.origin().attachment()).containsExactly(1, 2, 3);
            assertThat(manifest.origin().nextTableId()).isEqualTo(5);
            assertThat(manifest.partitions()).isEqualTo(2);
        }
    }

    /** The writer stands still while rows change: the snapshot is given up, and the next one has everything right. */
    @Test
    void shouldGiveUpWhenMoreRowsChangeThanMayWait() {
        SnapshotSettings tight = new SnapshotSettings(0, 0, 2, 1, 1, 1_000, 1024, 2, 4096, 64 << 10, 0);
        try (SnapshotRig rig = new SnapshotRig(2, tight, files)) {
            new RandomLoad(rig, new Random(2)).fill(300);
            CompletableFuture<SnapshotReport> future = rig.agent.request();
            rig.work();
            rig.beginIfAsked();
            PartitionStore store = rig.stores.getFirst();
            RowAccess access = rig.access(0, "ITEM");
            store.begin(++rig.transactionId);
            for (long row = rig.table(0, "ITEM").first();
                    row != 0;
                    row = rig.table(0, "ITEM").next(row)) {
                access.update(row, 0, 1, Bytes.of("changed"));
            }
            store.commit();
            steps(rig);

            assertThat(future.join().succeeded()).isFalse();
            assertThat(future.join().problem())
                    .isEqualTo(
                            "rows of partition 0 changed faster than they could be written, and 4096 bytes of them wait."
                                    + " Let the sweep have a larger share of the time (snapshot.share in a node's configuration,"
                                    + " sweepShare in SnapshotSettings), allow more (shadowBytes there), or give snapshots a"
                                    + " faster disk.");
            assertThat(files.list(SnapshotDirectory.ROOT)).isEmpty();
            rig.assertNoMarks();
            Map<String, String> rows = rig.images();
            SnapshotReport next = rig.snapshot();
            assertThat(next.problem()).isEmpty();
            assertThat(SnapshotRig.images(files, new SnapshotReader(files).verify(next.transactionId())))
                    .isEqualTo(rows);
        }
    }

    @Test
    void shouldCarryRowsThatAreLargerThanBatchesAndBlocks() {
        SnapshotSettings tight = new SnapshotSettings(0, 0, 2, 1, 1, 1_000, 1024, 2, 1 << 16, 64 << 10, 0);
        try (SnapshotRig rig = new SnapshotRig(1, tight, files)) {
            rig.catalog = io.reprise.sql.parse.CatalogScript.apply(
                    rig.catalog, "CREATE TABLE BIG (ID BIGINT NOT NULL, BODY VARBINARY(1000000), PRIMARY KEY (ID));");
            rig.stores.getFirst().createTable(rig.catalog.table("BIG").orElseThrow());
            rig.stores.getFirst().begin(1);
            byte[] body = new byte[1_000_000];
            new Random(9).nextBytes(body);
            for (int size : new int[] {0, 900, 1024, 20_000, 300_000, 1_000_000}) {
                rig.access(0, "BIG").insert(0, Arrays.asList((long) size, new Bytes(Arrays.copyOf(body, size))));
            }
            rig.stores.getFirst().commit();

            SnapshotReport report = rig.snapshot();

            assertThat(report.problem()).isEmpty();
            assertThat(SnapshotRig.images(files, new SnapshotReader(files).verify(report.transactionId())))
                    .isEqualTo(rig.images());
        }
    }

    @Test
    void shouldWriteNoFasterThanAllowed() {
        SnapshotSettings slow = new SnapshotSettings(0, 0, 2, 1, 1, 1_000, 1024, 2, 1 << 16, 64 << 10, 10_000);
        try (SnapshotRig rig = new SnapshotRig(1, slow, files)) {
            new RandomLoad(rig, new Random(2)).fill(200);
            long before = rig.clock.nowNs;
            rig.clock.stepNs = 1_000_000;

            SnapshotReport report = rig.snapshot();

            assertThat(rig.clock.nowNs - before).isGreaterThan((report.imageBytes() - 10_000) * SECOND / 10_000);
        }
    }

    @Test
    void shouldRefuseSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> every(0, 0, 0)).hasMessage("the snapshot setting keep must be 1 or more, not 0");
    }
}
