package io.reprise.simulation;

/** The kinds of calls to a simulated disk that can be made to fail. */
public enum FileCall {
    CREATE,
    OPEN,
    READ,
    WRITE,
    PREALLOCATE,
    TRUNCATE,
    FORCE,
    RENAME,
    DELETE,
    LIST,
    CREATE_DIRECTORY,
    FORCE_DIRECTORY,
    LOCK,
    LOCK_FOLDER,
    EXISTS,
    SIZE,
    USABLE_BYTES;

    /** Whether it needs a file or directory to be opened. */
    boolean opens() {
        return switch (this) {
            case CREATE, OPEN, LIST, FORCE_DIRECTORY, LOCK -> true;
            default -> false;
        };
    }

    /** Whether it changes anything, so that a read-only file system refuses it. */
    boolean changes() {
        return switch (this) {
            case CREATE, WRITE, PREALLOCATE, TRUNCATE, RENAME, DELETE, CREATE_DIRECTORY -> true;
            default -> false;
        };
    }

    /**
     * Tells whether a disk that is full or read-only may refuse it; also a force, because some file systems find room
     * only then.
     */
    boolean maybeRefused() {
        return changes() || this == FORCE || this == FORCE_DIRECTORY || this == LOCK || this == LOCK_FOLDER;
    }
}
