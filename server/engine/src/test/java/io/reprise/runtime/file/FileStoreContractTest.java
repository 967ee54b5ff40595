package io.reprise.runtime.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.Randomness;
import io.reprise.runtime.SeededRandomness;
import io.reprise.simulation.Seeds;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.channels.NonWritableChannelException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The common behaviour of all file stores, as long as nothing goes wrong; run against the system's and the simulated
 * one.
 */
abstract class FileStoreContractTest {
    private FileStore store;

    /** An empty store. */
    abstract FileStore createStore();

    /** Another view of the same directory, as a second process would open it; null if there is no such thing. */
    abstract FileStore reopen();

    @BeforeEach
    void open() {
        store = createStore();
    }

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldReadWhatWasWritten() {
        try (DataFile file = store.create("a")) {
            file.write(3, buffer("hello"));

            assertThat(file.size()).isEqualTo(8);
            assertThat(text(file, 0, 100)).isEqualTo("\0\0\0hello");
            assertThat(text(file, 4, 2)).isEqualTo("el");
            assertThat(text(file, 8, 2)).isEmpty();
            assertThat(text(file, 800, 2)).isEmpty();
            assertThat(file.path()).isEqualTo("a");
        }
    }

    @Test
    void shouldUseUpTheBuffersFromTheirPositionToTheirLimit() {
        ByteBuffer source = buffer("0123456789").position(2).limit(5);
        ByteBuffer target = ByteBuffer.allocateDirect(10).position(1).limit(9);
        try (DataFile file = store.create("a")) {
            file.write(0, source);
            int count = file.read(0, target);

            assertThat(source.hasRemaining()).isFalse();
            assertThat(file.size()).isEqualTo(3);
            assertThat(count).isEqualTo(3);
            assertThat(target.position()).isEqualTo(4);
            assertThat(target.get(1)).isEqualTo((byte) '2');
        }
    }

    @Test
    void shouldAppendBehindTheEnd() {
        try (DataFile file = store.create("a")) {
            long first = file.append(buffer("one"));
            long second = file.append(MemorySegment.ofArray("two".getBytes(StandardCharsets.UTF_8)));

            assertThat(first).isZero();
            assertThat(second).isEqualTo(3);
            assertThat(text(file, 0, 10)).isEqualTo("onetwo");
        }
    }

    @Test
    void shouldReadAndWriteSegments() {
        try (Arena arena = Arena.ofConfined();
                DataFile file = store.create("a")) {
            MemorySegment source = arena.allocate(10_000);
            source.fill((byte) 7);
            MemorySegment target = arena.allocate(20_000);

            file.write(100, source);
            long count = file.read(50, target);

            assertThat(count).isEqualTo(10_050);
            assertThat(target.asSlice(50, 10_000).mismatch(source)).isEqualTo(-1);
        }
    }

    @Test
    void shouldReadOnlyWhenOpenedSo() {
        store.create("a").close();
        try (DataFile file = store.openReadOnly("a")) {
            assertThat(text(file, 0, 1)).isEmpty();
            assertThatThrownBy(() -> file.write(0, buffer("x"))).isInstanceOf(NonWritableChannelException.class);
            assertThatThrownBy(() -> file.preallocate(8)).isInstanceOf(NonWritableChannelException.class);
        }
    }

    @Test
    void shouldPreallocateZerosAndKeepWhatIsThere() {
        try (DataFile file = store.create("a")) {
            file.write(0, buffer("head"));

            file.preallocate(3_000_000);
            file.preallocate(10);
            file.force();

            assertThat(file.size()).isEqualTo(3_000_000);
            assertThat(text(file, 0, 6)).isEqualTo("head\0\0");
            assertThat(text(file, 2_999_999, 6)).isEqualTo("\0");
        }
    }

