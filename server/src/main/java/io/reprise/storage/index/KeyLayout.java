package io.reprise.storage.index;

import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;

/**
 * How an index key is normalised to a few 64-bit words whose unsigned, lexicographic order is the key's order (ordered
 * index), or whose equality is implied by the key's equality (hash index).
 *
 * <p>Columns are packed from the most significant bit downwards, in key order. A column that does not fit into what is
 * left of a word begins the next one; the rest of the word is zero. A nullable column is preceded by 8 bits: 0 for NULL
 * (and then a zero value), 1 otherwise, so NULL sorts first. The packed form of a value:
 *
 * <ul>
 *   <li>BOOLEAN 8 bits; TINYINT 8, SMALLINT 16, INTEGER and DATE 32, BIGINT, DECIMAL and TIMESTAMP 64 bits, with the sign
 *       bit inverted;
 *   <li>DOUBLE 64 bits: bits with the sign bit inverted if positive, all bits inverted if negative (-0.0 as 0.0);
 *   <li>string in an ordered index: starts a new word; its first 16 bytes, big endian, zero padded (2 words); inexact;
 *   <li>string in a hash index: starts a new word; the 64-bit hash of its bytes (1 word); inexact.
 * </ul>
 *
 * <p>Example: PRIMARY KEY (w SMALLINT, d TINYINT, o INTEGER, n TINYINT) is exactly one word.
 */
public final class KeyLayout {
    /** The layout of an index's keys. */
    public static KeyLayout of(Table table, RowLayout row, Index index) {
        throw new UnsupportedOperationException();
    }

    /** How many words a key has. */
    public int words() {
        throw new UnsupportedOperationException();
    }

    /** How many columns a key has. */
    public int columns() {
        throw new UnsupportedOperationException();
    }

    /** Whether equal words do not prove equal keys (a string is among the columns). */
    public boolean inexact() {
        throw new UnsupportedOperationException();
    }

    /** The word that holds the (beginning of the) column's value. */
    public int word(int keyColumn) {
        throw new UnsupportedOperationException();
    }

    /** The value's lowest bit in that word; 0 for strings and 64-bit values. */
    public int shift(int keyColumn) {
        throw new UnsupportedOperationException();
    }

    /** The value's bits: 8, 16, 32 or 64; 128 for a string in an ordered index. */
    public int bits(int keyColumn) {
        throw new UnsupportedOperationException();
    }

    /** The word that holds the column's null flag, or -1 when the column is NOT NULL. */
    public int nullWord(int keyColumn) {
        throw new UnsupportedOperationException();
    }

    /** The null flag's lowest bit in that word. */
    public int nullShift(int keyColumn) {
        throw new UnsupportedOperationException();
    }

    /** Reads the key of a row (or of a row's before-image). */
    public void encode(Memory memory, long row, IndexKey into) {
        throw new UnsupportedOperationException();
    }

    /** Clears a key, so that its columns can be put one by one. */
    public void clear(IndexKey key) {
        throw new UnsupportedOperationException();
    }

    /** Puts a value that is not a string; DOUBLE as its bits. The value must be within the column type's range. */
    public void put(IndexKey key, int keyColumn, long value) {
        throw new UnsupportedOperationException();
    }

    /** Puts a string. */
    public void putString(Memory memory, IndexKey key, int keyColumn, long ref) {
        throw new UnsupportedOperationException();
    }

    /** Puts NULL. */
    public void putNull(IndexKey key, int keyColumn) {
        throw new UnsupportedOperationException();
    }
}
