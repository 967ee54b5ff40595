package io.reprise.runtime.file;

/**
 * A file operation failed: with this class for an I/O error that has no meaning of its own, with a subclass where the
 * caller can do something about it. The message names the operation, the path, and what to do if that is known.
 */
public class StorageException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String path;

    /** A failure of the given operation (as in "can't <em>write 512 bytes at 0</em>") on a file or directory. */
    public StorageException(String operation, String path, String reason, Throwable cause) {
        super("can't " + operation + " (" + (path.isEmpty() ? "the data directory" : path) + "): " + reason, cause);
        this.path = path;
    }

    /** The file or directory, relative to the data directory. */
    public final String path() {
        return path;
    }
}
