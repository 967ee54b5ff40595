package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When files are read again. */
final class WatchedFilesTest {
    @TempDir
    Path folder;

    private final List<String> told = new ArrayList<>();
    private Path file;
    private WatchedFiles watched;
    private int taken;
    private String problem = "";

    @BeforeEach
    void watch() throws IOException {
        file = Files.writeString(folder.resolve("file"), "1");
        watched = new WatchedFiles(List.of(file, folder.resolve("missing")));
    }

    private void look() {
        watched.look(
                () -> {
                    taken++;
                    if (!problem.isEmpty()) {
                        throw new IllegalArgumentException(problem);
                    }
                },
                told::add);
    }

    @Test
    void shouldReadOnlyWhatHasChanged() throws IOException {
        look();
        assertThat(taken).isZero();

        Files.writeString(file, "12");
        look();
        look();
        assertThat(taken).isEqualTo(1);

        Files.writeString(folder.resolve("missing"), "");
        look();
        assertThat(taken).isEqualTo(2);
    }

    @Test
    void shouldTryAgainWhatCouldNotBeReadThoughItHasNotChanged() throws IOException {
        Files.writeString(file, "12");
        problem = "too many open files";
        look();
        look();
        assertThat(told).as("once for all looks").containsExactly("too many open files");

        problem = "";
        look();
        look();
        assertThat(taken).isEqualTo(3);
        assertThat(told).hasSize(1);
    }

    @Test
    void shouldTellOfEachChangeThatCanNotBeTaken() throws IOException {
        problem = "it makes no sense";
        Files.writeString(file, "12");
        look();
        Files.writeString(file, "123");
        look();
        problem = "it makes no sense either";
        look();

        assertThat(told).containsExactly("it makes no sense", "it makes no sense", "it makes no sense either");
    }

    @Test
    void shouldTryAgainWhenThereWasNoMemory() throws IOException {
        Files.writeString(file, "12");

        assertThatThrownBy(() -> watched.look(
                        () -> {
                            throw new OutOfMemoryError("as it was told to say");
                        },
                        told::add))
                .isInstanceOf(OutOfMemoryError.class);

        look();
        assertThat(taken).isEqualTo(1);
    }
}
