package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Generated code reads an image of some columns like the column-by-column code, whatever the bytes are. */
class SetReaderTest {
    @Test
    void shouldReadAnyBytesAsTheyAreReadColumnByColumn() {
        CodecRig.forEachTransaction(60, SetReaderTest::table, rig -> {
            RowImageCodec codec = rig.codec;
            long row = rig.insert();
            long[] set = set(codec, rig.random);
            long at = rig.store.scratch((int) codec.bounds().ofRow(row) + Long.BYTES);
            long values = at + codec.sets().imageBytes();
            long length = codec.writeColumns(row, set, rig.store.memory(), at) - values;
            if (rig.random.nextBoolean()) {
                length = DamagedImages.damage(rig.store.memory(), values, length, rig.random);
            }
            String expected = read(rig, values, length, set, true);
            assertThat(read(rig, values, length, set, false)).isEqualTo(expected);
        });
    }

    private static Table table(Random random) {
        return new RandomTables(random).table(1, "T", random.nextBoolean());
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

    /** The row after the writes, and the number of bytes read; or the reason why there are none. */
    private static String read(CodecRig rig, long at, long length, long[] set, boolean oneByOne) {
        RowImageCodec codec = rig.codec;
        Memory memory = rig.store.memory();
        ImageCursor in = rig.cursor(at, length);
        long writes = rig.store.scratch((int) ColumnWrites.most(codec.columnCount()) + 1);
        long row = rig.filled(codec.rowSize(), 0xA5);
        try {
            long end = oneByOne
                    ? codec.plain().unpackColumns(in, set, memory, writes)
                    : codec.unpackColumns(in, set, memory, writes);
            if (end < 0) {
                return "a string";
            }
            ColumnWrites.apply(memory, writes, end, memory, row);
            return in.position() + " " + rig.hex(row, codec.rowSize());
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
    }
}
