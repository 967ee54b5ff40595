package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Column;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** What generated code finds and writes of changed columns is what is found and written column by column. */
class SetWriterTest {
    private static void forEachTransaction(Consumer<CodecRig> transaction) {
        CodecRig.forEachTransaction(60, random -> new RandomTables(random).table(1, "T", false), transaction);
    }

    @Test
    void shouldFindTheSameChangesByGeneratedCodeAndColumnByColumn() {
        forEachTransaction(rig -> {
            Table table = rig.table;
            Random random = rig.random;
            RowLayout layout = rig.rows.layout();
            List<Object> values = rig.tables.row(table);
            int from = from(table, layout, random);
            int to = to(table, layout, random);
            boolean nullBits = from <= RowLayout.HEADER;
            List<Object> changed = changed(table, values, nullBits, rig.tables, random);
            long row = rig.place(values);
            long image = rig.place(changed);
            long[] expected = new long[rig.codec.sets().words()];
            long[] found = new long[rig.codec.sets().words()];

            rig.codec.changes().addOneByOne(expected, row, image, from, to);
            rig.codec.changes().addTo(found, rig.store.memory(), row, image, from, to);

            assertThat(found).isEqualTo(expected);
            if (from == 0 && to == layout.size()) {
                assertThat(found).isEqualTo(differences(values, changed, found.length));
            }
            rig.rows.abandon(row);
            rig.rows.abandon(image);
        });
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
        forEachTransaction(rig -> {
            Random random = rig.random;
            Memory memory = rig.store.memory();
            RowImageCodec codec = rig.codec;
            long row = rig.place(rig.tables.row(rig.table));
            long[] set = new long[codec.sets().words()];
            int share = 1 + random.nextInt(5);
            for (int column = 0; column < codec.columnCount(); column++) {
                set[column >> 6] |= random.nextInt(share) == 0 ? 1L << column : 0;
            }
            int bound = (int) codec.bounds().ofRow(row);
            long expected = rig.dirty(bound);
            long written = rig.dirty(bound);

            long length = codec.writeColumnsOneByOne(row, set, memory, expected) - expected;

            assertThat(codec.writeColumns(row, set, memory, written) - written).isEqualTo(length);
            assertThat(memory.sameBytes(expected, written, (int) length)).isTrue();
            rig.rows.abandon(row);
        });
    }
}
