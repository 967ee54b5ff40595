package io.reprise.runtime.file;

/**
 * A failure that passes when an operator mends its cause, and that loses nothing that was written before: the operation can
 * be tried again.
 */
public abstract sealed class TransientStorageException extends StorageException
        permits StorageFullException, StorageReadOnlyException, TooManyOpenFilesException {
    private static final long serialVersionUID = 1L;

    TransientStorageException(String operation, String path, String reason, Throwable cause) {
        super(operation, path, reason, cause);
    }
}
