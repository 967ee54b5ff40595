package io.reprise.runtime.file;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/**
 * The meaning of the JDK's I/O exceptions. They carry no error numbers, only the system's texts in its own language.
 * For an unknown text the file system is asked whether it is full or read-only.
 */
final class IoErrors {
    /** With less than this left, a failed write is taken for a lack of space. */
    private static final long NEXT_TO_NOTHING = 64 << 10;

    private IoErrors() {}

    static StorageException translate(Path root, String operation, String path, IOException e) {
        return switch (e) {
            case NoSuchFileException missing -> new MissingFileException(operation, path, missing);
            case FileAlreadyExistsException existing -> new ExistingFileException(operation, path, existing);
            case DirectoryNotEmptyException full ->
                new StorageException(operation, path, "the directory is not empty", full);
            case AccessDeniedException denied ->
                new StorageException(
                        operation, path, "permission denied; let the server's user read and write it", denied);
            default -> byText(root, operation, path, e);
        };
    }

    /** The system's own words. */
    static String reason(IOException e) {
        String reason = e instanceof FileSystemException inFileSystem ? inFileSystem.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }

    /** Whether a file system has no such operation. */
    static boolean isUnsupported(IOException e) {
        String reason = reason(e);
        return reason.contains("Invalid argument") || reason.contains("not supported");
    }

    private static StorageException byText(Path root, String operation, String path, IOException e) {
        String reason = reason(e);
        if (reason.contains("No space left") || reason.contains("quota exceeded")) {
            return new StorageFullException(operation, path, e);
        }
        if (reason.contains("Read-only file system")) {
            return new StorageReadOnlyException(operation, path, e);
        }
        if (reason.contains("Too many open files")) {
            return new TooManyOpenFilesException(operation, path, e);
        }
        if (reason.contains("Input/output error")) {
            return new StorageException(operation, path, reason, e);
        }
        return byAsking(existing(root.resolve(path)), operation, path, e);
    }

    /** The existing part of a path: parts of a store may be on file systems of their own. */
    private static Path existing(Path path) {
        Path at = path;
        while (!Files.exists(at) && at.getParent() != null) {
            at = at.getParent();
        }
        return at;
    }

    private static StorageException byAsking(Path at, String operation, String path, IOException e) {
        try {
            java.nio.file.FileStore fileSystem = Files.getFileStore(at);
            if (fileSystem.isReadOnly()) {
                return new StorageReadOnlyException(operation, path, e);
            }
            if (fileSystem.getUsableSpace() < NEXT_TO_NOTHING) {
                return new StorageFullException(operation, path, e);
            }
        } catch (IOException unanswered) {
            e.addSuppressed(unanswered);
        }
        return new StorageException(operation, path, reason(e), e);
    }
}
