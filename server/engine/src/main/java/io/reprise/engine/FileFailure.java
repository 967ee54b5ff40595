package io.reprise.engine;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/**
 * Messages about files that could not be used: the names of exceptions say nothing to a person who has typed a
 * command.
 */
public final class FileFailure {
    private FileFailure() {}

    /** In words. */
    public static String text(IOException failure) {
        return switch (failure) {
            case NoSuchFileException e -> "there is no file or folder " + e.getFile();
            case FileAlreadyExistsException e
            when e.getReason() != null -> e.getFile() + " exists already; " + e.getReason() + ", or name another file";
            case FileAlreadyExistsException e -> e.getFile() + " exists already; name another file";
            case AccessDeniedException e -> "this user may not use " + e.getFile();
            // It begins with the file.
            case FileSystemException e -> e.getMessage();
            // Of these some consist of their name, and others have a word that means nothing without it.
            default ->
                failure.getClass() == IOException.class && failure.getMessage() != null
                        ? failure.getMessage()
                        : failure.toString();
        };
    }

    public static String text(UncheckedIOException failure) {
        IOException cause = failure.getCause();
        String message = failure.getMessage();
        boolean ownWords = message != null && !message.equals(cause.toString());
        return ownWords ? message + ": " + text(cause) : text(cause);
    }
}
