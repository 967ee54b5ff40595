package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Log and snapshots on disks of their own: whoever runs the server has put symbolic links into the data directory. */
final class LinkedFoldersTest {
    @TempDir
    Path folder;

    private Reprise open() {
        return Options.create()
                .partitions(1)
                .threads(Options.Threads.CALLER)
                .memoryPerPartition(16 << 20)
                .ddl("CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY); PARTITION TABLE note ON COLUMN id;")
                .durability(Durability.standard()
                        .with(SmallDurability.log(64 << 10))
                        .with(SmallDurability.snapshots(1)))
                .directory(folder.resolve("data"))
                .open();
    }

    private Path link(String name) throws IOException {
        Path there = Files.createDirectories(folder.resolve("disk of " + name));
        Files.createDirectories(folder.resolve("data"));
        return Files.createSymbolicLink(folder.resolve("data").resolve(name), there);
    }

    private static long files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.count();
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

    /** What is left of a disk that is not mounted is an empty folder. */
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
}
