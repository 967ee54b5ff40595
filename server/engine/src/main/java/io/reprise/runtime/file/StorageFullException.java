package io.reprise.runtime.file;

/** The disk, or the quota, is used up. Reads still work, and so do writes over preallocated bytes. */
public final class StorageFullException extends TransientStorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public StorageFullException(String operation, String path, Throwable cause) {
        super(operation, path, "no space left; free some or enlarge the disk", cause);
    }
}
