package io.reprise.storage.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.runtime.memory.Memory;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import io.reprise.storage.TestTables;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RowImageCodecTest {
    private static final Table EVERY_TYPE = TestTables.table(1, "EVERY_TYPE")
            .column("ID", SqlType.of(Kind.BIGINT), false)
            .column("FLAG", SqlType.of(Kind.BOOLEAN), true)
            .column("TINY", SqlType.of(Kind.TINYINT), true)
            .column("SMALL", SqlType.of(Kind.SMALLINT), false)
            .column("NUMBER", SqlType.of(Kind.INTEGER), true)
            .column("AMOUNT", SqlType.decimal(18, 2), true)
            .column("RATE", SqlType.of(Kind.DOUBLE), true)
            .column("NAME", SqlType.varchar(10), true)
            .column("NOTE", SqlType.varchar(60_000), true)
            .column("CODE", SqlType.varbinary(16), true)
            .column("PICTURE", SqlType.varbinary(SqlType.MAX_STRING_BYTES), true)
            .column("SEEN", SqlType.of(Kind.TIMESTAMP), true)
            .column("DAY", SqlType.of(Kind.DATE), false)
            .column("KEY_TEXT", SqlType.varchar(40), false)
            .primaryKey(Index.Kind.HASH, 13, 0, 12)
            .build();

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Object> row(Object... values) {
        return Arrays.asList(values);
    }

    private static List<Object> edge(long number, String text) {
        return row(
                number,
                number & 1,
                (long) (byte) number,
                (long) (short) number,
                (long) (int) number,
                number,
                number,
                Bytes.of(text.substring(0, Math.min(10, text.length()))),
                Bytes.of(text.repeat(100)),
                new Bytes(Arrays.copyOf(Bytes.of(text).bytes(), 16)),
                Bytes.of(text.repeat(5000)),
                number,
                (long) (int) number,
                Bytes.of(text.substring(0, Math.min(40, text.length()))));
    }

    /** Writes a row's image to scratch, reads it into a new row of the same table, and returns that. */
    private List<Object> throughImage(RowImageCodec codec, RowAccess access, long row) {
        long at = store.scratch((int) codec.bounds().ofRow(row));
        long end = codec.writeRow(row, store.memory(), at);
        assertThat(end - at).isLessThanOrEqualTo(codec.bounds().ofRow(row));
        ImageCursor in = new ImageCursor(store.memory());
        in.over(at, end - at);
        long copy = codec.store().allocate();
        codec.readRow(in, copy);
        assertThat(in.hasNext()).isFalse();
        List<Object> values = access.read(copy);
        codec.store().abandon(copy);
        return values;
    }

    @Test
    void shouldReadBackWhatWasWrittenWhenValuesAreAtTheirEdges() {
        TableStore table = store.createTable(EVERY_TYPE);
        RowAccess access = new RowAccess(store, table);
        RowImageCodec codec = new RowImageCodec(store, table);
        long[] numbers = {0, 1, -1, 63, 64, -64, -65, 127, 128, 8191, 8192, Integer.MAX_VALUE, Integer.MIN_VALUE};
        List<List<Object>> rows = new ArrayList<>();
        for (long number : numbers) {
            rows.add(edge(number, ""));
            rows.add(edge(number, "a"));
        }
        rows.add(edge(Long.MAX_VALUE, "ten bytes."));
        rows.add(edge(Long.MIN_VALUE, "日本語日本語日本語日本語"));
        rows.add(row(7L, null, null, 1L, null, null, null, null, null, null, null, null, 2L, Bytes.of("k")));
        store.begin(1);

        for (List<Object> values : rows) {
            long row = access.insert(0, values);
            assertThat(throughImage(codec, access, row)).isEqualTo(values);
            table.delete(row);
        }
        store.commit();

        store.verify();
    }

    @Test
    void shouldReadBackEverythingWhenSchemasAndRowsAreRandom() {
        Seeds.forEach(20, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            try (PartitionStore partition = new PartitionStore(PartitionStore.Options.single(1L << 30))) {
                TableStore table = partition.createTable(tables.table(1, "T", true));
                RowAccess access = new RowAccess(partition, table);
                RowImageCodec codec = new RowImageCodec(partition, table);
                for (int i = 0; i < 50; i++) {
                    partition.begin(i + 1);
                    roundTrips(partition, access, codec, tables, random);
                    partition.rollback();
                }
                partition.verify();
            }
        });
    }

    @Test
    void shouldWriteTheSameBytesByGeneratedCodeAndColumnByColumn() {
        Seeds.forEach(20, seed -> {
            Random random = new Random(seed);
            RandomTables tables = new RandomTables(random);
            try (PartitionStore partition = new PartitionStore(PartitionStore.Options.single(1L << 30))) {
                TableStore table = partition.createTable(tables.table(1, "T", true));
                RowAccess access = new RowAccess(partition, table);
                RowImageCodec codec = new RowImageCodec(partition, table);
                for (int i = 0; i < 50; i++) {
                    partition.begin(i + 1);
                    long row = access.insert(0, tables.row(table.table()));
                    int bound = (int) codec.bounds().ofRow(row);
                    Memory memory = partition.memory();
                    long at = partition.scratch(bound);
                    long end = codec.writeRow(row, memory, at);
                    long other = partition.scratch(bound);
                    assertThat(codec.plain().writeRow(row, memory, other) - other)
                            .isEqualTo(end - at);
                    assertThat(memory.sameBytes(at, other, (int) (end - at))).isTrue();
                    partition.rollback();
                }
            }
        });
    }

    @Test
    void shouldWriteAndReadRowsWithMoreColumnsThanGeneratedCodeCanHave() {
        TestTables wide = TestTables.table(1, "WIDE").column("ID", SqlType.of(Kind.INTEGER), false);
        List<Object> values = new ArrayList<>(List.of(5L));
        for (int i = 0; i < RowClasses.MOST_COLUMNS; i++) {
            wide.column("C" + i, SqlType.of(Kind.BIGINT), true);
            values.add(i % 3 == 0 ? null : (long) i);
        }
        TableStore table = store.createTable(wide.primaryKey(Index.Kind.HASH, 0).build());
        RowAccess access = new RowAccess(store, table);
        store.begin(1);

        List<Object> copy = throughImage(new RowImageCodec(store, table), access, access.insert(0, values));

        assertThat(copy).isEqualTo(values);
    }

    @Test
    void shouldShareGeneratedCodeAmongTablesThatLookAlike() {
        try (PartitionStore other = new PartitionStore(PartitionStore.Options.single(1L << 28))) {
            ColumnImages columns = new ColumnImages(store.createTable(EVERY_TYPE), store.memory());
            ColumnImages alike = new ColumnImages(other.createTable(EVERY_TYPE), other.memory());

            assertThat(RowWriterFactory.of(columns, 13, 0, 12)).isSameAs(RowWriterFactory.of(alike, 13, 0, 12));
            assertThat(RowWriterFactory.of(columns, 13, 0)).isNotSameAs(RowWriterFactory.of(columns, 13, 0, 12));
        }
    }

    private static void roundTrips(
            PartitionStore partition, RowAccess access, RowImageCodec codec, RandomTables tables, Random random) {
        TableStore table = codec.store();
        List<Object> values = tables.row(table.table());
        List<Object> others = tables.row(table.table());
        long row = access.insert(0, values);
        long[] set = new long[codec.sets().words()];
        List<Object> expected = new ArrayList<>(others);
        for (int column = 0; column < values.size(); column++) {
            if (random.nextInt(3) == 0) {
                set[column >> 6] |= 1L << column;
                expected.set(column, values.get(column));
            }
        }
        long at = partition.scratch((int) (3 * codec.bounds().ofRow(row)));
        long end = codec.writeRow(row, partition.memory(), at);
        end = codec.writeColumns(row, set, partition.memory(), end);
        end = codec.writeKey(row, partition.memory(), end);
        ImageCursor in = new ImageCursor(partition.memory());
        in.over(at, end - at);
        assertThat(new KeyFinder(codec).find(after(codec, in, set))).isEqualTo(row);
        assertThat(in.hasNext()).isFalse();

        in.over(at, end - at);
        long copy = table.allocate();
        codec.readRow(in, copy);
        assertThat(access.read(copy)).isEqualTo(values);
        table.abandon(copy);
        long other = table.allocate();
        for (int column = 0; column < others.size(); column++) {
            access.write(other, column, others.get(column));
        }
        long[] read = new long[set.length];
        codec.sets().read(in, read);
        codec.readColumns(in, read, other);
        assertThat(read).isEqualTo(set);
        assertThat(access.read(other)).isEqualTo(expected);
        table.abandon(other);
    }

    private static ImageCursor after(RowImageCodec codec, ImageCursor in, long[] set) {
        codec.skipRow(in);
        codec.sets().read(in, new long[set.length]);
        codec.skipColumns(in, set);
        return in;
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        Table table = TestTables.table(1, "T")
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("NAME", SqlType.varchar(10), true)
                .column("RATE", SqlType.of(Kind.DOUBLE), true)
                .column("AMOUNT", SqlType.decimal(10, 2), false)
                .column("OPEN", SqlType.of(Kind.BOOLEAN), true)
                .primaryKey(Index.Kind.ORDERED, 1, 0)
                .build();
        TableStore rows = store.createTable(withoutNullInKey(table));
        RowImageCodec codec = new RowImageCodec(store, rows);
        store.begin(1);
        long row = new RowAccess(store, rows).insert(0, row(300L, Bytes.of("plum"), null, -7L, 1L));
        long at = store.scratch(200);

        long end = codec.writeRow(row, store.memory(), at);
        assertThat(hex(at, end)).isEqualTo("01" + "d804" + "04706c756d" + "0d" + "01");
        end = codec.writeColumns(row, new long[] {0b10110}, store.memory(), at);
        assertThat(hex(at, end)).isEqualTo("16" + "01" + "04706c756d" + "01");
        end = codec.writeKey(row, store.memory(), at);
        assertThat(hex(at, end)).isEqualTo("04706c756d" + "d804");
    }

    private static Table withoutNullInKey(Table table) {
        var columns = new ArrayList<>(table.columns());
        var name = columns.get(1);
        columns.set(1, new io.reprise.catalog.Column(name.name(), 1, name.type(), false, java.util.Optional.empty()));
        return new Table(table.id(), table.name(), columns, table.indexes(), table.partitionColumn());
    }

    private String hex(long from, long to) {
        byte[] bytes = new byte[(int) (to - from)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = store.memory().getByte(from + i);
        }
        return HexFormat.of().formatHex(bytes);
    }

    @Test
    void shouldRefuseWithAPlaceWhenAValueIsImpossible() {
        TableStore table = store.createTable(EVERY_TYPE);
        RowImageCodec codec = new RowImageCodec(store, table);
        store.begin(1);

        assertDamaged(codec, "", "Damaged at byte 0 of 0: the bytes end in the middle of a value.");
        assertDamaged(codec, "0000" + "0e" + "02", "column EVERY_TYPE.FLAG is BOOLEAN and can't be 2");
        assertDamaged(codec, "0300" + "0e" + "80808002", "column EVERY_TYPE.SMALL is SMALLINT and can't be 2097152");
        assertDamaged(codec, "7f00" + "0e" + "02" + "ffff7f", "a length is 2097151 where 16 is the most");
        assertDamaged(codec, "0000" + "ffffffffffffffffffff", "a number has more than 10 bytes");
    }

    private void assertDamaged(RowImageCodec codec, String hex, String message) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        long at = store.scratch(bytes.length);
        store.memory().copyIn(MemorySegment.ofArray(bytes), 0, at, bytes.length);
        ImageCursor in = new ImageCursor(store.memory());
        in.over(at, bytes.length);
        long row = codec.store().allocate();
        assertThatThrownBy(() -> codec.readRow(in, row))
                .isInstanceOf(DamagedImageException.class)
                .hasMessageContaining(message);
        codec.store().abandon(row);
    }

    @Test
    void shouldRejectEveryTruncationAndReadNothingOutsideWhenBytesAreMissing() {
        TableStore table = store.createTable(EVERY_TYPE);
        RowImageCodec codec = new RowImageCodec(store, table);
        store.begin(1);
        long row = new RowAccess(store, table).insert(0, edge(1234567, "some text that is not too short"));
        long at = store.scratch((int) codec.bounds().ofRow(row));
        long length = codec.writeRow(row, store.memory(), at) - at;
        ImageCursor in = new ImageCursor(store.memory());

        for (long cut = 0; cut < length; cut += cut < 200 || cut > length - 200 ? 1 : 997) {
            in.over(at, cut);
            long copy = table.allocate();
            assertThatThrownBy(() -> codec.readRow(in, copy)).isInstanceOf(DamagedImageException.class);
            table.abandon(copy);
            assertThat(in.position()).isLessThanOrEqualTo(cut);
        }
    }
}
