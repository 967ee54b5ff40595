package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TestTables;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What generated code makes of an image is what reading it column by column makes of it, whatever the bytes are. */
class RowReaderTest {
    private static final int ROWS = 100;

    @Test
    void shouldReadAnyBytesAsTheyAreReadColumnByColumn() {
        Seeds.forEach(60, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            Table table = random.nextBoolean() ? tables.table(1, "T", true) : inRows();
            try (PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
                RowAccess access = new RowAccess(store, store.createTable(table));
                RowImageCodec codec = new RowImageCodec(store, store.table(1));
                if (!codec.unpacks()) {
                    return;
                }
                for (int i = 0; i < ROWS; i++) {
                    store.begin(i + 1);
                    long row = access.insert(0, tables.row(table));
                    long at = store.scratch((int) codec.bounds().ofRow(row) + Long.BYTES);
                    long length = codec.writeRow(row, store.memory(), at) - at;
                    if (random.nextBoolean()) {
                        length = DamagedImages.damage(store.memory(), at, length, random);
                    }
                    String expected = read(codec, store, at, length, true);
                    assertThat(read(codec, store, at, length, false)).isEqualTo(expected);
                    store.rollback();
                }
            }
        });
    }

    /** All kinds of columns that lie in rows. */
    private static Table inRows() {
        return TestTables.table(1, "T")
                .column("ID", SqlType.of(Kind.BIGINT), false)
                .column("FLAG", SqlType.of(Kind.BOOLEAN), false)
                .column("TINY", SqlType.of(Kind.TINYINT), true)
                .column("SMALL", SqlType.of(Kind.SMALLINT), false)
                .column("NUMBER", SqlType.of(Kind.INTEGER), true)
                .column("RATE", SqlType.of(Kind.DOUBLE), true)
                .column("NAME", SqlType.varchar(20), true)
                .column("CODE", SqlType.varbinary(2), false)
                .column("DAY", SqlType.of(Kind.DATE), false)
                .primaryKey(Index.Kind.HASH, 0)
                .build();
    }

    /** The row's bytes and how many were read, or why there are none. */
    private static String read(
            RowImageCodec codec, PartitionStore store, long at, long length, boolean columnByColumn) {
        int rowSize = codec.store().layout().size();
        Memory memory = store.memory();
        ImageCursor in = new ImageCursor(memory);
        in.over(at, length);
        long row = store.scratch(rowSize);
        memory.putLong(row, 0);
        for (int i = Long.BYTES; i < rowSize; i++) {
            memory.putByte(row + i, (byte) (columnByColumn ? 0 : 0xA5));
        }
        try {
            boolean fits =
                    columnByColumn ? codec.unpackColumnByColumn(in, memory, row) : codec.unpackRow(in, memory, row);
            if (!fits) {
                return "outside";
            }
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
        byte[] bytes = new byte[rowSize];
        for (int i = 0; i < rowSize; i++) {
            bytes[i] = memory.getByte(row + i);
        }
        return in.position() + " " + HexFormat.of().formatHex(bytes);
    }
}
