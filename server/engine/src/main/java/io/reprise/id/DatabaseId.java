package io.reprise.id;

/**
 * Names a database: 128 random bits, the same in all its files, so that a file of another database is not taken for its
 * own. Only what opens or checks files has to do with it, so it may be an object.
 */
public record DatabaseId(long high, long low) {
    /** Never the id of a database: unwritten bytes read as zeros. */
    public static final DatabaseId NONE = new DatabaseId(0, 0);

    /** 32 hexadecimal digits. */
    @Override
    public String toString() {
        return String.format("%016x%016x", high, low);
    }
}