    @Test
    void shouldForgetWhatWasBehindTheCut() {
        try (DataFile file = store.create("a")) {
            file.write(0, buffer("abcdef"));

            file.truncate(2);
            file.write(4, buffer("z"));

            assertThat(text(file, 0, 10)).isEqualTo("ab\0\0z");
            assertThatThrownBy(() -> file.truncate(6)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> file.truncate(-1)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void shouldRefuseAClosedFile() {
        DataFile file = store.create("a");
        file.close();
        file.close();

        assertThatThrownBy(() -> file.write(0, buffer("x")))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("can't write 1 bytes at 0 (a)");
        assertThatThrownBy(file::size).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> text(file, 0, 1)).isInstanceOf(StorageException.class);
    }

    @Test
    void shouldSayWhatIsMissing() {
        assertThat(store.exists("a")).isFalse();
        assertThatThrownBy(() -> store.open("a"))
                .isInstanceOf(MissingFileException.class)
                .hasMessage("can't open a file (a): it does not exist")
                .extracting(e -> ((StorageException) e).path())
                .isEqualTo("a");
        assertThatThrownBy(() -> store.openReadOnly("a")).isInstanceOf(MissingFileException.class);
        assertThatThrownBy(() -> store.delete("a")).isInstanceOf(MissingFileException.class);
        assertThatThrownBy(() -> store.rename("a", "b")).isInstanceOf(MissingFileException.class);
        assertThatThrownBy(() -> store.list("a")).isInstanceOf(MissingFileException.class);
        assertThatThrownBy(() -> store.forceDirectory("a")).isInstanceOf(MissingFileException.class);
        assertThatThrownBy(() -> store.create("d/a")).isInstanceOf(MissingFileException.class);
        assertThatThrownBy(() -> store.createDirectory("d/a")).isInstanceOf(MissingFileException.class);
    }

    @Test
    void shouldRefuseToReplaceWhenCreating() {
        store.create("a").close();

        assertThatThrownBy(() -> store.create("a")).isInstanceOf(ExistingFileException.class);
        assertThatThrownBy(() -> store.createDirectory("a")).isInstanceOf(ExistingFileException.class);
    }

    @Test
    void shouldReplaceWhenRenaming() {
        write("a", "new");
        write("b", "old");

        store.rename("a", "b");
        store.rename("b", "b");

        assertThat(store.list("")).containsExactly("b");
        assertThat(read("b")).isEqualTo("new");
    }

    @Test
    void shouldRenameBetweenDirectories() {
        store.createDirectory("d");
        write("d/a", "text");

        store.rename("d/a", "b");
        store.forceDirectory("");
        store.forceDirectory("d");

        assertThat(store.list("")).containsExactly("b", "d");
        assertThat(store.list("d")).isEmpty();
        assertThat(read("b")).isEqualTo("text");
    }

    @Test
    void shouldRefuseToReplaceADirectoryByAFile() {
        write("a", "text");
        store.createDirectory("d");

        assertThatThrownBy(() -> store.rename("a", "d")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> store.rename("d", "a")).isInstanceOf(StorageException.class);
        assertThatThrownBy(() -> store.rename("d", "d/e")).isInstanceOf(StorageException.class);

        assertThat(store.list("")).containsExactly("a", "d");
    }

    @Test
    void shouldKeepAnOpenFileUsableWhenItIsRenamedOrDeleted() {
        try (DataFile file = store.create("a")) {
            file.write(0, buffer("x"));
            store.rename("a", "b");
            file.write(1, buffer("y"));
            assertThat(read("b")).isEqualTo("xy");

            store.delete("b");
            file.write(2, buffer("z"));
            assertThat(text(file, 0, 9)).isEqualTo("xyz");
            assertThat(store.exists("b")).isFalse();
        }
    }

    @Test
    void shouldListSorted() {
        store.createDirectory("m");
        store.createDirectory("m");
        for (String name : new String[] {"m/z", "m/a", "m/10", "m/9"}) {
            store.create(name).close();
        }

        assertThat(store.list("m")).containsExactly("10", "9", "a", "z");
        assertThat(store.list("")).containsExactly("m");
        assertThat(store.exists("m/z")).isTrue();
        assertThat(store.exists("m")).isTrue();
    }

    @Test
    void shouldDeleteOnlyEmptyDirectories() {
        store.createDirectory("d");
        store.create("d/a").close();

        assertThatThrownBy(() -> store.delete("d"))
                .isInstanceOf(StorageException.class)
                .hasMessageContaining("not empty");
        store.delete("d/a");
        store.delete("d");

        assertThat(store.list("")).isEmpty();
    }

    @Test
    void shouldRefusePathsThatLeadOut() {
        for (String path : new String[] {"", "/etc/passwd", "../a", "a/../b", "a//b", "a/", ".", "a\0b"}) {
            assertThatThrownBy(() -> store.create(path)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.rename("a", path)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> store.delete(path)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> store.list("..")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldLockOutASecondStoreUntilClosed() {
        FileStore second = reopen();
        if (second == null) {
            return;
        }
        store.lock();
        store.lock();
        assertThatThrownBy(second::lock)
                .isInstanceOf(StoreLockedException.class)
                .hasMessageContaining("in use by");
        assertThat(store.list("")).isEmpty();

        store.close();
        second.lock();
        second.close();
    }

    @Test
    void shouldKnowHowMuchSpaceIsLeft() {
        assertThat(store.usableBytes("")).isPositive();
    }

    @Test
    void shouldKeepBytesWhenReopened() {
        Seeds.forEach(5, seed -> {
            Randomness random = new SeededRandomness(seed);
            String name = "file" + Long.toHexString(seed);
            byte[] model = new byte[50_000];
            int size = 0;
            try (DataFile file = store.create(name)) {
                for (int i = 0; i < 200; i++) {
                    int position = random.nextInt(40_000);
                    byte[] bytes = new byte[random.nextInt(10_000)];
                    Arrays.fill(bytes, (byte) random.nextInt(256));
                    if (random.chance(0.1)) {
                        size = random.nextInt(size + 1);
                        Arrays.fill(model, size, model.length, (byte) 0);
                        file.truncate(size);
                    } else if (bytes.length > 0) {
                        System.arraycopy(bytes, 0, model, position, bytes.length);
                        size = Math.max(size, position + bytes.length);
                        file.write(position, ByteBuffer.wrap(bytes));
                    }
                }
                file.force();
            }

            try (DataFile file = store.openReadOnly(name)) {
                ByteBuffer all = ByteBuffer.allocate(model.length);
                assertThat(file.read(0, all)).isEqualTo(size);
                assertThat(all.array()).isEqualTo(model);
            }
        });
    }

    private void write(String path, String text) {
        try (DataFile file = store.create(path)) {
            file.write(0, buffer(text));
            file.force();
        }
    }

    private String read(String path) {
        try (DataFile file = store.openReadOnly(path)) {
            return text(file, 0, 1000);
        }
    }

    private static ByteBuffer buffer(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(DataFile file, long position, int length) {
        ByteBuffer target = ByteBuffer.allocate(length);
        int count = file.read(position, target);
        return new String(target.array(), 0, count, StandardCharsets.UTF_8);
    }
}
