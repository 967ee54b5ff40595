package io.reprise.storage.image;

import io.reprise.catalog.Index;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.TableStore;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import io.reprise.storage.index.OrderedIndex;

/** Finds rows by the image of their primary key. The bytes must lie in the partition's own memory. */
public final class KeyFinder {
    private final RowImageCodec codec;
    private final KeyLayout layout;
    private final IndexKey key;
    private final boolean byWord;
    private final boolean[] string;

    /** The primary key's index is one of these two. */
    private final HashIndex hash;

    private final OrderedIndex ordered;

    /** For a table with a primary key. */
    public KeyFinder(RowImageCodec codec) {
        this.codec = codec;
        TableStore table = codec.store();
        Index index = table.table().primaryKey().orElseThrow();
        hash = table.hashIndex(index.position());
        ordered = table.orderedIndex(index.position());
        layout = table.rowIndex(index.position()).layout();
        key = new IndexKey(layout);
        byWord = hash != null ? hash.findsByWord() : ordered.findsByWord();
        string = new boolean[layout.columns()];
        for (int i = 0; i < string.length; i++) {
            string[i] = layout.isString(i);
        }
    }

    /** The layout of the key's words. */
    public KeyLayout layout() {
        return layout;
    }

    /**
     * Finds the row whose key has these words, which are in any memory; only if words are exact. Returns its address,
     * or 0.
     *
     * @param candidate the present or recent address of a row that has the hash of this key; or 0
     */
    public long find(Memory source, long words, long candidate) {
        if (byWord) {
            long word = source.getLong(words);
            if (hash == null) {
                return ordered.find(word);
            }
            return candidate != 0 && hash.holds(candidate, word) ? candidate : hash.find(word);
        }
        for (int i = 0; i < key.words.length; i++) {
            key.words[i] = source.getLong(words + (long) i * Long.BYTES);
        }
        if (hash == null) {
            return ordered.find(key);
        }
        return candidate != 0 && hash.holds(candidate, key) ? candidate : hash.find(key);
    }

    /** Reads a key and finds the row that has it: its address, or 0. */
    public long find(ImageCursor in) {
        layout.clear(key);
        for (int i = 0; i < string.length; i++) {
            long value = codec.readValue(codec.keyColumn(i), in);
            if (string[i]) {
                layout.putString(in.memory(), key, i, value);
            } else {
                layout.put(key, i, value);
            }
        }
        if (hash != null) {
            return byWord ? hash.find(key.words[0]) : hash.find(key);
        }
        return byWord ? ordered.find(key.words[0]) : ordered.find(key);
    }
}
