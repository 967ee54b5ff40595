package io.reprise.runtime.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryLockTest {
    @TempDir
    private Path folder;

    private static DirectoryLock take(Path directory, Object number) throws IOException {
        return DirectoryLock.take(
                directory, number, holder -> new StoreLockedException("lock", directory.toString(), holder, null));
    }

    private static Object number(Path directory) throws IOException {
        return Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
    }

    /** File systems give a new directory the number of one that was removed, but not at once. */
    @Test
    void shouldBeHadOfADirectoryThatHasTheNumberOfOneThatWasRemovedWhileItWasLocked() throws IOException {
        Path removed = Files.createDirectory(folder.resolve("removed"));
        Object number = number(removed);
        DirectoryLock left = take(removed, number);
        Files.delete(removed.resolve(DirectoryLock.FILE));
        Files.delete(removed);
        Path made = Files.createDirectory(folder.resolve("made"));

        DirectoryLock taken = take(made, number);
        left.release();

        assertThatThrownBy(() -> take(made, number))
                .as("the one that was left takes nothing with it")
                .isInstanceOf(StoreLockedException.class);
        taken.release();
        take(made, number).release();
    }

    @Test
    void shouldBeRefusedWhileTheDirectoryIsLockedThoughItsLockWasRemoved() throws IOException {
        Path directory = Files.createDirectory(folder.resolve("directory"));
        Object number = number(directory);
        DirectoryLock held = take(directory, number);
        Files.delete(directory.resolve(DirectoryLock.FILE));

        assertThatThrownBy(() -> take(directory, number)).isInstanceOf(StoreLockedException.class);
        held.release();
        DirectoryLock next = take(directory, number);
        assertThat(next.directory()).isEqualTo(directory);
        next.release();
    }
}
