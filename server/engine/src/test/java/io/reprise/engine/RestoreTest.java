package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.log.LogSettings;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SmallJvm;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.simulation.FileCall;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.simulation.SimulatedPowerLoss;
import io.reprise.snapshot.SnapshotSettings;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.DetachedSnapshot;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import io.reprise.snapshot.file.SnapshotReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A snapshot becomes a database of its own, all of it or nothing, whatever the disk does meanwhile. */
final class RestoreTest {
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL PRIMARY KEY, balance BIGINT NOT NULL, owner VARCHAR(80));
            PARTITION TABLE account ON COLUMN id;
            CREATE TABLE rate (name VARCHAR(20) NOT NULL PRIMARY KEY, pct INTEGER NOT NULL);
            CREATE TABLE event (kind BIGINT NOT NULL, note VARCHAR(20));
            PARTITION TABLE event ON COLUMN kind;
            CREATE PROCEDURE Put AS UPSERT INTO account (id, balance, owner) VALUES (?, ?, ?);
            CREATE PROCEDURE Raise AS UPDATE account SET balance = balance + ?;
            """;

    /** Every so many calls; {@code -Dreprise.stride=1} tries each of them. */
    private static final int STRIDE = Integer.getInteger("reprise.stride", 5);

    private static final LogSettings LOG = SmallDurability.log(16 << 10);
    private static final SnapshotSettings SNAPSHOTS = SmallDurability.snapshots(2);

    private final SimulatedClock clock = new SimulatedClock();

    @TempDir
    Path folder;

    @Test
    void shouldHoldTheSameWhenOpenedWithAnotherNumberOfPartitions() {
        SimulatedFileStore source = filled(3);
        SimulatedFileStore target = new SimulatedFileStore(2);

        Restore.run(backup(source), target, LOG);

        for (int partitions : new int[] {2, 1, 5}) {
            target = target.crash();
            try (Reprise restored = open(target, partitions)) {
                assertThat(contents(restored)).isEqualTo(expected(partitions == 2 ? 0 : partitions == 1 ? 1 : 2));
                restored.call("Raise", 1);
            }
        }
        assertThat(new SnapshotReader(target)
                        .choose()
                        .newest()
                        .orElseThrow()
                        .identity()
                        .database())
                .isNotEqualTo(newest(source).identity().database());
    }

    @Test
    void shouldHoldAllOrBeRefusedWhenThePowerIsLostAtAnyCall() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = new SimulatedFileStore(1);
        Restore.run(backup(source), whole, LOG);
        long calls = whole.calls();
        int finished = 0;

        for (long call = 1; call <= calls; call += STRIDE) {
            SimulatedFileStore target = new SimulatedFileStore(call);
            target.faults().powerLossAtCall(call);
            assertFails(source, target);
            SimulatedFileStore after = target.crash();
            finished += check(source, after, "power loss at call " + call + " of " + calls);
        }

        assertThat(finished)
                .as("all but the last calls leave an unfinished directory")
                .isLessThan(3);
    }

    @Test
    void shouldHoldAllOrBeRefusedWhenAnyCallFails() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = new SimulatedFileStore(1);
        Restore.run(backup(source), whole, LOG);

        for (long call = 1; call <= whole.calls(); call += STRIDE) {
            SimulatedFileStore target = new SimulatedFileStore(call);
            target.faults().failCall(call);
            try {
                Restore.run(backup(source), target, LOG);
            } catch (StorageException expected) {
                // The disk is well again from here on.
            }
            check(source, target.crash(), "failure at call " + call);
        }
    }

    @Test
    void shouldHoldTheSameWhenThePowerIsLostWhileItIsOpenedFirst() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = restored(source, 1);
        open(whole, 1).close();

        for (long call = 1; call <= whole.calls(); call += STRIDE) {
            SimulatedFileStore target = restored(source, call);
            target.faults().powerLossAtCall(call);
            try {
                open(target, 1).close();
            } catch (SimulatedPowerLoss | StorageException | IllegalStateException | ProcedureException expected) {
                // As it should be.
            }
            try (Reprise again = open(target.crash(), 2)) {
                assertThat(contents(again)).as("power loss at call %d", call).isEqualTo(expected(0));
            }
        }
    }

    /** The rest of the first try must never be taken for a database. */
    @Test
    void shouldHoldAllOrBeRefusedWhenRestoringAgainIsInterruptedToo() {
        SimulatedFileStore source = filled(2);
        for (long seed = 1; seed <= 10; seed++) {
            for (long call = 1; call <= 8; call++) {
                for (boolean powerLoss : new boolean[] {true, false}) {
                    SimulatedFileStore first = new SimulatedFileStore(seed);
                    first.faults().fail(FileCall.RENAME, 2);
                    assertFails(source, first);
                    SimulatedFileStore second = first.crash();
                    if (powerLoss) {
                        second.faults().powerLossAtCall(call);
                    } else {
                        second.faults().failCall(call);
                    }
                    assertFails(source, second);
                    String when = "at call " + call + (powerLoss ? ", power loss" : ", failure") + ", seed " + seed;
                    SimulatedFileStore left = powerLoss ? second.crash() : second.kill();
                    if (left.list("").stream().anyMatch(name -> name.startsWith(Restore.UNFINISHED))) {
                        SimulatedFileStore unfinished = left;
                        assertThatThrownBy(() -> open(unfinished, 1).close())
                                .as(when)
                                .hasMessageContaining("Restore it again");
                        Restore.run(backup(source), left, LOG);
                        left = left.crash();
                    }
                    try (Reprise opened = open(left, 1)) {
                        assertThat(contents(opened)).as(when).isEqualTo(expected(0));
                    }
                }
            }
        }
    }

    /** The force that was to make the place of snapshots durable is not made up for by the next one. */
    @Test
    void shouldHoldAllWhenThePowerIsLostBehindARestoreThatIsMadeAgain() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = new SimulatedFileStore(1);
        Restore.run(backup(source), whole, LOG);
        long calls = whole.calls();

        for (long call = 1; call <= calls; call++) {
            for (long seed = 1; seed <= 3; seed++) {
                SimulatedFileStore target = new SimulatedFileStore(seed);
                target.faults().failCall(call);
                try {
                    Restore.run(backup(source), target, LOG);
                } catch (StorageException expected) {
                    // The same process, or the next one, tries again.
                }
                SimulatedFileStore left = target.kill();
                if (left.list("").isEmpty() || left.list("").stream().anyMatch(n -> n.startsWith(Restore.UNFINISHED))) {
                    Restore.run(backup(source), left, LOG);
                    try (Reprise restored = open(left.crash(), 1)) {
                        assertThat(contents(restored))
                                .as("failure at call %d of %d, seed %d", call, calls, seed)
                                .isEqualTo(expected(0));
                    }
                }
            }
        }
    }

    /** A restore whose last force fails has said so; but the directory is whole, and may be used all the same. */
    @Test
    void shouldKeepWhatWasAcknowledgedWhenTheNoteOfARestoreComesBack() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = new SimulatedFileStore(1);
        Restore.run(backup(source), whole, LOG);
        int cameBack = 0;

        for (long seed = 1; seed <= 10; seed++) {
            SimulatedFileStore target = new SimulatedFileStore(seed);
            target.faults().failCall(whole.calls());
            assertFails(source, target);
            SimulatedFileStore used = target.kill();
            try (Reprise engine = open(used, 1)) {
                engine.call("Raise", 1);
            }

            SimulatedFileStore after = used.crash();

            if (after.exists(Restore.UNFINISHED)) {
                cameBack++;
                assertThatThrownBy(() -> Restore.run(backup(source), after, LOG))
                        .hasMessageContaining("it is not empty");
            }
            try (Reprise again = open(after, 1)) {
                assertThat(contents(again)).as("seed %d", seed).isEqualTo(expected(1));
            }
        }
        assertThat(cameBack).isPositive();
    }

    private static SimulatedFileStore restored(SimulatedFileStore source, long seed) {
        SimulatedFileStore target = new SimulatedFileStore(seed);
        Restore.run(backup(source), target, LOG);
        return target.crash();
    }

    /** Returns whether the directory is whole; if it isn't, it has to be possible to restore into it again. */
    private int check(SimulatedFileStore source, SimulatedFileStore target, String when) {
        boolean fresh = target.list("").isEmpty();
        boolean unfinished = target.exists(Restore.UNFINISHED);
        if (unfinished) {
            assertThatThrownBy(() -> open(target, 1).close()).as(when).hasMessageContaining("Restore it again");
        }
        if (fresh || unfinished) {
            Restore.run(backup(source), target, LOG);
        }
        SimulatedFileStore after = target.crash();
        try (Reprise restored = open(after, 1)) {
            assertThat(contents(restored)).as(when).isEqualTo(expected(0));
        }
        return fresh || unfinished ? 0 : 1;
    }

    private static void assertFails(SimulatedFileStore source, SimulatedFileStore target) {
        try {
            Restore.run(backup(source), target, LOG);
        } catch (SimulatedPowerLoss | StorageException expected) {
            return;
        }
        throw new AssertionError("the power was not lost");
    }

    /** The rest of a backup in which the power is lost at a call. */
    private static SimulatedFileStore backupUntilPowerLoss(SimulatedFileStore source, long call, long seed) {
        SimulatedFileStore into = new SimulatedFileStore(seed);
        into.faults().powerLossAtCall(call);
        try {
            Backup.copy(source, newest(source), into, "monday");
        } catch (SimulatedPowerLoss | StorageException expected) {
            // As it should be.
        }
        return into.crash();
    }

    @Test
    void shouldLeaveNothingOfThatNameUnlessTheWholeBackupIsThere() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = new SimulatedFileStore(1);
        Backup.copy(source, newest(source), whole, "monday");

        for (long call = 1; call <= whole.calls(); call += STRIDE) {
            SimulatedFileStore after = backupUntilPowerLoss(source, call, call);
            if (!after.exists("monday")) {
                Backup.copy(source, newest(source), after, "monday");
            }
            SimulatedFileStore target = new SimulatedFileStore(call);
            Restore.run(DetachedSnapshot.in(after, "monday"), target, LOG);
            assertThat(newest(target).rows()).isEqualTo(newest(source).rows());
        }
    }

    @Test
    void shouldHaveTheBackupWhenThePowerIsLostBehindIt() {
        SimulatedFileStore source = filled(1);

        for (long seed = 1; seed <= 20; seed++) {
            SimulatedFileStore into = new SimulatedFileStore(seed);
            Backup.copy(source, newest(source), into, "monday");
            SimulatedFileStore after = into.crash();

            assertThat(after.list("")).as("seed %d", seed).containsExactly("monday");
            assertThat(after.list("monday")).as("seed %d", seed).containsExactly("manifest", "partition-0.data");
            DetachedSnapshot.in(after, "monday").verify();
        }
    }

    @Test
    void shouldNotCallASnapshotDamagedThatTheEngineHasRemovedMeanwhile() {
        SimulatedFileStore source = filled(2);
        Manifest manifest = newest(source);
        new SnapshotDirectory(source).remove(manifest.identity().transactionId());

        assertThatThrownBy(() -> Backup.copy(source, manifest, new SimulatedFileStore(1), "monday"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("the engine that is at work there has removed it meanwhile");
    }

    /** A database of which a copy takes longer than the engine keeps a snapshot. */
    @Test
    void shouldMakeABackupThoughTheEngineRemovesTheSnapshotMeanwhile() {
        SimulatedFileStore source = filled(2);
        Manifest manifest = newest(source);
        SimulatedFileStore into = new SimulatedFileStore(1);
        FileStore removing = (FileStore) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {FileStore.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("create") && ((String) arguments[0]).endsWith("partition-1.data")) {
                        new SnapshotDirectory(source).remove(manifest.identity().transactionId());
                    }
                    try {
                        return method.invoke(into, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });

        Backup.copy(source, manifest, removing, "monday");

        assertThat(new SnapshotDirectory(source).list()).isEmpty();
        SimulatedFileStore target = new SimulatedFileStore(2);
        Restore.run(DetachedSnapshot.in(into, "monday"), target, LOG);
        assertThat(newest(target).rows()).isEqualTo(manifest.rows());
    }

    @Test
    void shouldRefuseADirectoryThatIsNotEmpty() {
        SimulatedFileStore source = filled(1);
        SimulatedFileStore target = filled(1);

        assertThatThrownBy(() -> Restore.run(backup(source), target, LOG)).hasMessageContaining("it is not empty");
        try (Reprise untouched = open(target, 1)) {
            assertThat(contents(untouched)).isEqualTo(expected(0));
        }
    }

    /** The folder in which a backup grows may be there, and somebody else's. */
    @Test
    void shouldLeaveAFolderAloneThatIsNoUnfinishedBackup() {
        SimulatedFileStore source = filled(1);
        SimulatedFileStore into = new SimulatedFileStore(1);
        into.createDirectory("monday.partial");
        into.create("monday.partial/partition-0.data").close();
        into.create("monday.partial/letters.txt").close();

        assertThatThrownBy(() -> Backup.copy(source, newest(source), into, "monday"))
                .isInstanceOf(StorageException.class)
                .hasMessage(
                        "can't make a backup (monday.partial): the folder is needed, and has what an unfinished backup has"
                                + " not (letters.txt); move it away, or name another folder");

        assertThat(into.list("monday.partial")).containsExactly("letters.txt", "partition-0.data");
    }

    @Test
    void shouldGiveNoNameToACopyOfADamagedSnapshot() {
        SimulatedFileStore source = filled(1);
        Manifest manifest = newest(source);
        source.flipBit(SnapshotDirectory.path(manifest.identity().transactionId()) + "/partition-0.data", 100, 1);
        SimulatedFileStore into = new SimulatedFileStore(1);

        assertThatThrownBy(() -> Backup.copy(source, manifest, into, "monday"))
                .isInstanceOf(DamagedSnapshotException.class);

        assertThat(into.exists("monday")).isFalse();
    }

    /** An operator may give a backup such a name. */
    @Test
    void shouldLeaveAWholeBackupAloneThatHasTheNameOfAnUnfinishedOne() {
        SimulatedFileStore source = filled(1);
        SimulatedFileStore into = new SimulatedFileStore(1);
        Backup.copy(source, newest(source), into, "monday.partial");
        // As if it had been interrupted at its very end.
        into.create("monday.partial/backup-unfinished").close();

        assertThatThrownBy(() -> Backup.copy(source, newest(source), into, "monday"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining(
                        "can't make a backup (monday.partial): the folder is needed, and may be a whole backup");

        DetachedSnapshot.in(into, "monday.partial").verify();
        assertThat(into.exists("monday")).isFalse();
    }

    @Test
    void shouldMakeABackupAnewWhereOneWasInterrupted() {
        SimulatedFileStore source = filled(1);
        SimulatedFileStore into = new SimulatedFileStore(1);
        into.createDirectory("monday.partial");
        into.create("monday.partial/partition-0.data").close();
        into.create("monday.partial/partition-7.data").close();

        Backup.copy(source, newest(source), into, "monday");

        assertThat(into.list("monday")).containsExactly("manifest", "partition-0.data");
    }

    @Test
    void shouldLeaveTheFilesOfABackupAloneThatAnotherMakesUnderThatName() throws IOException {
        SimulatedFileStore source = filled(1);
        Path first = Files.createDirectory(folder.resolve("monday.partial")).resolve("partition-0.data");
        Files.createFile(first);
        try (FileStore into = SystemFileStore.open(folder);
                DataFile note = into.create("monday.partial/backup-unfinished")) {
            assertThat(note.tryLock()).isTrue();

            assertThatThrownBy(() -> Backup.copy(source, newest(source), folder.resolve("monday")))
                    .isInstanceOf(StorageException.class)
                    .hasMessage(
                            "can't make a backup (monday): another one of that name is being made; name another folder");
        }

        assertThat(first).exists();
        Backup.copy(source, newest(source), folder.resolve("monday"));
        DetachedSnapshot.in(SystemFileStore.open(folder), "monday").verify();
    }

    /** Once it has its name it is whole; only the note in it may still be there. */
    @Test
    void shouldRestoreABackupInWhichThePowerHasLeftTheNote() {
        SimulatedFileStore source = filled(2);
        SimulatedFileStore whole = new SimulatedFileStore(1);
        Backup.copy(source, newest(source), whole, "monday");
        int withNote = 0;

        for (long call = whole.calls() - 4; call <= whole.calls(); call++) {
            for (long seed = 1; seed <= 10; seed++) {
                SimulatedFileStore after = backupUntilPowerLoss(source, call, seed);
                if (after.exists("monday/backup-unfinished")) {
                    withNote++;
                    DetachedSnapshot.in(after, "monday").verify();
                    SimulatedFileStore target = new SimulatedFileStore(seed);
                    Restore.run(DetachedSnapshot.in(after, "monday"), target, LOG);
                    try (Reprise restored = open(target.crash(), 2)) {
                        assertThat(contents(restored))
                                .as("power loss at call %d, seed %d", call, seed)
                                .isEqualTo(expected(0));
                    }
                }
            }
        }

        assertThat(withNote).as("how often the note was there").isPositive();
    }

    /** The first one's lock must go on to hold for other processes, too. */
    @Test
    void shouldRefuseASecondBackupOfANameInTheSameProcess() {
        SimulatedFileStore source = filled(1);
        Manifest manifest = newest(source);
        Path monday = folder.resolve("monday");
        Path note = folder.resolve("monday.partial").resolve("backup-unfinished");
        AtomicBoolean tried = new AtomicBoolean();
        FileStore during = beforeCalls(source, () -> {
            if (Files.exists(note) && tried.compareAndSet(false, true)) {
                assertThatThrownBy(() -> Backup.copy(source, manifest, monday))
                        .isInstanceOf(StorageException.class)
                        .hasMessage("can't make a backup (monday): another one of that name is being made; name"
                                + " another folder");
                assertThat(canBeLockedByAnotherProcess(note)).isFalse();
            }
        });

        Backup.copy(during, manifest, monday);

        assertThat(tried).isTrue();
        DetachedSnapshot.in(SystemFileStore.open(folder), "monday").verify();
    }

    private static FileStore beforeCalls(FileStore store, Runnable action) {
        return (FileStore) Proxy.newProxyInstance(
                RestoreTest.class.getClassLoader(), new Class<?>[] {FileStore.class}, (proxy, method, arguments) -> {
                    action.run();
                    return method.invoke(store, arguments);
                });
    }

    private static boolean canBeLockedByAnotherProcess(Path file) {
        try {
            Process other = SmallJvm.of(LockTrier.class, file.toString()).start();
            return Boolean.parseBoolean(other.inputReader().readLine());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another process, which says whether it can lock a file. */
    static final class LockTrier {
        private LockTrier() {}

        public static void main(String[] arguments) throws IOException {
            try (FileChannel channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
                System.out.write(
                        (String.valueOf(channel.tryLock() != null) + "\n").getBytes(StandardCharsets.US_ASCII));
                System.out.flush();
            }
        }
    }

    @Test
    void shouldBackUpAndRestoreOnTheMachinesDisk() {
        Path data = folder.resolve("data");
        try (Reprise engine = Options.create()
                .partitions(2)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .directory(data)
                .open()) {
            fill(engine);
            engine.backup(folder.resolve("monday"));
            engine.call("Raise", 7);
        }

        Backup.restore(folder.resolve("monday"), folder.resolve("restored"));

        try (Reprise restored = Options.create()
                .partitions(3)
                .memoryPerPartition(16 << 20)
                .directory(folder.resolve("restored"))
                .open()) {
            assertThat(contents(restored)).isEqualTo(expected(0));
        }
    }

    private SimulatedFileStore filled(int partitions) {
        SimulatedFileStore files = new SimulatedFileStore(1);
        try (Reprise engine = open(files, partitions)) {
            fill(engine);
            assertThat(engine.snapshot().succeeded()).isTrue();
        }
        return files;
    }

    private static void fill(Reprise engine) {
        for (int i = 0; i < 20; i++) {
            engine.call("Put", i, 100 + i, i % 3 == 0 ? null : "owner ".repeat(i % 12));
            engine.sql("INSERT INTO event VALUES (?, ?)", i % 4, "note " + i);
        }
        engine.sql("INSERT INTO rate VALUES ('base', 3)");
    }

    private static TreeMap<String, Long> expected(int raised) {
        TreeMap<String, Long> expected = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            expected.put("account " + i, 100L + i + raised);
        }
        expected.put("events", 20L);
        expected.put("base", 3L);
        return expected;
    }

    private static TreeMap<String, Long> contents(Reprise engine) {
        TreeMap<String, Long> contents = new TreeMap<>();
        Rows accounts =
                engine.sql("SELECT id, balance FROM account ORDER BY id").rows();
        while (accounts.next()) {
            contents.put("account " + accounts.longAt(0), accounts.longAt(1));
        }
        Rows events = engine.sql("SELECT COUNT(*) FROM event").rows();
        events.next();
        contents.put("events", events.longAt(0));
        Rows rate = engine.sql("SELECT pct FROM rate WHERE name = 'base'").rows();
        rate.next();
        contents.put("base", rate.longAt(0));
        return contents;
    }

    private Reprise open(FileStore files, int partitions) {
        return Options.create()
                .partitions(partitions)
                .threads(Options.Threads.CALLER)
                .clock(clock)
                .memoryPerPartition(16 << 20)
                .ddl(DDL)
                .files(files)
                .durability(Durability.standard().with(LOG).with(SNAPSHOTS))
                .open();
    }

    private static Manifest newest(FileStore files) {
        return new SnapshotReader(files).choose().newest().orElseThrow();
    }

    private static DetachedSnapshot backup(FileStore files) {
        SimulatedFileStore into = new SimulatedFileStore(9);
        Backup.copy(files, newest(files), into, "backup");
        return DetachedSnapshot.in(into, "backup");
    }
}
