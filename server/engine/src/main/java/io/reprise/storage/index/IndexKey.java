package io.reprise.storage.index;

/**
 * A key to be looked up, as normalised words (see {@link KeyLayout}), plus the string values themselves where words hold
 * only a prefix or hash of them. Mutable and reused: one for each place in a plan that looks something up.
 */
public final class IndexKey {
    /** The normalised words; {@link KeyLayout#words} of them. */
    public final long[] words;

    /** For each key column, the {@code Ref} of its string, where it is one. */
    public final long[] refs;

    public IndexKey(KeyLayout layout) {
        words = new long[layout.words()];
        refs = new long[layout.columns()];
    }
}
