package io.reprise.storage.index;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.util.Arrays;

/**
 * The normal form of an index key: a few 64-bit words whose unsigned, lexicographic order is the key's order (ordered
 * index), or whose equality is implied by the key's equality (hash index).
 *
 * <p>Columns are packed from the most significant bit downwards, in key order. A column that does not fit into the
 * rest of a word begins the next one; the rest of the word is zero. A nullable column is preceded by 8 bits: 0 for
 * NULL (and then a zero value), 1 otherwise, so NULL sorts first. The packed form of a value:
 *
 * <ul>
 * <li>BOOLEAN 8 bits; TINYINT 8, SMALLINT 16, INTEGER and DATE 32, BIGINT, DECIMAL and TIMESTAMP 64 bits, with the
 * sign bit inverted;
 * <li>DOUBLE 64 bits: bits with the sign bit inverted if positive, all bits inverted if negative (-0.0 as 0.0);
 * <li>string in an ordered index: starts a new word; its first 16 bytes, big endian, zero padded (2 words); inexact;
 * <li>string in a hash index: starts a new word; the 64-bit hash of its bytes (1 word); inexact.
 * </ul>
 *
 * <p>Example: PRIMARY KEY (w SMALLINT, d TINYINT, o INTEGER, n TINYINT) is exactly one word.
 *
 * <p>The 8 bits of a null flag go to the layout's cursor: into the word before, if the value itself begins a new one.
 */
public final class KeyLayout {
    private static final int WORD_BITS = 64;
    private static final int NULL_FLAG_BITS = 8;
    private static final int PREFIX_BYTES = 16;

    private final RowLayout row;
    private final boolean hash;
    private final int columns;
    private final int words;
    private final boolean inexact;
    private final int[] column;
    private final int[] word;
    private final int[] shift;
    private final int[] bits;
    private final int[] nullWord;
    private final int[] nullShift;
    private final boolean[] string;
    private final boolean[] isDouble;
    private final boolean simple;
    private final int lastOffset;

    /** The offset of the key's bytes in the row if they are one number there already, or -1. */
    private final int packedOffset;

    private final int packedShift;
    private final long packedSigns;

    private KeyLayout(Table table, RowLayout row, Index index) {
        this.row = row;
        hash = index.kind() == Index.Kind.HASH;
        columns = index.columns().size();
        column = index.columns().stream().mapToInt(Integer::intValue).toArray();
        word = new int[columns];
        shift = new int[columns];
        bits = new int[columns];
        nullWord = new int[columns];
        nullShift = new int[columns];
        string = new boolean[columns];
        isDouble = new boolean[columns];
        int at = 0;
        boolean plain = true;
        for (int i = 0; i < columns; i++) {
            Column keyColumn = table.columns().get(column[i]);
            SqlType.Kind kind = keyColumn.type().kind();
            string[i] = kind.isString();
            isDouble[i] = kind == SqlType.Kind.DOUBLE;
            bits[i] = !string[i] ? kind.width() * 8 : hash ? WORD_BITS : PREFIX_BYTES * 8;
            nullWord[i] = -1;
            if (keyColumn.nullable()) {
                nullWord[i] = at / WORD_BITS;
                nullShift[i] = WORD_BITS - at % WORD_BITS - NULL_FLAG_BITS;
                at += NULL_FLAG_BITS;
            }
            if (string[i] || at % WORD_BITS + bits[i] > WORD_BITS) {
                at = (at + WORD_BITS - 1) / WORD_BITS * WORD_BITS;
            }
            word[i] = at / WORD_BITS;
            shift[i] = string[i] ? 0 : WORD_BITS - at % WORD_BITS - bits[i];
            at += bits[i];
            plain &= !string[i] && !isDouble[i] && !keyColumn.nullable();
        }
        words = (at + WORD_BITS - 1) / WORD_BITS;
        boolean anyString = false;
        for (boolean isString : string) {
            anyString |= isString;
        }
        inexact = anyString;
        simple = plain;
        lastOffset = Arrays.stream(column).map(row::offset).max().orElse(0);
        packedOffset = plain && words == 1 && liesPacked() ? row.offset(column[columns - 1]) : -1;
        packedShift = WORD_BITS - at;
        packedSigns = signs();
    }

    /** Whether each column of the key lies right behind the next one. */
    private boolean liesPacked() {
        for (int i = 1; i < columns; i++) {
            if (row.offset(column[i - 1]) != row.offset(column[i]) + row.width(column[i])) {
                return false;
            }
        }
        return true;
    }

