package io.reprise.catalog;

/**
 * A position in a statement's or script's text.
 *
 * @param line from 1
 * @param column from 1, counted in characters (code points)
 */
public record Position(int line, int column) {
    /** The beginning of a text. */
    public static final Position START = new Position(1, 1);

    /** As messages begin. */
    @Override
    public String toString() {
        return "line " + line + ", column " + column;
    }
}
