package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.execution.durable.LoggingMethod;
import io.reprise.log.DamagedLogException;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.Statement;
import io.reprise.redo.DivergedReplayException;
import io.reprise.runtime.SeededRandomness;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Damages a small data directory, a file at a time: opening it gives exactly what it held, or, if the log is damaged or both
 * snapshots are, an error that says which file is to be looked after; never anything else.
 */
final class DirectoryDamageTest {
    private static final String DDL = """
            CREATE TABLE note (id BIGINT NOT NULL PRIMARY KEY, text VARCHAR(300));
            PARTITION TABLE note ON COLUMN id;
            CREATE PROCEDURE Put AS UPSERT INTO note (id, text) VALUES (?, ?);
            """;

    /** The number of places tried in each file; {@code -Dreprise.places} asks for more. */
    private static final int PLACES = Integer.getInteger("reprise.places", 3);

    private static final int BLOCK = 512;

    private final Map<String, byte[]> files = new TreeMap<>();
    private final List<Map.Entry<String, byte[]>> olderSegments = new ArrayList<>();
    private Map<String, List<String>> content;
    private int whole;
    private int refused;

    private static Options options(FileStore disk) {
        return Options.create()
                .partitions(2)
                .threads(Options.Threads.CALLER)
                .clock(new SimulatedClock())
                .memoryPerPartition(16 << 20)
                .replay(SmallDurability.replay())
                .ddl(DDL)
                .files(disk)
                .durability(Durability.standard()
                        .with(SmallDurability.log(16 << 10))
                        .with(SmallDurability.snapshots(2)));
    }

    /** Two snapshots, and log before, between and behind them. */
    private void makeDatabase() {
        makeDatabase(240, 80);
        assertThat(files.keySet()).filteredOn(name -> name.startsWith("log/")).hasSizeGreaterThan(3);
    }

    private void makeDatabase(int calls, int callsOfASnapshot) {
        SimulatedFileStore disk = new SimulatedFileStore(3);
        try (Reprise engine = options(disk).open()) {
            SeededRandomness random = new SeededRandomness(3);
            for (int i = 0; i < calls; i++) {
                if (i % 5 == 0) {
                    keepLastSegment(disk);
                }
                engine.call(
                        "Put",
                        (long) random.nextInt(60),
                        Long.toHexString(random.nextLong()).repeat(1 + i % 18));
                if (i == callsOfASnapshot || i == 2 * callsOfASnapshot) {
                    assertThat(engine.snapshot().problem()).isEmpty();
                }
            }
            content = Dump.of(engine);
        }
        collect(disk, "");
        assertThat(files.keySet()).filteredOn(name -> name.endsWith("manifest")).hasSize(2);
    }

    private void keepLastSegment(SimulatedFileStore disk) {
        Map<String, byte[]> now = new TreeMap<>();
        Map<String, byte[]> before = new TreeMap<>(files);
        collect(disk, "");
        now.putAll(files);
        files.clear();
        files.putAll(before);
        now.keySet().stream()
                .filter(path -> path.endsWith(".log"))
                .max(Comparator.naturalOrder())
                .ifPresent(path -> olderSegments.add(Map.entry(path, now.get(path))));
    }

    private void collect(FileStore disk, String directory) {
        for (String name : disk.list(directory)) {
            String path = directory.isEmpty() ? name : directory + "/" + name;
            if (name.contains(".") || name.equals("manifest")) {
                try (DataFile file = disk.openReadOnly(path)) {
                    byte[] bytes = new byte[(int) file.size()];
                    file.read(0, ByteBuffer.wrap(bytes));
                    files.put(path, bytes);
                }
            } else {
                collect(disk, path);
            }
        }
    }

