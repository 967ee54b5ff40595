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
    FORCE_DIRECTORY;

    /** Whether it needs a file or directory to be opened. */
    boolean opens() {
        return switch (this) {
            case CREATE, OPEN, LIST, FORCE_DIRECTORY -> true;
            default -> false;
        };
    }

    /** Whether it changes anything, so that a read-only file system refuses it. */
    boolean changes() {
        return switch (this) {
            case OPEN, READ, LIST, FORCE, FORCE_DIRECTORY -> false;
            default -> true;
        };
    }
}