    private long signs() {
        long mask = 0;
        for (int i = 0; i < columns; i++) {
            mask |= word[i] == 0 && !string[i] ? 1L << (shift[i] + bits[i] - 1) : 0;
        }
        return mask;
    }

    /** The layout of an index's keys. */
    public static KeyLayout of(Table table, RowLayout row, Index index) {
        return new KeyLayout(table, row, index);
    }

    /** The number of words of a key. */
    public int words() {
        return words;
    }

    /** The number of columns of a key. */
    public int columns() {
        return columns;
    }

    /** Whether equal words do not prove equal keys (a string is among the columns). */
    public boolean inexact() {
        return inexact;
    }

    /** The position in the table of the i-th key column. */
    public int column(int keyColumn) {
        return column[keyColumn];
    }

    /** The offset in a row of the key column that lies furthest behind. */
    int lastOffset() {
        return lastOffset;
    }

    /** Whether the key column is a string. */
    public boolean isString(int keyColumn) {
        return string[keyColumn];
    }

    /** Whether a key column can be NULL. */
    public boolean nullable() {
        for (int flagWord : nullWord) {
            if (flagWord >= 0) {
                return true;
            }
        }
        return false;
    }

    /** The word that holds the (beginning of the) column's value. */
    public int word(int keyColumn) {
        return word[keyColumn];
    }

    /** The value's lowest bit in that word; 0 for strings and 64-bit values. */
    public int shift(int keyColumn) {
        return shift[keyColumn];
    }

    /** The value's bits: 8, 16, 32 or 64; 128 for a string in an ordered index. */
    public int bits(int keyColumn) {
        return bits[keyColumn];
    }

    /** The word that holds the column's null flag, or -1 when the column is NOT NULL. */
    public int nullWord(int keyColumn) {
        return nullWord[keyColumn];
    }

    /** The null flag's lowest bit in that word. */
    public int nullShift(int keyColumn) {
        return nullShift[keyColumn];
    }

    /** The last word of the first {@code prefix} columns of a key. */
    int prefixWord(int prefix) {
        int last = prefix - 1;
        return word[last] + bits[last] / (WORD_BITS + 1);
    }

    /** The bits of {@link #prefixWord} that belong to the first {@code prefix} columns. */
    long prefixMask(int prefix) {
        return -1L << shift[prefix - 1];
    }

    /** Reads the key of a row (or of a row's before-image). */
    public void encode(Memory memory, long rowAddress, IndexKey into) {
        if (words == 1 && !inexact) {
            into.words[0] = encodeWord(memory, rowAddress);
            return;
        }
        long[] key = into.words;
        Arrays.fill(key, 0);
        for (int i = 0; i < columns; i++) {
            if (nullWord[i] >= 0) {
                if (row.isNull(memory, rowAddress, column[i])) {
                    into.refs[i] = 0;
                    continue;
                }
                key[nullWord[i]] |= 1L << nullShift[i];
            }
            if (string[i]) {
                putStringWords(memory, into, i, row.readString(memory, rowAddress, column[i]));
            } else {
                key[word[i]] |= normalise(i, row.readWord(memory, rowAddress, column[i]));
            }
        }
    }

    /** Reads the key of a row where it is exactly one word. */
    public long encodeWord(Memory memory, long rowAddress) {
        if (packedOffset >= 0) {
            return memory.getLong(rowAddress + packedOffset) << packedShift ^ packedSigns;
        }
        long key = 0;
        if (simple) {
            for (int i = 0; i < columns; i++) {
                key |= packed(row.readWord(memory, rowAddress, column[i]), bits[i]) << shift[i];
            }
            return key;
        }
        for (int i = 0; i < columns; i++) {
            if (nullWord[i] >= 0) {
                if (row.isNull(memory, rowAddress, column[i])) {
                    continue;
                }
                key |= 1L << nullShift[i];
            }
            key |= normalise(i, row.readWord(memory, rowAddress, column[i]));
        }
        return key;
    }

    private long normalise(int keyColumn, long value) {
        if (isDouble[keyColumn]) {
            return ofDouble(value);
        }
        return packed(value, bits[keyColumn]) << shift[keyColumn];
    }

    /** The packed form of a whole number: inverts the sign bit and cuts off what lies above it. */
    public static long packed(long value, int bits) {
        return (value ^ 1L << (bits - 1)) & -1L >>> (WORD_BITS - bits);
    }

    /** The packed form of a DOUBLE, given as its bits. */
    public static long ofDouble(long doubleBits) {
        if (doubleBits == Long.MIN_VALUE) {
            return Long.MIN_VALUE;
        }
        return doubleBits ^ (doubleBits >> 63 | Long.MIN_VALUE);
    }

