package io.reprise.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OrderedIndexTest {
    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));

    @AfterEach
    void close() {
        store.close();
    }

    private static Table bigints() {
        return TestTables.table(1, "T")
                .column("ID", SqlType.of(Kind.BIGINT), false)
                .primaryKey(Index.Kind.ORDERED, 0)
                .build();
    }

    @Test
    void shouldFillLeavesWhenKeysAscend() {
        TableStore table = store.createTable(bigints());
        insertAll(table, 100_000, 1);

        assertThat(bytesPerEntry(table)).isBetween(12.0, 12.6);
    }

    @Test
    void shouldFillLeavesWhenKeysAscendInSeveralPlacesAtOnce() {
        TableStore table = store.createTable(bigints());
        insertAll(table, 100_000, 40);

        assertThat(bytesPerEntry(table)).isBetween(12.0, 13.5);
    }

    /** Keys that ascend, dealt out over so many distant ranges. */
    private void insertAll(TableStore table, int count, int ranges) {
        RowAccess access = new RowAccess(store, table);
        store.begin(1);
        for (int i = 0; i < count; i++) {
            access.insert(0, List.of((long) (i % ranges) * 1_000_000_000 + i));
        }
        store.commit();
        store.verify();
    }

    private static double bytesPerEntry(TableStore table) {
        return (double) table.orderedIndex(0).bytesInUse() / table.count();
    }

    @Test
    void shouldGiveNodesBackToTheTreeWhenAQueueMovesOn() {
        TableStore table = store.createTable(bigints());
        RowAccess access = new RowAccess(store, table);
        long[] rows = new long[200_000];

        for (int i = 0; i < rows.length; i++) {
            store.begin(i);
            rows[i] = access.insert(0, List.of((long) i));
            if (i >= 1_000) {
                table.delete(rows[i - 1_000]);
            }
            store.commit();
        }
        store.verify();

        assertThat(table.memoryUse().total()).isLessThan(200_000);
    }

    @Test
    void shouldAgreeWithATreeMapWhenKeysComeAndGo() {
        Seeds.forEach(4, seed -> run(seed, 250_000));
    }

    @Test
    @Tag("long")
    void shouldAgreeWithATreeMapWhenVeryManyKeysComeAndGo() {
        Seeds.forEach(4, seed -> run(seed, 5_000_000));
    }

    private void run(long seed, int operations) {
        TableStore table = store.createTable(bigints());
        OrderedIndex index = table.orderedIndex(0);
        RowAccess access = new RowAccess(store, table);
        Random random = new Random(seed);
        TreeMap<Long, Long> model = new TreeMap<>();
        long key = 0;
        for (int i = 0; i < operations; i++) {
            boolean growing = i / (operations / 5) % 2 == 0;
            key = random.nextInt(3) > 0 ? key + 1 : random.nextInt(operations / 4) - operations / 8L;
            store.begin(i);
            if (random.nextInt(10) < (growing ? 7 : 3)) {
                if (!model.containsKey(key)) {
                    model.put(key, access.insert(0, List.of(key)));
                }
            } else {
                Long nearest = model.ceilingKey(key);
                if (nearest != null) {
                    table.delete(model.remove(nearest));
                }
            }
            store.commit();
            assertThat(index.find(key ^ Long.MIN_VALUE)).isEqualTo(model.getOrDefault(key, 0L));
            if (i % (operations / 20) == 0) {
                store.verify();
                checkRange(index, model, random, operations);
            }
        }
        store.dropTable(1);
    }

    private static void checkRange(OrderedIndex index, TreeMap<Long, Long> model, Random random, int operations) {
        long a = random.nextInt(operations / 4) - operations / 8L;
        long b = random.nextInt(operations / 4) - operations / 8L;
        IndexKey low = new IndexKey(index.layout());
        IndexKey high = new IndexKey(index.layout());
        index.layout().put(low, 0, Math.min(a, b));
        index.layout().put(high, 0, Math.max(a, b));
        IndexCursor cursor = new IndexCursor();
        index.open(low, 1, true, high, 1, false, false, cursor);
        List<Long> expected =
                new ArrayList<>(model.subMap(Math.min(a, b), Math.max(a, b)).values());
        assertThat(drain(cursor)).isEqualTo(expected);
        index.open(low, 1, false, high, 1, true, true, cursor);
        expected = new ArrayList<>(model.subMap(Math.min(a, b), false, Math.max(a, b), true)
                .descendingMap()
                .values());
        assertThat(drain(cursor)).isEqualTo(expected);
    }

    private static List<Long> drain(IndexCursor cursor) {
        List<Long> rows = new ArrayList<>();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.add(row);
        }
        return rows;
    }

    @Test
    void shouldHoldWideKeysWhenThereAreManyStringColumns() {
        TestTables definition = TestTables.table(1, "T");
        Integer[] columns = new Integer[16];
        for (int i = 0; i < columns.length; i++) {
            definition.column("C" + i, SqlType.varchar(200), true);
            columns[i] = i;
        }
        TableStore table = store.createTable(
                definition.index("I", Index.Kind.ORDERED, false, columns).build());
        RowAccess access = new RowAccess(store, table);
        Random random = new Random(7);
        List<Long> rows = new ArrayList<>();
        store.begin(1);
        for (int i = 0; i < 2_000; i++) {
            List<Object> values = new ArrayList<>();
            for (int column = 0; column < columns.length; column++) {
                values.add(
                        random.nextInt(5) == 0
                                ? null
                                : Bytes.of("the same twenty bytes".repeat(random.nextInt(2)) + random.nextInt(3)));
            }
            rows.add(access.insert(0, values));
        }
        store.verify();
        while (!rows.isEmpty()) {
            table.delete(rows.remove(random.nextInt(rows.size())));
            if (rows.size() % 100 == 0) {
                store.verify();
            }
        }
        store.rollback();
        store.verify();

        assertThat(table.count()).isZero();
    }
}
