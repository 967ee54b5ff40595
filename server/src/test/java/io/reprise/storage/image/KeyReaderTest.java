package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TestTables;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The words that generated code makes of a key are those that are made column by column, whatever the bytes are. */
class KeyReaderTest {
    private static final int ROWS = 100;

    private static final List<SqlType> NUMBERS = List.of(
            SqlType.of(Kind.BOOLEAN),
            SqlType.of(Kind.TINYINT),
            SqlType.of(Kind.SMALLINT),
            SqlType.of(Kind.INTEGER),
            SqlType.of(Kind.DATE),
            SqlType.of(Kind.BIGINT),
            SqlType.of(Kind.TIMESTAMP),
            SqlType.decimal(18, 2));

    @Test
    void shouldReadAnyKeyAsItIsReadColumnByColumn() {
        Seeds.forEach(100, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            Table table = table(random);
            try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
                RowAccess access = new RowAccess(store, store.createTable(table));
                RowImageCodec codec = new RowImageCodec(store, store.table(1));
                KeyLayout layout = store.table(1).rowIndex(0).layout();
                for (int i = 0; i < ROWS; i++) {
                    store.begin(i + 1);
                    long row = access.insert(0, tables.row(table));
                    IndexKey ofRow = new IndexKey(layout);
                    IndexKey expected = new IndexKey(layout);
                    dirty(ofRow, random);
                    codec.keyOfRow(store.memory(), row, layout, ofRow);
                    layout.encode(store.memory(), row, expected);
                    assertThat(ofRow.words).isEqualTo(expected.words);

                    long at = store.scratch((int) codec.bounds().ofRow(row) + Long.BYTES);
                    long length = codec.writeKey(row, store.memory(), at) - at;
                    assertThat(read(codec, store, at, length, layout, random, false))
                            .isEqualTo(length + " " + Arrays.toString(expected.words));
                    length = DamagedImages.damage(store.memory(), at, length, random);
                    assertThat(read(codec, store, at, length, layout, random, false))
                            .isEqualTo(read(codec, store, at, length, layout, random, true));
                    store.rollback();
                }
            }
        });
    }

    /** With a key of one to four columns among a few others; seldom a DOUBLE, which generated code does not take. */
    private static Table table(Random random) {
        int count = 4 + random.nextInt(4);
        TestTables table = TestTables.table(1, "T");
        for (int i = 0; i < count; i++) {
            boolean isDouble = random.nextInt(20) == 0;
            table.column(
                    "C" + i, isDouble ? SqlType.of(Kind.DOUBLE) : NUMBERS.get(random.nextInt(NUMBERS.size())), false);
        }
        Integer[] key = IntStream.generate(() -> random.nextInt(count))
                .distinct()
                .limit(1 + random.nextInt(4))
                .boxed()
                .toArray(Integer[]::new);
        return table.primaryKey(random.nextBoolean() ? Index.Kind.HASH : Index.Kind.ORDERED, key)
                .build();
    }

    private static void dirty(IndexKey key, Random random) {
        for (int i = 0; i < key.words.length; i++) {
            key.words[i] = random.nextLong();
        }
    }

    /** How many bytes were read and the words; or why there are none. */
    private static String read(
            RowImageCodec codec,
            PartitionStore store,
            long at,
            long length,
            KeyLayout layout,
            Random random,
            boolean columnByColumn) {
        ImageCursor in = new ImageCursor(store.memory());
        in.over(at, length);
        IndexKey key = new IndexKey(layout);
        dirty(key, random);
        try {
            if (columnByColumn) {
                codec.readColumnByColumn(in, layout, key);
            } else {
                codec.readKey(in, layout, key);
            }
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
        return in.position() + " " + Arrays.toString(key.words);
    }
}
