package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.memory.Memory;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Generated code finds and writes changed columns like the column-by-column code. */
class SetWriterTest {
    private static void forEachTransaction(Consumer<CodecRig> transaction) {
        CodecRig.forEachTransaction(60, random -> new RandomTables(random).table(1, "T", false), transaction);
    }

    @Test
    void shouldFindTheSameChangesByGeneratedCodeAndColumnByColumn() {
        forEachTransaction(rig -> {
            RandomUpdate update = new RandomUpdate(rig);
            Memory memory = rig.store.memory();
            long[] expected = new long[rig.codec.sets().words()];
            long[] found = new long[rig.codec.sets().words()];

            rig.codec.changes().addOneByOne(expected, update.row, update.image, update.from, update.to);
            rig.codec.changes().addTo(found, memory, update.row, update.image, update.from, update.to);

            assertThat(found).isEqualTo(expected);
            if (update.from == 0 && update.to == rig.rows.layout().size()) {
                assertThat(found).isEqualTo(differences(update.values, update.before, found.length));
            }
            update.abandon();
        });
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
