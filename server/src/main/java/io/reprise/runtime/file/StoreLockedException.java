package io.reprise.runtime.file;

/** Another process, or another store in this one, uses the data directory. */
public final class StoreLockedException extends StorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public StoreLockedException(String operation, String path, String holder, Throwable cause) {
        super(operation, path, "in use by " + holder + "; stop it, or choose another directory", cause);
    }
}
