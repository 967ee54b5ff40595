package io.reprise.runtime.file;

/**
 * The process, or the machine, has as many files and sockets open as it may. Nothing was opened or made; it can be tried again when some
 * are closed. Files that are open already are read, written and forced as before.
 */
public final class TooManyOpenFilesException extends TransientStorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public TooManyOpenFilesException(String operation, String path, Throwable cause) {
        super(
                operation,
                path,
                "too many open files and sockets; raise the limit (ulimit -n, LimitNOFILE), or allow fewer connections",
                cause);
    }
}
