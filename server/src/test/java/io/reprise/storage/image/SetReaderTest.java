package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What generated code makes of some columns' image is what reading it column by column makes of it, whatever the bytes are. */
class SetReaderTest {
    private static final int ROWS = 100;

    @Test
    void shouldReadAnyBytesAsTheyAreReadColumnByColumn() {
        Seeds.forEach(60, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            Table table = tables.table(1, "T", random.nextBoolean());
            try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
                RowAccess access = new RowAccess(store, store.createTable(table));
                RowImageCodec codec = new RowImageCodec(store, store.table(1));
                for (int i = 0; i < ROWS; i++) {
                    store.begin(i + 1);
                    long row = access.insert(0, tables.row(table));
                    long[] set = set(codec, random);
                    long at = store.scratch((int) codec.bounds().ofRow(row) + Long.BYTES);
                    long values = at + codec.sets().imageBytes();
                    long length = codec.writeColumns(row, set, store.memory(), at) - values;
                    if (random.nextBoolean()) {
                        length = DamagedImages.damage(store.memory(), values, length, random);
                    }
                    String expected = read(codec, store, values, length, set, true);
                    assertThat(read(codec, store, values, length, set, false)).isEqualTo(expected);
                    store.rollback();
                }
            }
        });
    }

    /** Strings are rare enough for most sets to have none. */
    private static long[] set(RowImageCodec codec, Random random) {
        long[] set = new long[codec.sets().words()];
        int share = 1 + random.nextInt(5);
        boolean strings = random.nextInt(8) == 0;
        for (int column = 0; column < codec.columnCount(); column++) {
            boolean candidate = strings || !codec.columns().isString(column);
            set[column >> 6] |= candidate && random.nextInt(share) == 0 ? 1L << column : 0;
        }
        return set;
    }

    /** What a row is like after the writes, and how many bytes were read; or why there are none. */
    private static String read(
            RowImageCodec codec, PartitionStore store, long at, long length, long[] set, boolean oneByOne) {
        int rowSize = codec.store().layout().size();
        Memory memory = store.memory();
        ImageCursor in = new ImageCursor(memory);
        in.over(at, length);
        long writes = store.scratch((int) ColumnWrites.most(codec.columnCount()) + 1);
        long row = store.scratch(rowSize);
        for (int i = 0; i < rowSize; i++) {
            memory.putByte(row + i, (byte) 0xA5);
        }
        long end;
        try {
            end = oneByOne
                    ? codec.unpackOneByOne(in, set, memory, writes)
                    : codec.unpackColumns(in, set, memory, writes);
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
        if (end < 0) {
            return "a string";
        }
        ColumnWrites.apply(memory, writes, end, memory, row);
        byte[] bytes = new byte[rowSize];
        for (int i = 0; i < rowSize; i++) {
            bytes[i] = memory.getByte(row + i);
        }
        return in.position() + " " + HexFormat.of().formatHex(bytes);
    }
}
