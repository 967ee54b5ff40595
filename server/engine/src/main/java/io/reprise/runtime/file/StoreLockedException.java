package io.reprise.runtime.file;

/** Another process, or another store in this one, uses the data directory. */
public final class StoreLockedException extends StorageException {
    private static final long serialVersionUID = 1L;

    /** A failure of the given operation on a file or directory. */
    public StoreLockedException(String operation, String path, String holder, Throwable cause) {
        super(operation, path, "in use by " + holder + "; stop it, or choose another directory", cause);
    }

    private StoreLockedException(String operation, String path, String reason) {
        super(operation, path, reason, null);
    }

    /**
     * Another data directory has the same folder.
     *
     * @param named the folder's place in the rejected directory
     * @param folder its real place
     */
    static StoreLockedException ofFolder(String named, String folder, String holder) {
        String shared = named.equals(folder) ? "" : "it leads to " + folder + ", which is ";
        return new StoreLockedException(
                "lock the folder",
                named,
                shared + "in use by " + holder
                        + ", which has it in another data directory: perhaps this one is a copy of that in"
                        + " which the link was copied and not the files. Two nodes can't have one folder: stop the other one, or"
                        + " give this data directory a folder of its own, for instance by restoring a backup into a new"
                        + " directory");
    }
}
