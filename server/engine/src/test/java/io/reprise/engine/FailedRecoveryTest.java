package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogDirectory;
import io.reprise.log.LogSettings;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.redo.DivergedReplayException;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Recoveries that fail while some of their threads are still at work. */
@Timeout(300)
final class FailedRecoveryTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put AS UPSERT INTO note (id, text) VALUES (?, ?);
            """;
    private static final LogSettings LOG =
            LogSettings.DEFAULTS.withSizes(2048, 4096, 1 << 16, 32 << 10).withSegmentBytes(64 << 10);

    private final SimulatedFileStore disk = new SimulatedFileStore(1);
    private final CountDownLatch released = new CountDownLatch(1);

    /** Something that a file is going to be asked for; may throw what the disk would. */
    private interface Read {
        void of(String path);
    }

    private static Options options(FileStore files) {
        return Options.create()
                .partitions(2)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(files)
                .durability(Durability.standard().with(LOG).with(SmallDurability.snapshots(2)));
    }

    /** The same directory, where something happens before anything is read. */
    private FileStore reading(Read before) {
        return with(FileStore.class, disk, (name, arguments) -> {}, before);
    }

    private interface Call {
        void of(String name, Object... arguments);
    }

    private static <T> T with(Class<T> type, Object target, Call before, Read read) {
        return type.cast(Proxy.newProxyInstance(
                type.getClassLoader(), new Class<?>[] {type}, (proxy, method, arguments) -> {
                    before.of(method.getName(), arguments);
                    try {
                        Object result = method.invoke(target, arguments);
                        return result instanceof DataFile file
                                ? with(
                                        DataFile.class,
                                        file,
                                        (name, ignored) -> {
                                            if (name.equals("read")) {
                                                read.of(file.path());
                                            }
                                        },
                                        read)
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                }));
    }

    @Test
    void shouldUseTheOlderSnapshotWhenAThreadHangsThatReadsTheDamagedOne() {
        long[] content;
        try (Reprise engine = options(disk).open()) {
            for (long id = 0; id < 200; id++) {
                engine.call("Put", id, "before");
            }
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Put", 1, "between");
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.call("Put", 2, "behind");
            content = engine.contentHashes();
        }
        String newest =
                SnapshotDirectory.path(new SnapshotDirectory(disk).list().getFirst());
        AtomicBoolean damaged = new AtomicBoolean();
        Options options = options(disk);
        // Threads that read the older snapshot do not hang, but may get no core for a while.
        options.recoveryCloseMs = 5_000;
        options.files(reading(path -> {
            String thread = Thread.currentThread().getName();
            if (path.startsWith(newest) && thread.endsWith("read-1")) {
                await(released);
            } else if (path.startsWith(newest) && thread.endsWith("read-0") && damaged.compareAndSet(false, true)) {
                disk.flipBit(path, 16, 1);
            }
        }));

        try (Reprise engine = options.open()) {
            assertThat(engine.recovery().damagedSnapshots()).isEqualTo(1);
            assertThat(engine.contentHashes()).isEqualTo(content);
            released.countDown();
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Does something else when it is run again: its field is none of the database's. */
    public static final class Remember extends Procedure {
        private final Statement put = sql("UPSERT INTO note (id, text) VALUES (?, ?)");
        private int calls;

        /** Writes how often it was called, by this instance. */
        public void run(long id) {
            calls++;
            put.set(0, id).set(1, "call " + calls).update();
        }
    }

    /**
     * Sent records have been run when it fails, so nothing is taken from under an executor, and the result is known.
     */
    @Test
    void shouldNameWhatDiffersBeforeThePlaceWhereTheLogCanNotBeRead() {
        Options remembering = options(disk)
                .threads(Options.Threads.CALLER)
                .ddl("CREATE PROCEDURE Remember PARTITION ON TABLE note COLUMN id FROM CLASS "
                        + Remember.class.getName());
        long different;
        try (Reprise engine = remembering.open()) {
            engine.call("Remember", 1);
            assertThat(engine.snapshot().succeeded()).isTrue();
            different = engine.call("Remember", 1).transactionId();
            for (long id = 0; id < 300; id++) {
                engine.call("Put", id, "in more segments than one");
            }
        }
        LogDirectory log = new LogDirectory(disk, LOG.directory());
        String second = log.path(log.positions().get(1));
        int[] readers = new int[1];

        assertThatThrownBy(() -> remembering
                        .files(reading(path -> {
                            // The search for the log's end reads its header.
                            if (path.equals(second) && ++readers[0] > 1) {
                                throw new StorageException("read", path, "simulated I/O error", null);
                            }
                        }))
                        .open())
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageContaining(Long.toHexString(different));
    }
}
