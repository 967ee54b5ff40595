package io.reprise.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import io.reprise.storage.TestTables;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KeyLayoutTest {
    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldPackIntoOneWordWhenColumnsAreNarrow() {
        Table table = TestTables.table(1, "T")
                .column("W", SqlType.of(Kind.SMALLINT), false)
                .column("D", SqlType.of(Kind.TINYINT), false)
                .column("O", SqlType.of(Kind.INTEGER), false)
                .column("N", SqlType.of(Kind.TINYINT), false)
                .primaryKey(Index.Kind.ORDERED, 0, 1, 2, 3)
                .build();
        KeyLayout layout = store.createTable(table).orderedIndex(0).layout();
        IndexKey key = new IndexKey(layout);

        layout.clear(key);
        layout.put(key, 0, 1);
        layout.put(key, 1, -1);
        layout.put(key, 2, 2);
        layout.put(key, 3, 127);

        assertThat(layout.words()).isEqualTo(1);
        assertThat(layout.inexact()).isFalse();
        assertThat(List.of(layout.shift(0), layout.shift(1), layout.shift(2), layout.shift(3)))
                .containsExactly(48, 40, 8, 0);
        assertThat(List.of(layout.bits(0), layout.bits(1), layout.bits(2), layout.bits(3)))
                .containsExactly(16, 8, 32, 8);
        assertThat(key.words[0]).isEqualTo(0x8001_7F_80000002_FFL);
    }

    @Test
    void shouldBeginANewWordWhenAColumnDoesNotFit() {
        Table table = TestTables.table(1, "T")
                .column("A", SqlType.of(Kind.INTEGER), true)
                .column("B", SqlType.of(Kind.INTEGER), false)
                .column("C", SqlType.varchar(30), true)
                .column("D", SqlType.of(Kind.BIGINT), true)
                .index("O", Index.Kind.ORDERED, false, 0, 1, 2, 3)
                .index("H", Index.Kind.HASH, false, 0, 1, 2, 3)
                .build();
        TableStore rows = store.createTable(table);
        KeyLayout ordered = rows.orderedIndex(0).layout();
        KeyLayout hash = rows.hashIndex(1).layout();

        assertThat(ordered.nullWord(0)).isEqualTo(0);
        assertThat(ordered.nullShift(0)).isEqualTo(56);
        assertThat(ordered.shift(0)).isEqualTo(24);
        assertThat(ordered.nullWord(1)).isEqualTo(-1);
        assertThat(ordered.word(1)).isEqualTo(1);
        assertThat(ordered.shift(1)).isEqualTo(32);
        assertThat(ordered.nullWord(2)).isEqualTo(1);
        assertThat(ordered.nullShift(2)).isEqualTo(24);
        assertThat(ordered.word(2)).isEqualTo(2);
        assertThat(ordered.bits(2)).isEqualTo(128);
        assertThat(ordered.nullWord(3)).isEqualTo(4);
        assertThat(ordered.nullShift(3)).isEqualTo(56);
        assertThat(ordered.word(3)).isEqualTo(5);
        assertThat(ordered.words()).isEqualTo(6);
        assertThat(ordered.inexact()).isTrue();
        assertThat(hash.bits(2)).isEqualTo(64);
        assertThat(hash.word(3)).isEqualTo(4);
        assertThat(hash.words()).isEqualTo(5);
    }

    @Test
    void shouldOrderWordsAsValuesWhateverTheType() {
        Seeds.forEach(150, seed -> {
            Random random = new Random(seed);
            Table table = randomTable(random);
            TableStore rows = store.createTable(table);
            RowAccess access = new RowAccess(store, rows);
            store.begin(seed);
            KeyLayout layout = rows.orderedIndex(0).layout();
            List<Integer> columns = table.indexes().getFirst().columns();
            for (int i = 0; i < 40; i++) {
                List<Object> a = values(random, table);
                List<Object> b = random.nextBoolean() ? values(random, table) : changedIn(random, table, a);
                IndexKey keyA = encoded(access, layout, a);
                IndexKey keyB = encoded(access, layout, b);
                int words = Integer.signum(Arrays.compareUnsigned(keyA.words, keyB.words));
                assertThat(put(access, layout, columns, a).words).isEqualTo(keyA.words);
                int expected = compare(table, columns, a, b);
                if (expected != 0 && words != 0) {
                    assertThat(words).as(a + " and " + b).isEqualTo(expected);
                } else {
                    assertThat(words).as(a + " and " + b).isZero();
                    assertThat(expected == 0 || layout.inexact()).isTrue();
                }
            }
            store.rollback();
            store.dropTable(1);
        });
    }

    /** At most one string, as the last key column and within 16 bytes: words then decide unless zero bytes are there. */
    private static Table randomTable(Random random) {
        TestTables table = TestTables.table(1, "T");
        int columns = 1 + random.nextInt(5);
        Integer[] key = new Integer[columns];
        for (int i = 0; i < columns; i++) {
            Kind[] kinds = Kind.values();
            Kind kind = kinds[random.nextInt(kinds.length)];
            boolean string = kind.isString() && i == columns - 1;
            SqlType type = string
                    ? new SqlType(kind, 16, 0)
                    : kind == Kind.DECIMAL || kind.isString() ? SqlType.decimal(18, 2) : SqlType.of(kind);
            table.column("C" + i, type, random.nextBoolean());
            key[i] = i;
        }
        return table.index("I", Index.Kind.ORDERED, false, key).build();
    }

    private static List<Object> values(Random random, Table table) {
        List<Object> values = new ArrayList<>();
        for (Column column : table.columns()) {
            values.add(column.nullable() && random.nextInt(4) == 0 ? null : value(random, column.type()));
        }
        return values;
    }

    private static List<Object> changedIn(Random random, Table table, List<Object> values) {
        List<Object> changed = new ArrayList<>(values);
        int column = random.nextInt(changed.size());
        changed.set(column, value(random, table.columns().get(column).type()));
        return changed;
    }

    private static Object value(Random random, SqlType type) {
        boolean extreme = random.nextInt(4) == 0;
        return switch (type.kind()) {
            case BOOLEAN -> (long) random.nextInt(2);
            case TINYINT -> (long) (byte) (extreme ? Byte.MIN_VALUE : random.nextInt());
            case SMALLINT -> (long) (short) (extreme ? Short.MAX_VALUE : random.nextInt());
            case INTEGER, DATE -> (long) (extreme ? Integer.MIN_VALUE + random.nextInt(2) : random.nextInt());
            case DOUBLE -> Double.doubleToRawLongBits(aDouble(random, extreme));
            case VARCHAR, VARBINARY ->
                Bytes.of("abcdefghijklmnopq".substring(0, random.nextInt(17)) + (extreme ? "z" : ""));
            default -> extreme ? (random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE) : random.nextLong();
        };
    }

    private static double aDouble(Random random, boolean extreme) {
        double[] extremes = {0.0, -0.0, Double.MIN_VALUE, -Double.MIN_VALUE, Double.MAX_VALUE, -Double.MAX_VALUE};
        return extreme ? extremes[random.nextInt(extremes.length)] : random.nextGaussian() * 1000;
    }

    private static int compare(Table table, List<Integer> columns, List<Object> a, List<Object> b) {
        for (int column : columns) {
            Object x = a.get(column);
            Object y = b.get(column);
            int order;
            if (x == null || y == null) {
                order = Boolean.compare(x != null, y != null);
            } else if (x instanceof Bytes bytes) {
                order = bytes.compareTo((Bytes) y);
            } else if (table.columns().get(column).type().kind() == Kind.DOUBLE) {
                order = Double.compare(
                        Double.longBitsToDouble((Long) x) + 0.0, Double.longBitsToDouble((Long) y) + 0.0);
            } else {
                order = Long.compare((Long) x, (Long) y);
            }
            if (order != 0) {
                return Integer.signum(order);
            }
        }
        return 0;
    }

    private IndexKey encoded(RowAccess access, KeyLayout layout, List<Object> values) {
        long row = access.insert(0, values);
        IndexKey key = new IndexKey(layout);
        layout.encode(store.memory(), row, key);
        return key;
    }

    private IndexKey put(RowAccess access, KeyLayout layout, List<Integer> columns, List<Object> values) {
        IndexKey key = new IndexKey(layout);
        Arrays.fill(key.words, -1);
        layout.clear(key);
        for (int i = 0; i < columns.size(); i++) {
            Object value = values.get(columns.get(i));
            if (value == null) {
                layout.putNull(key, i);
            } else if (value instanceof Bytes bytes) {
                layout.putString(store.memory(), key, i, access.ref(bytes));
            } else {
                layout.put(key, i, (Long) value);
            }
        }
        return key;
    }
}
