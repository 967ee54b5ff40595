package io.reprise.runtime.file;

/**
 * The system could not say that what was written is on stable storage. Fatal: it has forgotten which pages it could
 * not write, so that another force would succeed without them.
 */
public final class ForceFailedException extends StorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public ForceFailedException(String operation, String path, String reason, Throwable cause) {
        super(operation, path, reason + "; what was written since the last force may be lost", cause);
    }
}
