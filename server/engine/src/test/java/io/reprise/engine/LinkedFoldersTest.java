package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.StorageReadOnlyException;
import io.reprise.runtime.file.StoreLockedException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.snapshot.SnapshotReport;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Log and snapshots on disks of their own: the operator has put symbolic links into the data directory. */
final class LinkedFoldersTest {
    @TempDir
    Path folder;

    private Reprise open() {
        return open("data");
    }

    private Reprise open(String directory) {
        return options().directory(folder.resolve(directory)).open();
    }

    private static Options options() {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(16 << 20)
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE note ON COLUMN id;")
                .durability(Durability.standard()
                        .with(SmallDurability.log(64 << 10))
                        .with(SmallDurability.snapshots(1)));
    }

    /** Runs something before each call of the store's method with this folder; it may throw. */
    private FileStore before(String method, String directory, Runnable first) {
        FileStore store = SystemFileStore.open(folder.resolve("data"));
        return (FileStore) Proxy.newProxyInstance(
                FileStore.class.getClassLoader(), new Class<?>[] {FileStore.class}, (proxy, called, given) -> {
                    if (called.getName().equals(method) && directory.equals(given[0])) {
                        first.run();
                    }
                    try {
                        return called.invoke(store, given);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private Path link(String name) throws IOException {
        Path there = Files.createDirectories(folder.resolve("disk of " + name));
        Files.createDirectories(folder.resolve("data"));
        return Files.createSymbolicLink(folder.resolve("data").resolve(name), there);
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> !file.getFileName().toString().startsWith("."))
                    .count();
        }
    }

    @Test
    void shouldKeepLogAndSnapshotsWhereTheLinksLead() throws IOException {
        Path log = link("log");
        Path snapshot = link("snapshot");

        try (Reprise engine = open()) {
            engine.sql("INSERT INTO note VALUES (1)");
            assertThat(engine.snapshot().succeeded()).isTrue();
            engine.sql("INSERT INTO note VALUES (2)");
        }

        assertThat(log).isSymbolicLink();
        assertThat(snapshot).isSymbolicLink();
        assertThat(files(folder.resolve("disk of log"))).isPositive();
        assertThat(files(folder.resolve("disk of snapshot"))).isOne();
        try (Reprise again = open()) {
            var rows = again.sql("SELECT COUNT(*) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isEqualTo(2);
        }
    }

    /** A disk that is not mounted leaves an empty folder. */
    @Test
    void shouldMakeNoNewDatabaseWhenTheLogsDiskIsNotMounted() throws IOException {
        Path log = link("log");
        try (Reprise engine = open()) {
            engine.sql("INSERT INTO note VALUES (1)");
        }
        Path away = Files.move(folder.resolve("disk of log"), folder.resolve("unmounted"));
        Path empty = Files.createDirectory(folder.resolve("disk of log"));

        assertThatThrownBy(this::open)
                .hasMessageMatching(
                        "The data directory had a log, of database [0-9a-f]{32}, as its file database.id says, but"
                                + " there is none now: the folder log is empty or missing. If that is on a disk of its own, mount it;.*");

        assertThat(empty).isEmptyDirectory();
        Files.delete(empty);
        Files.move(away, empty);
        assertThat(log).isSymbolicLink();
        try (Reprise again = open()) {
            var rows = again.sql("SELECT COUNT(*) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isOne();
        }
    }

    /** A copy of a directory may copy the links in it: then two directories share one folder. */
    @ParameterizedTest
    @ValueSource(strings = {"log", "snapshot"})
    void shouldRefuseADirectoryWhoseFolderIsThatOfAnEngineAtWork(String name) throws IOException {
        Path shared = link(name);
        try (Reprise engine = open()) {
            engine.sql("INSERT INTO note VALUES (1)");
            assertThat(engine.snapshot().succeeded()).isTrue();
            copy(folder.resolve("data"), folder.resolve("copy"));

            assertThatThrownBy(() -> open("copy"))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining(
                            "can't lock the folder (" + folder.resolve("copy").resolve(name) + "): it leads to "
                                    + shared.toRealPath() + ", which is in use by this process")
                    .hasMessageContaining("give this data directory a folder of its own");

            engine.sql("INSERT INTO note VALUES (2)");
        }
        try (Reprise again = open()) {
            var rows = again.sql("SELECT COUNT(*) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isEqualTo(2);
        }
    }

    @Test
    void shouldRefuseALinkToTheFolderInWhichAnEngineAtWorkHasItsLog() throws IOException {
        try (Reprise engine = open()) {
            engine.sql("INSERT INTO note VALUES (1)");
            Files.createDirectory(folder.resolve("other"));
            Files.createSymbolicLink(
                    folder.resolve("other").resolve("log"),
                    folder.resolve("data").resolve("log"));

            assertThatThrownBy(() -> open("other"))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining("in use by this process");
        }
    }

    /** Somebody else could claim the folder once its disk can be written again: until then nothing there is this one's. */
    @Test
    void shouldOnlyReadSnapshotsUntilTheirFolderCanBeLocked() throws IOException {
        Path snapshots = link("snapshot");
        try (Reprise engine = open()) {
            engine.sql("INSERT INTO note VALUES (1)");
            assertThat(engine.snapshot().succeeded()).isTrue();
        }
        Path half = Files.createDirectory(snapshots.toRealPath().resolve("0123456789abcdef.partial"));
        AtomicBoolean readOnly = new AtomicBoolean(true);
        FileStore store = before("lockFolder", "snapshot", () -> {
            if (readOnly.get()) {
                throw new StorageReadOnlyException(
                        "lock a folder of the data directory", "snapshot", new IOException("Read-only file system"));
            }
        });

        try (Reprise engine = options().files(store).open()) {
            var rows = engine.sql("SELECT COUNT(*) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isOne();
            assertThat(half).exists();
            SnapshotReport refused = engine.snapshot();
            assertThat(refused.succeeded()).isFalse();
            assertThat(refused.problem()).contains("lock a folder", "read-only");
            assertThat(half).exists();

            readOnly.set(false);

            assertThat(engine.snapshot().succeeded()).isTrue();
            assertThat(half).doesNotExist();
            assertThatThrownBy(() -> {
                        Files.createDirectory(folder.resolve("other"));
                        Files.createSymbolicLink(folder.resolve("other").resolve("snapshot"), snapshots.toRealPath());
                        open("other").close();
                    })
                    .isInstanceOf(StoreLockedException.class);
        }
    }

    /** Two could write into it as soon as there is room again. */
    @Test
    void shouldNotOpenWhenTheFolderOfTheLogCannotBeLocked() throws IOException {
        link("log");
        FileStore store = before("lockFolder", "log", () -> {
            throw new StorageFullException(
                    "lock a folder of the data directory", "log", new IOException("No space left on device"));
        });

        assertThatThrownBy(() -> options().files(store).open())
                .isInstanceOf(StorageFullException.class)
                .hasMessageContaining("can't lock a folder of the data directory (log): no space left");
    }

    /** It is a folder of the same disk that is mounted there, as containers have it: it can't be told from an own one. */
    @ParameterizedTest
    @ValueSource(strings = {"log", "snapshot"})
    void shouldOpenWhenAnEmptyFolderCannotBeRemoved(String name) throws IOException {
        Files.createDirectories(folder.resolve("data").resolve(name));
        Runnable busy = () -> {
            throw new StorageException("delete", name, "Device or resource busy", null);
        };

        try (Reprise engine = options().files(before("delete", name, busy)).open()) {
            engine.sql("INSERT INTO note VALUES (1)");
            assertThat(engine.snapshot().succeeded()).isTrue();
            Files.createDirectory(folder.resolve("other"));
            Files.createSymbolicLink(
                    folder.resolve("other").resolve(name),
                    folder.resolve("data").resolve(name));
            assertThatThrownBy(() -> open("other")).isInstanceOf(StoreLockedException.class);
        }
        try (Reprise again = open()) {
            var rows = again.sql("SELECT COUNT(*) FROM note").rows();
            rows.next();
            assertThat(rows.longAt(0)).isOne();
        }
    }

    /** A lock's file that is left is no reason to take an empty folder for a log, or not to make one. */
    @Test
    void shouldMakeALogWhereOnlyTheFileOfALockIsLeft() throws IOException {
        Path log = Files.createDirectories(folder.resolve("data").resolve("log"));
        Files.createFile(log.resolve(".lock"));

        try (Reprise engine = open()) {
            engine.sql("INSERT INTO note VALUES (1)");
        }

        open().close();
    }

    /** As "cp -a" does it, which copies links as links; but an engine may be at work there. */
    private static void copy(Path from, Path to) throws IOException {
        Files.createDirectory(to);
        try (Stream<Path> files = Files.list(from)) {
            for (Path file : files.toList()) {
                Path target = to.resolve(file.getFileName());
                if (Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS)) {
                    copy(file, target);
                } else {
                    Files.copy(file, target, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
    }
}
