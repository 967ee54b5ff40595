package io.reprise.engine;

import io.reprise.runtime.file.FileStore;

/** Closures over the log of a simulated disk, for tests in other packages. */
public final class ClosuresOfFiles {
    private ClosuresOfFiles() {}

    /** The closures of the disk's log. */
    public static LogClosure of(FileStore disk) {
        return new LogClosure(DataDirectory.of(disk));
    }
}
