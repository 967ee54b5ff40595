package io.reprise.runtime.file;

/** There is a file or directory of that name already. */
public final class ExistingFileException extends StorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public ExistingFileException(String operation, String path, Throwable cause) {
        super(operation, path, "it exists already", cause);
    }
}