    private static SimulatedFileStore diskOf(Map<String, byte[]> files) {
        SimulatedFileStore disk = new SimulatedFileStore(4);
        files.forEach((path, bytes) -> {
            for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
                disk.createDirectory(path.substring(0, slash));
                disk.forceDirectory("");
            }
            try (DataFile file = disk.create(path)) {
                file.write(0, ByteBuffer.wrap(bytes));
                file.force();
            }
        });
        return disk;
    }

    private void check(String what, String path, byte[] bytes) {
        Map<String, byte[]> damaged = new LinkedHashMap<>(files);
        if (bytes == null) {
            damaged.remove(path);
        } else {
            damaged.put(path, bytes);
        }
        open(what, Set.of(path), damaged);
    }

    private void open(String what, Set<String> paths, Map<String, byte[]> damaged) {
        try (Reprise engine = options(diskOf(damaged)).open()) {
            assertThat(Dump.of(engine)).as(what).isEqualTo(content);
            whole++;
        } catch (RuntimeException e) {
            assertThat(isSurvivable(paths))
                    .as("%s must be survived: %s", what, e)
                    .isFalse();
            assertThat(e.getMessage())
                    .as("%s: %s", what, e)
                    .contains(paths.stream().anyMatch(DirectoryDamageTest::isOfLog) ? "log" : "snapshot")
                    .containsAnyOf("Put ", "restore", "Restore");
            if (e instanceof DamagedLogException) {
                assertThat(e.getMessage()).as(what).containsPattern("log/[0-9a-f]{16}\\.log at offset \\d+");
            }
            refused++;
        }
    }

    /** The log is whole, and so is one of the two snapshots. A whole log needs no witness in the directory. */
    private static boolean isSurvivable(Set<String> paths) {
        long snapshots = paths.stream()
                .filter(path -> path.startsWith("snapshot/"))
                .map(path -> path.substring(0, path.lastIndexOf('/')))
                .distinct()
                .count();
        return paths.stream().noneMatch(DirectoryDamageTest::isOfLog) && snapshots < 2;
    }

    private static boolean isOfLog(String path) {
        return path.startsWith("log/");
    }

    @Test
    void shouldGiveTheRightContentOrNameTheFileWhenAByteIsFlipped() {
        makeDatabase();
        SeededRandomness random = new SeededRandomness(5);

        files.forEach((path, bytes) -> {
            for (int i = 0; i < PLACES; i++) {
                byte[] changed = bytes.clone();
                int at = random.nextInt(i == 0 ? Math.min(600, bytes.length) : bytes.length);
                changed[at] ^= (byte) (1 + random.nextInt(255));
                check("byte " + at + " of " + path, path, changed);
            }
        });

        assertThat(whole).isPositive();
        assertThat(refused).isPositive();
    }

    @Test
    void shouldGiveTheRightContentOrNameTheFileWhenAFileIsMissingOrCutOff() {
        makeDatabase();
        SeededRandomness random = new SeededRandomness(6);

        files.forEach((path, bytes) -> {
            check("missing " + path, path, null);
            for (int i = 0; i < PLACES; i++) {
                int length = i == 0 ? 0 : random.nextInt(bytes.length);
                check(path + " cut off at " + length, path, Arrays.copyOf(bytes, length));
            }
        });

        assertThat(whole).isPositive();
        assertThat(refused).isPositive();
    }

    /** Each copy was whole when it was made: only what is kept outside of the segment tells that it is older. */
    @Test
    void shouldNameTheSegmentWhenAnOlderCopyOfTheLastOneIsInItsPlace() {
        makeDatabase();
        String last = files.keySet().stream()
                .filter(path -> path.endsWith(".log"))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        int copies = 0;

        for (Map.Entry<String, byte[]> older : olderSegments) {
            if (older.getKey().equals(last)) {
                check("an older copy of " + last, last, older.getValue());
                copies++;
            }
        }

        assertThat(copies).isPositive();
        assertThat(refused).isEqualTo(copies);
    }

    /** A disk that takes one address for another: each block is right by itself, but not in its place. */
    @Test
    void shouldGiveTheRightContentOrNameTheFileWhenBlocksChangePlacesOrOneIsWrittenOverAnother() {
        makeDatabase();
        List<String> paths = List.copyOf(files.keySet());
        SeededRandomness random = new SeededRandomness(7);

        for (int i = 0; i < 20 * PLACES; i++) {
            String from = paths.get(random.nextInt(paths.size()));
            String to = i % 2 == 0 ? from : paths.get(random.nextInt(paths.size()));
            moveBlock(from, block(from, random), to, block(to, random), i % 3 == 0);
        }

        assertThat(whole).isPositive();
        assertThat(refused).isPositive();
    }

    private int block(String path, SeededRandomness random) {
        return random.nextInt(files.get(path).length / BLOCK + 1) * BLOCK;
    }

    /** Writes a block over another one, and that over the first, or not. */
    private void moveBlock(String from, int at, String to, int over, boolean swap) {
        byte[] moved = Arrays.copyOfRange(files.get(from), at, Math.min(at + BLOCK, files.get(from).length));
        byte[] lost = Arrays.copyOfRange(files.get(to), over, Math.min(over + BLOCK, files.get(to).length));
        int length = Math.min(moved.length, lost.length);
        if (length == 0 || Arrays.equals(moved, 0, length, lost, 0, length)) {
            return;
        }
        Map<String, byte[]> damaged = new LinkedHashMap<>(files);
        damaged.put(to, files.get(to).clone());
        if (swap) {
            damaged.put(
                    from, from.equals(to) ? damaged.get(to) : files.get(from).clone());
            System.arraycopy(lost, 0, damaged.get(from), at, length);
        }
        System.arraycopy(moved, 0, damaged.get(to), over, length);
        String what =
                (swap ? "swapped" : "over another") + ": block at " + at + " of " + from + ", at " + over + " of " + to;
        open(what, swap ? new TreeSet<>(List.of(from, to)) : Set.of(to), damaged);
    }

    /** All that is used, on a database that is small enough. */
    @Tag("long")
    @Test
    void shouldGiveTheRightContentOrNameTheFileWhateverByteIsFlipped() {
        makeDatabase(45, 15);

        files.forEach((path, bytes) -> {
            int used = bytes.length;
            while (used > 0 && bytes[used - 1] == 0) {
                used--;
            }
            // Of the zeros behind the log's end some are enough.
            for (int at = 0; at < bytes.length; at += at < used ? 1 : 97) {
                byte[] changed = bytes.clone();
                changed[at] ^= (byte) (1 << at % 8);
                check("byte " + at + " of " + path, path, changed);
            }
        });

        assertThat(whole).isPositive();
        assertThat(refused).isGreaterThan(5_000);
    }

    @Tag("long")
    @Test
    void shouldGiveTheRightContentOrNameTheFileWhicheverBlocksChangePlaces() {
        makeDatabase(45, 15);
        List<String> paths = List.copyOf(files.keySet());

        for (String from : paths) {
            for (String to : paths) {
                for (int at = 0; at < files.get(from).length; at += BLOCK) {
                    for (int over = from.equals(to) ? at + BLOCK : 0; over < files.get(to).length; over += BLOCK) {
                        moveBlock(from, at, to, over, (at + over) / BLOCK % 2 == 0);
                    }
                }
            }
        }

        assertThat(whole).isPositive();
        assertThat(refused).isGreaterThan(500);
    }

    @Test
    void shouldSayThatTheLogIsMissingWhenOnlySnapshotsAreLeft() {
        makeDatabase();
        files.keySet().removeIf(path -> path.startsWith("log/"));

        assertThatThrownBy(() -> options(diskOf(files)).open())
                .hasMessage("The data directory has snapshots, but no log: the folder log is empty or missing."
                        + " Transactions behind the newest snapshot would be lost. Put the log back; or restore that snapshot"
                        + " into another directory.");
    }

    @Test
    void shouldMakeNoNewDatabaseWhenTheLogIsMissingAndAllSnapshotsAreDamaged() {
        makeDatabase();
        files.keySet().removeIf(path -> path.startsWith("log/"));
        files.forEach((path, bytes) -> {
            if (path.endsWith("manifest")) {
                bytes[bytes.length - 1] ^= 1;
            }
        });
        SimulatedFileStore disk = diskOf(files);

        assertThatThrownBy(() -> options(disk).open())
                .hasMessageStartingWith(
                        "The data directory has snapshots, but no log: the folder log is empty or missing.")
                .hasMessageContaining("Put the log back");
        assertThat(disk.exists("log")).isFalse();
    }

    @Test
    void shouldSayFromWhereTheLogIsNeededWhenAllSnapshotsAreGone() {
        makeDatabase();
        files.keySet().removeIf(path -> path.startsWith("snapshot/"));

        assertThatThrownBy(() -> options(diskOf(files)).open())
                .hasMessageStartingWith(
                        "There is no snapshot that can be used, so the log is needed from position 0 on, and it"
                                + " begins at ")
                .hasMessageContaining("or restore the database from a backup");
    }

    @Test
    void shouldUseTheOlderSnapshotWhenTheNewestCanNotBeRead() {
        makeDatabase();
        int unreadable = 0;
        // Three are those of the log's two witnesses, without which it is opened too; another one is behind the last.
        int needless = 0;
        for (int read = 1; needless < 4; read++) {
            SimulatedFileStore disk = diskOf(files);
            disk.faults().fail(FileCall.READ, read);
            try (Reprise engine = options(disk).open()) {
                if (engine.recovery().damagedSnapshots() > 0) {
                    unreadable++;
                } else {
                    needless++;
                }
                assertThat(Dump.of(engine)).as("read %d", read).isEqualTo(content);
            } catch (StorageException e) {
                assertThat(e.path()).as("read %d", read).startsWith("log/");
            }
        }
        assertThat(unreadable).as("reads of the newest snapshot's files").isGreaterThan(4);
    }

    /** Of which database it is can't be known then, and not that it is another one. */
    @Test
    void shouldSayThatTheLogIsDamagedWhenAllHeadersOfItsSegmentsAre() {
        makeDatabase();
        files.forEach((path, bytes) -> {
            if (path.startsWith("log/")) {
                bytes[20] ^= 1;
            }
        });

        assertThatThrownBy(() -> options(diskOf(files)).open())
                .isInstanceOf(DamagedLogException.class)
                .hasMessageContaining(".log at offset 0");
    }

    @Test
    void shouldSayWhichSnapshotIsOfAnotherDatabase() {
        makeDatabase();
        Map<String, byte[]> mixed = new TreeMap<>(files);
        String newest = newestSnapshot();
        mixed.keySet().removeIf(path -> path.startsWith(newest));
        files.clear();
        makeDatabase();
        String other = newestSnapshot();
        files.forEach((path, bytes) -> {
            if (path.startsWith(other)) {
                mixed.put(path, bytes);
            }
        });

        assertThatThrownBy(() -> options(diskOf(mixed)).open())
                .hasMessageStartingWith("Snapshot " + other.substring("snapshot/".length()) + " is of database ")
                .hasMessageContaining("the log in folder log is of another one");
    }

    private String newestSnapshot() {
        String manifest = files.keySet().stream()
                .filter(path -> path.endsWith("/manifest"))
                .max(Comparator.naturalOrder())
                .orElseThrow();
        return manifest.substring(0, manifest.lastIndexOf('/'));
    }

    /** Forgets what it should not remember in the first place. */
    public static final class Remember extends Procedure {
        private final Statement put = sql("UPSERT INTO note (id, text) VALUES (?, ?)");
        private int calls;

        /** Returns how often it was called, by this instance. */
        public long run(long id) {
            calls++;
            put.set(0, id).set(1, "call " + calls).update();
            return calls;
        }
    }

    private static final String REMEMBER =
            "CREATE PROCEDURE Remember PARTITION ON TABLE note COLUMN id FROM CLASS " + Remember.class.getName();

    @Test
    void shouldStopAtTheTransactionThatDoesSomethingElseWhenReplayed() {
        SimulatedFileStore disk = new SimulatedFileStore(3);
        long[] ids = new long[4];
        try (Reprise engine =
                options(disk).ddl(REMEMBER).durability(Durability.standard()).open()) {
            for (int i = 0; i < ids.length; i++) {
                ids[i] = engine.call("Remember", i).transactionId();
                if (i == 1) {
                    assertThat(engine.snapshot().succeeded()).isTrue();
                }
            }
        }

        assertThatThrownBy(() -> options(disk)
                        .ddl(REMEMBER)
                        .durability(Durability.standard())
                        .open())
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageStartingWith("The replay of transaction 0x" + Long.toHexString(ids[2])
                        + " (REMEMBER, in the log's frame at position ")
                .hasMessageContaining(
                        "differs from the first time: it wrote something else when it was replayed (hash ")
                .hasMessageContaining("Nothing was changed on disk, and the engine is not opened.")
                .hasMessageContaining("keep the data directory and report it");
    }

    @Test
    void shouldStoreWhatWasWrittenWhenSuchAProcedureIsLoggedByItsData() {
        SimulatedFileStore disk = new SimulatedFileStore(3);
        Durability data = Durability.standard().with(LoggingMethod.PHYSIOLOGICAL);
        Options options = options(disk).ddl(REMEMBER).durability(data);
        Map<String, List<String>> before;
        try (Reprise engine = options.open()) {
            for (int i = 0; i < 4; i++) {
                engine.call("Remember", i);
                if (i == 1) {
                    assertThat(engine.snapshot().succeeded()).isTrue();
                }
            }
            before = Dump.of(engine);
        }

        try (Reprise again = options.open()) {
            assertThat(Dump.of(again)).isEqualTo(before);
        }
    }
}