    private void putStringWords(Memory memory, IndexKey key, int keyColumn, long ref) {
        long address = Ref.address(ref);
        int length = Ref.length(ref);
        key.refs[keyColumn] = ref;
        int at = word[keyColumn];
        if (hash) {
            key.words[at] = memory.hash(address, length);
            return;
        }
        key.words[at] = bigEndian(memory, address, length);
        key.words[at + 1] = bigEndian(memory, address + 8, length - 8);
    }

    /** Up to 8 bytes as a number whose unsigned order is theirs. */
    private static long bigEndian(Memory memory, long address, int length) {
        if (length >= 8) {
            return Long.reverseBytes(memory.getLong(address));
        }
        long value = 0;
        for (int i = 0; i < length; i++) {
            value |= (memory.getByte(address + i) & 0xFFL) << (56 - 8 * i);
        }
        return value;
    }

    /** Whether all columns of a key are whole numbers, and never NULL. */
    public boolean isOfIntegers() {
        return simple;
    }

    /** Whether a key is one column, an integer of some width, and never NULL. */
    boolean isOneNumber() {
        return columns == 1 && simple;
    }

    /** The only word of a key that is one number: the packed column, as there is nothing above it. */
    long ofNumber(long value) {
        return value << packedShift ^ packedSigns;
    }

    /** Clears a key, so that its columns can be put one by one. */
    public void clear(IndexKey key) {
        Arrays.fill(key.words, 0);
    }

    /** Puts a value that is not a string; DOUBLE as its bits. The value must be within the column type's range. */
    public void put(IndexKey key, int keyColumn, long value) {
        if (nullWord[keyColumn] >= 0) {
            key.words[nullWord[keyColumn]] |= 1L << nullShift[keyColumn];
        }
        key.words[word[keyColumn]] |= normalise(keyColumn, value);
    }

    /** The value of a column that is not a string in a key's words; DOUBLE as its bits. The opposite of {@link #put}. */
    public long value(IndexKey key, int keyColumn) {
        long packed = key.words[word[keyColumn]] << (WORD_BITS - bits[keyColumn] - shift[keyColumn]);
        if (isDouble[keyColumn]) {
            return packed < 0 ? packed ^ Long.MIN_VALUE : ~packed;
        }
        return (packed ^ Long.MIN_VALUE) >> (WORD_BITS - bits[keyColumn]);
    }

    /** Puts a string. */
    public void putString(Memory memory, IndexKey key, int keyColumn, long ref) {
        if (nullWord[keyColumn] >= 0) {
            key.words[nullWord[keyColumn]] |= 1L << nullShift[keyColumn];
        }
        putStringWords(memory, key, keyColumn, ref);
    }

    /** Puts NULL. */
    public void putNull(IndexKey key, int keyColumn) {
        key.refs[keyColumn] = 0;
    }

    /** Whether a column of the key is NULL. */
    public boolean hasNull(IndexKey key) {
        for (int i = 0; i < columns; i++) {
            if (nullWord[i] >= 0 && (key.words[nullWord[i]] >>> nullShift[i] & 1) == 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether the row has this key. */
    boolean matches(Memory memory, long rowAddress, IndexKey key) {
        for (int i = 0; i < columns; i++) {
            boolean keyIsNull = nullWord[i] >= 0 && (key.words[nullWord[i]] >>> nullShift[i] & 1) == 0;
            if (nullWord[i] >= 0 && keyIsNull != row.isNull(memory, rowAddress, column[i])) {
                return false;
            }
            if (keyIsNull) {
                continue;
            }
            if (string[i]) {
                if (compareString(memory, rowAddress, key, i) != 0) {
                    return false;
                }
            } else {
                long mask = -1L >>> (WORD_BITS - bits[i]) << shift[i];
                if (((normalise(i, row.readWord(memory, rowAddress, column[i])) ^ key.words[word[i]]) & mask) != 0) {
                    return false;
                }
            }
        }
        return true;
    }

    /** Compares a string column of a row with that of a key; NULL counts as empty here, the words tell them apart. */
    int compareString(Memory memory, long rowAddress, IndexKey key, int keyColumn) {
        long a = row.isNull(memory, rowAddress, column[keyColumn])
                ? 0
                : row.readString(memory, rowAddress, column[keyColumn]);
        long b = key.refs[keyColumn];
        return memory.compare(Ref.address(a), Ref.length(a), Ref.address(b), Ref.length(b));
    }
}
