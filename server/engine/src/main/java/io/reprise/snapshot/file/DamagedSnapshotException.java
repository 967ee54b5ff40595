package io.reprise.snapshot.file;

import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.StorageException;

/**
 * A snapshot is not what was written. Nothing of it is to be trusted, but an older snapshot, with the log from there on,
 * gives the same data.
 */
public final class DamagedSnapshotException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String path;
    private final long offset;

    /** Says what is wrong at which byte of a file. */
    public DamagedSnapshotException(String path, long offset, String what) {
        this(path, offset, what, null);
    }

    /** The same with what led to it. */
    public DamagedSnapshotException(String path, long offset, String what, Throwable cause) {
        super(
                "The snapshot file " + path + " is damaged at byte " + offset + ": " + what
                        + ". Recover from an older snapshot (with the log from that one on), or bring the file back from a"
                        + " copy; this snapshot can't be used as it is.",
                cause);
        this.path = path;
        this.offset = offset;
    }

    /** The disk doesn't give its bytes: the snapshot is as good as damaged, and an older one may be readable. */
    static DamagedSnapshotException unreadable(String path, long offset, StorageException e) {
        String what = e instanceof MissingFileException ? "the file is missing" : "it can't be read, " + e.getMessage();
        return new DamagedSnapshotException(path, offset, what, e);
    }

    /** The damaged file, relative to the data directory. */
    public String path() {
        return path;
    }

    /** The offset in the file. */
    public long offset() {
        return offset;
    }
}
