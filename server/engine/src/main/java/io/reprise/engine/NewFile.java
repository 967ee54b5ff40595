package io.reprise.engine;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A file that a command makes for its user. It gets its name when all of it is written, because a part of a table
 * can't be told from a table; until then it is in {@code FILE.partial}. Neither name is taken from an existing
 * file, because other programs may own it.
 */
public final class NewFile {
    private NewFile() {}

    /** Writes its content. */
    @FunctionalInterface
    public interface Content {
        /** Writes it; returns how much there was. */
        long write(OutputStream to) throws IOException;
    }

    /** Makes the file; if that fails there is nothing of it. Returns what writing the content returned. */
    public static long make(Path file, Content content) throws IOException {
        if (Files.exists(file)) {
            throw new FileAlreadyExistsException(file.toString());
        }
        Path partial = Path.of(file + ".partial");
        OutputStream opened = open(partial);
        // Of Ctrl-C and SIGTERM nothing here is told.
        partial.toFile().deleteOnExit();
        boolean made = false;
        try {
            long count = write(file, content, opened);
            Files.move(partial, file);
            made = true;
            return count;
        } finally {
            if (!made) {
                Files.deleteIfExists(partial);
            }
        }
    }

    private static OutputStream open(Path partial) throws IOException {
        try {
            return Files.newOutputStream(partial, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
        } catch (FileAlreadyExistsException e) {
            throw new FileAlreadyExistsException(
                    partial.toString(),
                    null,
                    "it may be what is left of a command that was killed: see, and remove it");
        }
    }

    private static long write(Path file, Content content, OutputStream opened) {
        try (OutputStream to = new BufferedOutputStream(opened)) {
            return content.write(to);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write " + file, e);
        }
    }
}
