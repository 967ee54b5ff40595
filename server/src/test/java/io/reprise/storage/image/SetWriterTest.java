package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What generated code finds and writes of changed columns is what is found and written column by column. */
class SetWriterTest {
    private static final int ROWS = 100;

    @Test
    void shouldFindTheSameChangesByGeneratedCodeAndColumnByColumn() {
        Seeds.forEach(60, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            Table table = tables.table(1, "T", false);
            try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
                TableStore rows = store.createTable(table);
                RowAccess access = new RowAccess(store, rows);
                RowImageCodec codec = new RowImageCodec(store, rows);
                for (int i = 0; i < ROWS; i++) {
                    store.begin(i + 1);
                    List<Object> values = tables.row(table);
                    int from = from(table, rows.layout(), random);
                    int to = to(table, rows.layout(), random);
                    boolean nullBits = from <= RowLayout.HEADER;
                    List<Object> changed = changed(table, values, nullBits, tables, random);
                    long row = place(rows, access, values);
                    long image = place(rows, access, changed);
                    long[] expected = new long[codec.sets().words()];
                    long[] found = new long[codec.sets().words()];

                    codec.changes().addOneByOne(expected, row, image, from, to);
                    codec.changes().addTo(found, store.memory(), row, image, from, to);

                    assertThat(found).isEqualTo(expected);
                    if (from == 0 && to == rows.layout().size()) {
                        assertThat(found).isEqualTo(differences(values, changed, found.length));
                    }
                    rows.abandon(row);
                    rows.abandon(image);
                    store.rollback();
                }
                store.verify();
            }
        });
    }

    private static long place(TableStore rows, RowAccess access, List<Object> values) {
        long row = rows.allocate();
        for (int column = 0; column < values.size(); column++) {
            access.write(row, column, values.get(column));
        }
        return row;
    }

    /** All of the row, from the null bits on, or from some column on. */
    private static int from(Table table, RowLayout layout, Random random) {
        return switch (random.nextInt(3)) {
            case 0 -> 0;
            case 1 -> RowLayout.HEADER;
            default -> layout.offset(random.nextInt(table.columns().size()));
        };
    }

    private static int to(Table table, RowLayout layout, Random random) {
        if (random.nextBoolean()) {
            return layout.size();
        }
        int last = random.nextInt(table.columns().size());
        return layout.offset(last) + layout.width(last);
    }

    /** Who saves a column that can be NULL saves its null bit: without those, only the others change. */
    private static List<Object> changed(
            Table table, List<Object> values, boolean nullBits, RandomTables tables, Random random) {
        List<Object> changed = new ArrayList<>();
        for (Column column : table.columns()) {
            boolean changes = (nullBits || !column.nullable()) && random.nextInt(3) == 0;
            changed.add(changes ? tables.value(column) : values.get(column.position()));
        }
        return changed;
    }

    private static long[] differences(List<Object> values, List<Object> others, int words) {
        long[] set = new long[words];
        for (int column = 0; column < values.size(); column++) {
            boolean same = values.get(column) == null
                    ? others.get(column) == null
                    : values.get(column).equals(others.get(column));
            set[column >> 6] |= same ? 0 : 1L << column;
        }
        return set;
    }

    @Test
    void shouldWriteTheSameBytesOfSomeColumnsByGeneratedCodeAndColumnByColumn() {
        Seeds.forEach(60, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            Table table = tables.table(1, "T", false);
            try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
                TableStore rows = store.createTable(table);
                RowAccess access = new RowAccess(store, rows);
                RowImageCodec codec = new RowImageCodec(store, rows);
                Memory memory = store.memory();
                for (int i = 0; i < ROWS; i++) {
                    store.begin(i + 1);
                    long row = place(rows, access, tables.row(table));
                    long[] set = new long[codec.sets().words()];
                    int share = 1 + random.nextInt(5);
                    for (int column = 0; column < codec.columnCount(); column++) {
                        set[column >> 6] |= random.nextInt(share) == 0 ? 1L << column : 0;
                    }
                    int bound = (int) codec.bounds().ofRow(row);
                    long expected = dirty(store, bound, random);
                    long written = dirty(store, bound, random);

                    long length = codec.writeColumnsOneByOne(row, set, memory, expected) - expected;

                    assertThat(codec.writeColumns(row, set, memory, written) - written)
                            .isEqualTo(length);
                    assertThat(memory.sameBytes(expected, written, (int) length))
                            .isTrue();
                    rows.abandon(row);
                    store.rollback();
                }
                store.verify();
            }
        });
    }

    private static long dirty(PartitionStore store, int bytes, Random random) {
        long at = store.scratch(bytes);
        for (int i = 0; i < bytes; i++) {
            store.memory().putByte(at + i, (byte) random.nextInt());
        }
        return at;
    }
}
