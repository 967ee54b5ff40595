package io.reprise.storage.index;

/** Point access by the whole key. Owned by the partition's thread. */
public final class HashIndex {
    public KeyLayout layout() {
        throw new UnsupportedOperationException();
    }

    /** The row with this key (unique indexes), or 0. */
    public long find(IndexKey key) {
        throw new UnsupportedOperationException();
    }

    /** The same for a key that is exactly one word. */
    public long find(long word) {
        throw new UnsupportedOperationException();
    }

    /** Starts iterating over the rows with this key (any index), in the order of their row ids. */
    public void open(IndexKey key, IndexCursor cursor) {
        throw new UnsupportedOperationException();
    }
}
