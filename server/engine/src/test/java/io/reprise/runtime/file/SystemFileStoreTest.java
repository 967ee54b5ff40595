package io.reprise.runtime.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.reprise.runtime.SmallJvm;
import java.io.FileInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SystemFileStoreTest extends FileStoreContractTest {
    @TempDir
    Path directory;

    @Override
    FileStore createStore() {
        return SystemFileStore.open(directory);
    }

    @Override
    FileStore reopen() {
        return SystemFileStore.open(directory.resolve("..").resolve(directory.getFileName()));
    }

    @Test
    void shouldMakeTheDataDirectoryAndThoseAbove() {
        SystemFileStore.open(directory.resolve("x/y/z")).close();

        assertThat(directory.resolve("x/y/z")).isDirectory();
    }

    /** Somebody may have made it who was killed before he had forced it, or who never forces anything. */
    @Test
    void shouldForceTheNameOfADirectoryThatIsThere() throws IOException {
        Path there = Files.createDirectories(directory.resolve("x/y"));
        List<Path> forced = new ArrayList<>();

        SystemFileStore.makeDurably(there, forced::add);
        SystemFileStore.makeDurably(there.resolve("z/data"), forced::add);

        assertThat(forced).containsExactly(there.getParent(), there.getParent(), there, there.resolve("z"));
    }

    @Test
    void shouldForceTheDirectoryItselfWhereTheOneAboveMayNotBeRead() throws IOException {
        Path there = Files.createDirectory(directory.resolve("data"));
        List<Path> forced = new ArrayList<>();

        SystemFileStore.makeDurably(there, path -> {
            if (path.equals(directory)) {
                throw new AccessDeniedException(path.toString());
            }
            forced.add(path);
        });

        assertThat(forced).containsExactly(there);
        assertThatThrownBy(() -> SystemFileStore.makeDurably(there, path -> {
                    throw new IOException("Input/output error");
                }))
                .isInstanceOf(IOException.class);
    }

    /** Nobody made anything in it here, and some such file systems know no force. */
    @ParameterizedTest
    @ValueSource(strings = {"Invalid argument", "Operation not supported", "Read-only file system"})
    void shouldForceTheDirectoryItselfWhereTheOneAboveCantBeForced(String why) throws IOException {
        Path there = Files.createDirectory(directory.resolve("data"));
        List<Path> forced = new ArrayList<>();

        SystemFileStore.makeDurably(there, path -> {
            if (path.equals(directory)) {
                throw new IOException(why);
            }
            forced.add(path);
        });

        assertThat(forced).containsExactly(there);
    }

    @Test
    void shouldForceTheDirectoryItselfWhereTheOneAboveFailsAndIsOfAnotherFileSystem() throws IOException {
        Path mounted = Path.of("/proc");
        assumeTrue(Files.isDirectory(mounted)
                && !Files.getAttribute(mounted, "unix:dev").equals(Files.getAttribute(Path.of("/"), "unix:dev")));
        Path link = Files.createSymbolicLink(directory.resolve("link"), mounted);
        List<Path> forced = new ArrayList<>();
        SystemFileStore.Forcing failing = path -> {
            if (!path.equals(mounted)) {
                throw new IOException("Input/output error");
            }
            forced.add(path);
        };

        SystemFileStore.makeDurably(mounted, failing);

        assertThat(forced).containsExactly(mounted);
        assertThatThrownBy(() -> SystemFileStore.makeDurably(link, failing))
                .as("the link's own name is here")
                .isInstanceOf(IOException.class);
    }

    @Test
    void shouldRefuseADataDirectoryThatIsAFile() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> SystemFileStore.open(file)).isInstanceOf(StorageException.class);
    }

    /** Says that it has locked the directory, and keeps it. */
    private static Process holder(Path held) throws IOException {
        return SmallJvm.of(LockHolder.class, held.toString())
                .redirectErrorStream(true)
                .start();
    }

    @Test
    void shouldNameTheProcessThatHoldsTheLock() throws Exception {
        Process holder = holder(directory);
        try (FileStore store = createStore()) {
            assertThat(holder.inputReader().readLine()).isEqualTo("locked");

            assertThatThrownBy(store::lock)
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining("in use by process " + holder.pid());

            holder.destroyForcibly();
            assertThat(holder.waitFor(1, TimeUnit.MINUTES)).isTrue();
            store.lock();
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void shouldNameTheProcessThatHasAFolderInAnotherDirectory() throws Exception {
        Path log = Files.createDirectories(directory.resolve("first").resolve("log"));
        Path second = Files.createDirectory(directory.resolve("second"));
        Files.createSymbolicLink(second.resolve("log"), log);
        Process holder = holder(directory.resolve("first"));
        try (FileStore store = SystemFileStore.open(second)) {
            assertThat(holder.inputReader().readLine()).isEqualTo("locked");
            store.lock();

            assertThatThrownBy(() -> store.lockFolder("log"))
                    .isInstanceOf(StoreLockedException.class)
                    .hasMessageContaining(
                            "in use by process " + holder.pid() + ", which has it in another data directory");

            holder.destroyForcibly();
            assertThat(holder.waitFor(1, TimeUnit.MINUTES)).isTrue();
            store.lockFolder("log");
        } finally {
            holder.destroyForcibly();
        }
    }

    @Test
    void shouldGiveUpAFoldersLockWithTheFolderAndWithTheDirectory() throws IOException {
        Path other = Files.createDirectory(directory.resolve("other"));
        Files.createDirectory(directory.resolve("log"));
        Files.createSymbolicLink(other.resolve("log"), directory.resolve("log"));
        try (FileStore second = SystemFileStore.open(other)) {
            second.lock();
            try (FileStore store = createStore()) {
                store.lock();
                store.lockFolder("log");
                store.lockFolder("log");
                assertThat(store.list("log")).isEmpty();
                assertThatThrownBy(() -> second.lockFolder("log")).isInstanceOf(StoreLockedException.class);

                store.delete("log");
                store.createDirectory("log");
                second.lockFolder("log");
                assertThatThrownBy(() -> store.lockFolder("log")).isInstanceOf(StoreLockedException.class);
                second.close();
                second.lock();
                store.lockFolder("log");
            }
            second.lockFolder("log");
        }
    }

    /** Nobody who may have it later can be kept out of it. */
    @Test
    void shouldRefuseAFolderElsewhereThatItCannotLockBecauseTheDiskIsReadOnly() throws IOException {
        Optional<Path> readOnly = readOnlyFolder();
        assumeTrue(readOnly.isPresent(), "nothing is mounted read-only on this machine");
        Files.createSymbolicLink(directory.resolve("snapshot"), readOnly.get());
        try (FileStore store = createStore()) {
            store.lock();

            assertThatThrownBy(() -> store.lockFolder("snapshot"))
                    .isInstanceOf(StorageReadOnlyException.class)
                    .hasMessageContaining("can't lock a folder of the data directory (snapshot): ")
                    .hasMessageContaining("read-only");
        }
    }

    private static Optional<Path> readOnlyFolder() throws IOException {
        Path mounts = Path.of("/proc/mounts");
        if (!Files.exists(mounts)) {
            return Optional.empty();
        }
        return Files.readAllLines(mounts).stream()
                .map(line -> line.split(" "))
                .filter(fields -> List.of(fields[3].split(",")).contains("ro"))
                .map(fields -> Path.of(fields[1]))
                .filter(Files::isDirectory)
                .findFirst();
    }

    @Test
    void shouldTellAFullDiskFromOtherErrors() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "needs Linux's device that is always full");
        Files.createSymbolicLink(directory.resolve("a"), full);
        try (FileStore store = createStore();
                DataFile file = store.open("a")) {

            assertThatThrownBy(() -> file.write(0, ByteBuffer.wrap(new byte[10])))
                    .isInstanceOf(StorageFullException.class)
                    .hasMessage("can't write 10 bytes at 0 (a): no space left; free some or enlarge the disk");
            store.delete("a");
        }
    }

    @Test
    void shouldUnlockAFolderThoughTheDirectoryItselfWasNotLocked() throws IOException {
        Path data = directory.resolve("data");
        Files.createDirectories(data.resolve("log"));
        try (SystemFileStore first = SystemFileStore.open(data)) {
            first.lockFolder("log");
        }

        try (SystemFileStore second = SystemFileStore.open(data)) {
            assertThatCode(() -> second.lockFolder("log")).doesNotThrowAnyException();
        }
    }

    @Test
    void shouldRefuseToLockADirectoryThatHasBeenMovedWhileItWasLocked() throws IOException {
        Path before = Files.createDirectory(directory.resolve("before"));
        try (SystemFileStore holder = SystemFileStore.open(before)) {
            holder.lock();
            Path after = Files.move(before, directory.resolve("after"));

            try (SystemFileStore another = SystemFileStore.open(after)) {
                assertThatThrownBy(another::lock)
                        .isInstanceOf(StoreLockedException.class)
                        .hasMessageContaining("this process");
            }
        }
    }

    /** The lock's holder is noted for a message only. */
    @Test
    void shouldLockWhenTheDiskIsFull() throws IOException {
        Path full = Path.of("/dev/full");
        assumeTrue(Files.exists(full), "needs Linux's device that is always full");
        Files.createSymbolicLink(directory.resolve(DirectoryLock.FILE), full);
        try (FileStore store = createStore()) {
            store.lock();

            assertThatThrownBy(() -> reopen().lock()).isInstanceOf(StoreLockedException.class);
        }
    }

    @Test
    void shouldNotTakeForMissingWhatItCannotLookAt() throws IOException {
        Files.createSymbolicLink(directory.resolve("circle"), Path.of("circle"));
        Files.createSymbolicLink(directory.resolve("nowhere"), Path.of("missing"));
        try (FileStore store = createStore()) {
            assertThatThrownBy(() -> store.exists("circle"))
                    .isInstanceOf(StorageException.class)
                    .hasMessageContaining("can't find out whether there is (circle)");
            assertThat(store.exists("nowhere")).isFalse();
            assertThat(store.exists("missing")).isFalse();
        }
    }

    @Test
    void shouldKnowWhatLeadsElsewhere() throws IOException {
        Files.createDirectory(directory.resolve("own"));
        Files.createSymbolicLink(directory.resolve("link"), directory.resolve("own"));
        try (FileStore store = createStore()) {
            assertThat(store.leadsElsewhere("own")).isFalse();
            assertThat(store.leadsElsewhere("link")).isTrue();
        }
        assertThat(SystemFileStore.open(Path.of("/")).leadsElsewhere("proc")).isTrue();
    }

    @Test
    void shouldSayHowMuchRoomThereIsWhereADirectoryLeads() throws IOException {
        Path other = Path.of("/proc");
        assumeTrue(Files.isDirectory(other), "needs a file system in which there is no room");
        Files.createSymbolicLink(directory.resolve("log"), other);
        try (FileStore store = createStore()) {
            assertThat(store.usableBytes("")).isPositive();
            assertThat(store.usableBytes("log")).isZero();
        }
    }

    @Test
    void shouldTellByTheSystemsWordsWhatAnErrorMeans() {
        assertThat(translate(new IOException("Disk quota exceeded"))).isInstanceOf(StorageFullException.class);
        assertThat(translate(new FileSystemException("a", null, "Read-only file system")))
                .isInstanceOf(StorageReadOnlyException.class);
        assertThat(translate(new AccessDeniedException("a"))).hasMessageContaining("permission denied");
        assertThat(translate(new IOException("Input/output error")))
                .isExactlyInstanceOf(StorageException.class)
                .hasMessage("can't write (a): Input/output error");
        assertThat(translate(new IOException())).hasMessageContaining("IOException");
    }

    /** In a process of its own, because it takes all that there are. */
    @Test
    void shouldTellThatThereAreTooManyOpenFiles() throws Exception {
        ProcessBuilder greedy = SmallJvm.of(Greedy.class, directory.toString());
        greedy.command().addAll(0, List.of("sh", "-c", "ulimit -n 100 && exec \"$@\"", "sh"));

        Process process = greedy.redirectErrorStream(true).start();

        assertThat(process.inputReader().readAllAsString()).isEqualTo("""
                        create a file: TooManyOpenFilesException
                        open a file to read: TooManyOpenFilesException
                        list a directory: TooManyOpenFilesException
                        force a directory: TooManyOpenFilesException
                        """);
    }

    @Test
    void shouldAskTheFileSystemWhenTheWordsAreForeign() {
        Path readOnly = Path.of("/sys");
        assumeTrue(isReadOnly(readOnly), "needs a file system that is mounted read-only");

        assertThat(IoErrors.translate(readOnly, "write", "a", new IOException("Dateisystem nur lesbar")))
                .isInstanceOf(StorageReadOnlyException.class);
    }

    /**
     * A folder on a disk of its own is not as full as the directory, nor can only the directory's be full. There is
     * no room in /proc.
     */
    @Test
    void shouldAskTheFileSystemThatTheFileIsOn() throws IOException {
        Path full = Path.of("/proc");
        assumeTrue(Files.exists(full), "needs a file system without room");
        Files.createSymbolicLink(directory.resolve("log"), full);
        IOException foreign = new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");

        assertThat(IoErrors.translate(directory, "write", "log/none/a", foreign))
                .isInstanceOf(StorageFullException.class);
        assertThat(IoErrors.translate(directory, "write", "snapshots/none/a", foreign))
                .isExactlyInstanceOf(StorageException.class);
    }

    /** There is none in /proc. */
    @Test
    void shouldNotTakeAnErrorOfTheDiskForALackOfRoom() {
        Path full = Path.of("/proc");
        assumeTrue(Files.exists(full), "needs a file system without room");

        assertThat(IoErrors.translate(full, "write", "a", new IOException("Input/output error")))
                .isExactlyInstanceOf(StorageException.class);
        assertThat(IoErrors.translate(full, "write", "a", new IOException("etwas anderes")))
                .isInstanceOf(StorageFullException.class);
    }

    /** As the system tells it when it has opened a directory and can't read it to the end. */
    @Test
    void shouldTranslateWhatFailsInTheMidstOfADirectory() {
        Stream<Path> broken = Stream.of("a", "b").map(name -> {
            throw new UncheckedIOException(new IOException("Input/output error"));
        });

        assertThatThrownBy(() -> SystemFileStore.names(broken, directory, "log"))
                .isExactlyInstanceOf(StorageException.class)
                .hasMessage("can't list a directory (log): Input/output error");
    }

    private StorageException translate(IOException e) {
        return IoErrors.translate(directory, "write", "a", e);
    }

    private static boolean isReadOnly(Path path) {
        try {
            return Files.getFileStore(path).isReadOnly();
        } catch (IOException e) {
            return false;
        }
    }

    /** Another process that has as many files open as it may. */
    static final class Greedy {
        private Greedy() {}

        public static void main(String[] arguments) throws IOException {
            List<InputStream> taken = new ArrayList<>();
            StringBuilder told = new StringBuilder();
            try (FileStore store = SystemFileStore.open(Path.of(arguments[0]))) {
                List<Runnable> calls = List.of(
                        () -> store.create("a"),
                        () -> store.openReadOnly("b").close(),
                        () -> store.list(""),
                        () -> store.forceDirectory(""));
                // Loads the classes needed then: a class's file couldn't be opened either.
                store.create("b").close();
                calls.subList(1, 4).forEach(Runnable::run);
                tell(told, IoErrors.translate(Path.of("."), "say", "nothing", new IOException("Too many open files")));
                told.setLength(0);
                try {
                    while (true) {
                        taken.add(new FileInputStream("/dev/null"));
                    }
                } catch (IOException full) {
                    for (Runnable call : calls) {
                        try {
                            call.run();
                        } catch (StorageException e) {
                            tell(told, e);
                        }
                    }
                }
            }
            for (InputStream each : taken) {
                each.close();
            }
            System.out.write(told.toString().getBytes(StandardCharsets.UTF_8));
            System.out.flush();
        }

        private static void tell(StringBuilder to, StorageException e) {
            String call =
                    e.getMessage().substring("can't ".length(), e.getMessage().indexOf(" ("));
            to.append(call).append(": ").append(e.getClass().getSimpleName()).append('\n');
        }
    }

    /** Another process that holds the lock until it is killed. */
    static final class LockHolder {
        private LockHolder() {}

        public static void main(String[] arguments) throws IOException {
            try (FileStore store = SystemFileStore.open(Path.of(arguments[0]))) {
                store.lock();
                store.lockFolder("log");
                System.out.write("locked\n".getBytes(StandardCharsets.UTF_8));
                System.out.flush();
                while (System.in.read() >= 0) {
                    continue;
                }
            }
        }
    }

    /** The store's requests to the system, as the JVM's recorder tells them; no test can take the power away. */
    @Test
    void shouldForceFilesAndDirectoriesOnTheMachine() throws IOException {
        FileStore store = createStore();
        store.createDirectory("folder");
        try (Recording recording = new Recording();
                DataFile file = store.create("folder/file")) {
            recording.enable("jdk.FileForce").withThreshold(Duration.ZERO);
            recording.start();
            file.write(0, ByteBuffer.wrap(new byte[] {1}));
            file.force();
            store.forceDirectory("folder");
            store.forceDirectory("");
            recording.stop();

            Path root = directory.toRealPath();
            assertThat(forced(recording))
                    .containsExactlyInAnyOrder(root.resolve("folder/file"), root.resolve("folder"), root);
        }
    }

    /** In the test's directory: others may be at work in the same process. */
    private List<Path> forced(Recording recording) throws IOException {
        Path dump = directory.resolve("recording.jfr");
        recording.dump(dump);
        Path root = directory.toRealPath();
        return RecordingFile.readAllEvents(dump).stream()
                .map(event -> Path.of(event.getString("path")))
                .filter(path -> path.startsWith(root))
                .toList();
    }
}
