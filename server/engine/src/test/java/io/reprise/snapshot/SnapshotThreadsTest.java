package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.SystemClock;
import io.reprise.snapshot.file.SnapshotReader;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Partitions on threads of their own, the writer on another, real files. A partition's lock stands for its being lent. */
class SnapshotThreadsTest {
    private static final int PARTITIONS = 2;
    private static final int SNAPSHOTS = 3;

    /** More than all rows take: the transactions here may change all of them while the writer's thread has no core. */
    private static final long ROOM_FOR_ALL = 64 << 20;

    private final List<ReentrantLock> held = List.of(new ReentrantLock(true), new ReentrantLock(true));
    private final AtomicReference<Map<String, String>> truth = new AtomicReference<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean stopped = new AtomicBoolean();

    @Test
    void shouldEqualAStoppedCopyWhenThreadsRunSideBySide(@TempDir Path directory) throws Exception {
        try (FileStore files = SystemFileStore.open(directory);
                SnapshotRig rig = new SnapshotRig(PARTITIONS)) {
            new RandomLoad(rig, new Random(1)).fill(1500);
            SnapshotSettings settings =
                    new SnapshotSettings(0, 0, 2, 0.5, 0.5, 5_000, 4096, 4, ROOM_FOR_ALL, 256 << 10, 0);
            for (int i = 0; i < PARTITIONS; i++) {
                rig.sweeps.add(new PartitionSweep(
                        i, rig.stores.get(i), new OutcomesOfTwoParts(i), settings, SystemClock.INSTANCE, null, null));
            }
            rig.agent = new SnapshotAgent(
                    settings,
                    new SnapshotAgent.Wiring(
                            SnapshotRig.DATABASE, start -> begin(rig, start), () -> 0, report -> {}, false, null, null),
                    files,
                    SystemClock.INSTANCE,
                    rig.sweeps,
                    0,
                    Set.of());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < PARTITIONS; i++) {
                int partition = i;
                threads.add(Thread.ofPlatform().start(() -> guarded(() -> run(rig, partition))));
            }
            threads.add(Thread.ofPlatform()
                    .start(() -> guarded(() -> {
                        while (!stopped.get()) {
                            if (rig.agent.doWork(SystemClock.INSTANCE.nanoTime()) == 0) {
                                Thread.yield();
                            }
                        }
                    })));
            try {
                for (int i = 0; i < SNAPSHOTS; i++) {
                    CompletableFuture<SnapshotReport> future = rig.agent.request();
                    SnapshotReport report = future.get(5, TimeUnit.MINUTES);
                    assertThat(report.problem()).isEmpty();
                    assertThat(SnapshotRig.images(files, new SnapshotReader(files).verify(report.transactionId())))
                            .isEqualTo(truth.get());
                }
            } finally {
                stopped.set(true);
                for (Thread thread : threads) {
                    thread.join();
                }
            }
            assertThat(failure.get()).isNull();
            rig.assertNoMarks();
            rig.stores.forEach(PartitionStore::verify);
        }
    }

    private void guarded(Runnable work) {
        try {
            work.run();
        } catch (Throwable e) {
            failure.compareAndSet(null, e);
        }
    }

    /** Lends all partitions to the transaction that is the snapshot's moment. */
    private void begin(SnapshotRig rig, SnapshotStart start) {
        held.forEach(ReentrantLock::lock);
        try {
            rig.transactionId++;
            truth.set(rig.images());
            start.begun(rig.transactionId, rig.catalog, new byte[0]);
        } finally {
            held.forEach(ReentrantLock::unlock);
        }
        start.durable(0);
    }

    private void run(SnapshotRig rig, int partition) {
        Random random = new Random(partition);
        long nextId = 1L << 32;
        while (!stopped.get()) {
            held.get(partition).lock();
            try {
                transaction(rig, partition, random, nextId++);
                rig.sweeps.get(partition).doWork(SystemClock.INSTANCE.nanoTime(), true);
            } finally {
                held.get(partition).unlock();
            }
        }
    }

    private static void transaction(SnapshotRig rig, int partition, Random random, long id) {
        PartitionStore store = rig.stores.get(partition);
        TableStore table = rig.table(partition, "ITEM");
        RowAccess access = rig.access(partition, "ITEM");
        store.begin(id);
        long places = (table.scanEnd() - table.scanStart()) / table.layout().size();
        long row = table.scanStart() + random.nextLong(places) * table.layout().size();
        if (!table.isLive(row)) {
            access.insert(partition, Arrays.asList(id, Bytes.of("new"), null, null));
        } else if (random.nextInt(3) == 0 && table.count() > 1000) {
            table.delete(row);
        } else {
            access.update(row, 0, 2, Bytes.of("changed " + id + " and too long to lie within the row, which has 64"));
        }
        if (random.nextInt(4) == 0) {
            store.rollback();
        } else {
            store.commit();
        }
    }
}
