package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
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
        CodecRig.forEachTransaction(100, KeyReaderTest::table, rig -> {
            RowImageCodec codec = rig.codec;
            Memory memory = rig.store.memory();
            KeyLayout layout = rig.rows.rowIndex(0).layout();
            long row = rig.insert();
            IndexKey ofRow = dirty(layout, rig.random);
            IndexKey expected = new IndexKey(layout);
            codec.keyOfRow(memory, row, layout, ofRow);
            layout.encode(memory, row, expected);
            assertThat(ofRow.words).isEqualTo(expected.words);

            long at = rig.store.scratch((int) codec.bounds().ofRow(row) + Long.BYTES);
            long length = codec.writeKey(row, memory, at) - at;
            assertThat(read(rig, at, length, false)).isEqualTo(length + " " + Arrays.toString(expected.words));
            length = DamagedImages.damage(memory, at, length, rig.random);
            assertThat(read(rig, at, length, false)).isEqualTo(read(rig, at, length, true));
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

    private static IndexKey dirty(KeyLayout layout, Random random) {
        IndexKey key = new IndexKey(layout);
        for (int i = 0; i < key.words.length; i++) {
            key.words[i] = random.nextLong();
        }
        return key;
    }

    /** The number of bytes read and the words; or the reason why there are none. */
    private static String read(CodecRig rig, long at, long length, boolean columnByColumn) {
        KeyLayout layout = rig.rows.rowIndex(0).layout();
        ImageCursor in = rig.cursor(at, length);
        IndexKey key = dirty(layout, rig.random);
        try {
            if (columnByColumn) {
                rig.codec.readColumnByColumn(in, layout, key);
            } else {
                rig.codec.readKey(in, layout, key);
            }
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
        return in.position() + " " + Arrays.toString(key.words);
    }
}
