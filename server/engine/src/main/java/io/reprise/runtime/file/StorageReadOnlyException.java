package io.reprise.runtime.file;

/** The file system is mounted read-only: by an administrator, or by the system after it met an error. */
public final class StorageReadOnlyException extends TransientStorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public StorageReadOnlyException(String operation, String path, Throwable cause) {
        super(
                operation,
                path,
                "the file system is read-only; look into the system log for disk errors before you remount it",
                cause);
    }
}
