package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file for a person is there whole or not at all, and costs nobody else's. */
final class NewFileTest {
    private static final byte[] TEXT = "all of it".getBytes(StandardCharsets.UTF_8);

    @TempDir
    Path folder;

    private Path file;
    private Path partial;

    @BeforeEach
    void nameFiles() {
        file = folder.resolve("rows.csv");
        partial = folder.resolve("rows.csv.partial");
    }

    private long make() throws IOException {
        return NewFile.make(file, to -> {
            to.write(TEXT);
            return TEXT.length;
        });
    }

    @Test
    void shouldHaveItsNameWhenAllOfItIsWritten() throws IOException {
        assertThat(make()).isEqualTo(TEXT.length);

        assertThat(file).hasBinaryContent(TEXT);
        assertThat(partial).doesNotExist();
    }

    @Test
    void shouldLeaveNothingAndSayWhichFileWhenTheDiskIsFull() {
        assertThatThrownBy(() -> NewFile.make(file, to -> {
                    to.write(TEXT);
                    throw new IOException("No space left on device");
                }))
                .isInstanceOf(UncheckedIOException.class)
                .hasMessage("can't write " + file)
                .hasRootCauseMessage("No space left on device");

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldLeaveNothingWhenItsContentCantBeRead() {
        assertThatThrownBy(() -> NewFile.make(file, to -> {
                    to.write(TEXT);
                    throw new IllegalStateException("damaged");
                }))
                .hasMessage("damaged");

        assertThat(folder).isEmptyDirectory();
    }

    /** A program that comes to no end while it writes. */
    static final class Endless {
        private Endless() {}

        public static void main(String[] arguments) throws IOException {
            NewFile.make(Path.of(arguments[0]), to -> {
                System.out.println("writing");
                return System.in.read();
            });
        }
    }

    @Test
    void shouldLeaveNothingWhenTheProgramIsToldToEnd() throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        Endless.class.getName(),
                        file.toString())
                .start();
        assertThat(process.inputReader().readLine()).isEqualTo("writing");
        assertThat(partial).exists();

        // Destroying the Process object would end its input first.
        process.toHandle().destroy();
        process.waitFor();

        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void shouldTakeNoNameOfAFileThatIsThere() throws IOException {
        Path elsewhere = Files.writeString(folder.resolve("elsewhere"), "another's");
        Files.createSymbolicLink(partial, elsewhere);

        assertThatThrownBy(this::make)
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageStartingWith(partial.toString())
                .hasMessageContaining("a command that was killed");

        assertThat(elsewhere).hasContent("another's");
        Files.delete(partial);
        make();
        assertThatThrownBy(this::make)
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessage(file.toString());
    }
}
