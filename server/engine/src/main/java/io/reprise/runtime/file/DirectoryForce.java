package io.reprise.runtime.file;

/**
 * Forces a directory in which several threads change names. When one force has failed, all later ones do: the system may
 * have dropped changes of other threads with those that it could not write, and would tell these that all is well. Any
 * thread; one at a time, so that none that is under way meanwhile says that it has succeeded.
 */
public final class DirectoryForce {
    private final FileStore store;
    private final String directory;

    /** Guarded by this; null as long as none has failed. */
    private ForceFailedException failed;

    /** Forces the directory of that path. */
    public DirectoryForce(FileStore store, String directory) {
        this.store = store;
        this.directory = directory;
    }

    /** Returns when all changes of names in the directory are on stable storage. */
    public synchronized void force() {
        if (failed != null) {
            throw new ForceFailedException(
                    "force a directory", directory, "it has failed before: " + failed.getMessage(), failed);
        }
        try {
            store.forceDirectory(directory);
        } catch (ForceFailedException e) {
            failed = e;
            throw e;
        }
    }
}
