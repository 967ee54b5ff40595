package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.storage.TestTables;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Generated code reads an image like the column-by-column code, whatever the bytes are. */
class RowReaderTest {
    @Test
    void shouldReadAnyBytesAsTheyAreReadColumnByColumn() {
        CodecRig.forEachTransaction(60, RowReaderTest::table, rig -> {
            if (!rig.codec.unpacks()) {
                return;
            }
            long row = rig.insert();
            long at = rig.store.scratch((int) rig.codec.bounds().ofRow(row) + Long.BYTES);
            long length = rig.codec.writeRow(row, rig.store.memory(), at) - at;
            if (rig.random.nextBoolean()) {
                length = DamagedImages.damage(rig.store.memory(), at, length, rig.random);
            }
            String expected = read(rig, at, length, true);
            assertThat(read(rig, at, length, false)).isEqualTo(expected);
        });
    }

    private static Table table(Random random) {
        return random.nextBoolean() ? new RandomTables(random).table(1, "T", true) : inRows();
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
    private static String read(CodecRig rig, long at, long length, boolean columnByColumn) {
        int rowSize = rig.codec.rowSize();
        Memory memory = rig.store.memory();
        ImageCursor in = rig.cursor(at, length);
        long row = rig.filled(rowSize, columnByColumn ? 0 : 0xA5);
        memory.putLong(row, 0);
        try {
            boolean fits = columnByColumn
                    ? rig.codec.plain().unpackRow(in, memory, row)
                    : rig.codec.unpackRow(in, memory, row);
            return fits ? in.position() + " " + rig.hex(row, rowSize) : "outside";
        } catch (DamagedImageException e) {
            return e.getMessage();
        }
    }
}
