package io.reprise.sql.compile;

/**
 * A stretch of generated code that may be skipped: a branch or a loop's body. A value computed inside one may be used
 * again only until the stretch ends.
 */
final class Region {
    private boolean open = true;

    boolean isOpen() {
        return open;
    }

    void close() {
        open = false;
    }
}
