package io.reprise.sql.compile.emit;

/**
 * A stretch of generated code that may be skipped: a branch or a loop's body. A value computed inside one may be used
 * again only until the stretch ends.
 */
public final class Region {
    private boolean open = true;

    public boolean isOpen() {
        return open;
    }

    public void close() {
        open = false;
    }
}
