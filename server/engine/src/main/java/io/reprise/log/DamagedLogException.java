package io.reprise.log;

/**
 * The log can't be read where it must be readable: acknowledged transactions are damaged or missing. Nothing may be
 * recovered past this place, and nothing was changed.
 */
public final class DamagedLogException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private final String file;
    private final long offset;

    DamagedLogException(String file, long offset, String what) {
        super("The log is damaged in " + file + " at offset " + offset + ": " + what
                + ". It holds acknowledged transactions there, so it is not cut off. Put an undamaged copy of the file in"
                + " its place, or restore the database from a backup. Nothing has been changed.");
        this.file = file;
        this.offset = offset;
    }

    /** The file, relative to the data directory. */
    public String file() {
        return file;
    }

    /** The offset in the file, in bytes. */
    public long offset() {
        return offset;
    }
}
