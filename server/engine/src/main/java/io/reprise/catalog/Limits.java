package io.reprise.catalog;

/** The limits of a schema. */
public final class Limits {
    /** Columns of a table. */
    public static final int COLUMNS = 1024;

    /** Indexes of a table: an update names the indexes that it touches by the bits of a long. */
    public static final int INDEXES = 63;

    /** Columns of an index. */
    public static final int KEY_COLUMNS = 32;

    /** Characters of a name. */
    public static final int NAME_LENGTH = 128;

    /** Characters of a VARCHAR: each may take 4 bytes. */
    public static final int VARCHAR_CHARACTERS = SqlType.MAX_STRING_BYTES / 4;

    private Limits() {}
}
