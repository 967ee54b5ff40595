package io.reprise.footprint;

import java.util.Arrays;

/**
 * The rows of a transaction, made from its raw words: accesses to one row are united, and rows of one access stand together. Groups are in the
 * order of table, flags, pieces read and pieces written; rows rise within a group. Reused; owned by the footprint agent.
 *
 * <p>Each united access has a number for good, and numbers have ranks, so rows are grouped by counting. A new access costs much more than a
 * known one.
 */
final class UnitedRows {
    private static final int FEW = 64;

    /** With more accesses, numbers begin anew. */
    private static final int MOST_ACCESSES = 1 << 12;

    private static final int UNIONS = 1 << 8;
    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private AccessNumbers accesses = new AccessNumbers();

    /** The chunk's accesses, and the numbers here plus one of those that were seen. */
    private AccessTable told = AccessTable.EMPTY;

    private int[] numbers = new int[FEW];

    /** By number, its rank; by rank, its number. */
    private int[] ranks = new int[FEW];

    private int[] ranked = new int[FEW];

    /** A cache of unions: two numbers, and the number of their union. */
    private final long[] unionKeys = new long[UNIONS];

    private final int[] unions = new int[UNIONS];

    /** The transaction's rows, each once: row id, table, number. */
    private long[] rows = new long[FEW];

    private int[] tables = new int[FEW];
    private int[] rowAccesses = new int[FEW];
    private int size;

    /** Open addressing over the rows: a row's place plus {@link #base}. Lower values are from former transactions. */
    private int[] slots = new int[4 * FEW];

    private int base = 1;

    /** By rank, the rows of a group; then the place of its next row. 0 outside of {@link #unite}. */
    private int[] places = new int[FEW];

    private int[] groups = new int[FEW];
    private int[] ends = new int[FEW];
    private int groupCount;
    private long[] grouped = new long[FEW];

    /** Before the transactions of a chunk: its accesses. */
    void begin(AccessTable of) {
        boolean many = accesses.accesses().size() > MOST_ACCESSES;
        if (of == told && !many) {
            return;
        }
        if (many) {
            accesses = new AccessNumbers();
            Arrays.fill(unionKeys, 0);
        }
        told = of;
        if (of.size() > numbers.length) {
            numbers = new int[2 * of.size()];
        } else {
            Arrays.fill(numbers, 0, of.size(), 0);
        }
    }

    /** Takes the words of a transaction. */
    void unite(long[] words, int from, int to) {
        clear();
        for (int at = from; at < to; at += FootprintWords.length(words[at])) {
            add(translated(FootprintWords.number(words[at])), FootprintWords.row(words, at));
        }
        group();
    }

    private int translated(int access) {
        if (numbers[access] == 0) {
            numbers[access] =
                    number(told.table(access), told.flags(access), told.read(access), told.written(access)) + 1;
        }
        return numbers[access] - 1;
    }

    private void clear() {
        if (base > Integer.MAX_VALUE / 2) {
            Arrays.fill(slots, 0);
            base = 1;
        } else {
            base += size;
        }
        size = 0;
    }

    private void add(int access, long row) {
        int table = accesses.accesses().table(access);
        int slot = slot(table, row);
        int place = slots[slot] - base;
        if (place >= 0) {
            rowAccesses[place] = union(rowAccesses[place], access);
            return;
        }
        if (size == rows.length) {
            grow();
            slot = slot(table, row);
        }
        rows[size] = row;
        tables[size] = table;
        rowAccesses[size] = access;
        slots[slot] = base + size++;
    }

    private int slot(int table, long row) {
        int mask = slots.length - 1;
        int slot = (int) ((row + table * GOLDEN) * GOLDEN >>> 40) & mask;
        for (int place = slots[slot] - base;
                place >= 0 && !(rows[place] == row && tables[place] == table);
                place = slots[slot] - base) {
            slot = slot + 1 & mask;
        }
        return slot;
    }

    private void grow() {
        int more = 2 * size;
        rows = Arrays.copyOf(rows, more);
        tables = Arrays.copyOf(tables, more);
        rowAccesses = Arrays.copyOf(rowAccesses, more);
        grouped = new long[more];
        slots = new int[4 * more];
        base = 1;
        for (int i = 0; i < size; i++) {
            slots[slot(tables[i], rows[i])] = base + i;
        }
    }

    private int union(int a, int b) {
        if (a == b) {
            return a;
        }
        // No key is 0, as the numbers differ.
        long key = (long) Math.min(a, b) << Integer.SIZE | Math.max(a, b);
        int slot = (int) (key * GOLDEN >>> 40) & UNIONS - 1;
        if (unionKeys[slot] != key) {
            AccessTable of = accesses.accesses();
            unions[slot] = number(
                    of.table(a), of.flags(a) | of.flags(b), of.read(a) | of.read(b), of.written(a) | of.written(b));
            unionKeys[slot] = key;
        }
        return unions[slot];
    }

    private int number(int table, int flags, long read, long written) {
        int before = accesses.accesses().size();
        int number = accesses.number(table, flags, read, written);
        if (number == before) {
            rank(number);
        }
        return number;
    }

    /** Gives a new number its rank, and those behind it the next ones. */
    private void rank(int number) {
        if (number == ranks.length) {
            ranks = Arrays.copyOf(ranks, 2 * number);
            ranked = Arrays.copyOf(ranked, 2 * number);
            places = new int[2 * number];
            groups = new int[2 * number];
            ends = new int[2 * number];
        }
        int rank = number;
        for (; rank > 0 && accesses.accesses().compare(ranked[rank - 1], number) > 0; rank--) {
            ranked[rank] = ranked[rank - 1];
            ranks[ranked[rank]] = rank;
        }
        ranked[rank] = number;
        ranks[number] = rank;
    }

    private void group() {
        groupCount = 0;
        for (int i = 0; i < size; i++) {
            int rank = ranks[rowAccesses[i]];
            if (places[rank]++ == 0) {
                addGroup(rank);
            }
        }
        int end = 0;
        for (int i = 0; i < groupCount; i++) {
            int start = end;
            end += places[groups[i]];
            places[groups[i]] = start;
            ends[i] = end;
        }
        for (int i = 0; i < size; i++) {
            grouped[places[ranks[rowAccesses[i]]]++] = rows[i];
        }
        for (int i = 0; i < groupCount; i++) {
            places[groups[i]] = 0;
            sort(start(i), ends[i]);
        }
    }

    /** Groups are few, so a new one is put between them. */
    private void addGroup(int rank) {
        int at = groupCount++;
        for (; at > 0 && groups[at - 1] > rank; at--) {
            groups[at] = groups[at - 1];
        }
        groups[at] = rank;
    }

    private void sort(int from, int to) {
        for (int i = from + 1; i < to; i++) {
            if (grouped[i] < grouped[i - 1]) {
                Arrays.sort(grouped, from, to);
                return;
            }
        }
    }

    /** All united accesses so far, by number. */
    AccessTable accesses() {
        return accesses.accesses();
    }

    /** The number of groups. */
    int groups() {
        return groupCount;
    }

    /** The number of a group's access. */
    int access(int group) {
        return ranked[groups[group]];
    }

    /** The place of a group's first row. */
    int start(int group) {
        return group == 0 ? 0 : ends[group - 1];
    }

    /** The place behind a group's last row. */
    int end(int group) {
        return ends[group];
    }

    /** The id of the row at a place. */
    long row(int place) {
        return grouped[place];
    }
}
