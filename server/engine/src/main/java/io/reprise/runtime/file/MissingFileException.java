package io.reprise.runtime.file;

/** There is no file or directory of that name. */
public final class MissingFileException extends StorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public MissingFileException(String operation, String path, Throwable cause) {
        super(operation, path, "it does not exist", cause);
    }
}
