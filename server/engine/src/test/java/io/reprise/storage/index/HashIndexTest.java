package io.reprise.storage.index;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import io.reprise.storage.TestTables;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class HashIndexTest {
    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldFindEveryKeyWhileGrowingAndShrinking() {
        TableStore table = store.createTable(TestTables.table(1, "T")
                .column("ID", SqlType.of(Kind.BIGINT), false)
                .primaryKey(Index.Kind.HASH, 0)
                .build());
        HashIndex index = table.hashIndex(0);
        RowAccess access = new RowAccess(store, table);
        int most = 200_000;
        long[] rows = new long[most];

        for (int i = 0; i < most; i++) {
            store.begin(i);
            rows[i] = access.insert(0, List.of((long) i * 7));
            store.commit();
            if (i >= 1_000 && i % 1_777 == 0) {
                double bytes = (double) index.bytesInUse() / index.size();
                assertThat(bytes).as("bytes per entry at " + i).isBetween(11.0, 14.5);
                index.verify();
            }
        }
        checkAll(index, rows, 0);
        for (int i = 0; i < most; i++) {
            store.begin(i);
            table.delete(rows[i]);
            store.commit();
            if (i % 7_777 == 0) {
                index.verify();
                checkAll(index, rows, i + 1);
            }
        }

        assertThat(index.size()).isZero();
        assertThat(index.bytesInUse()).isLessThanOrEqualTo(256);
        assertThat(table.memoryUse().indexes()).isLessThan(100_000);
    }

    private static void checkAll(HashIndex index, long[] rows, int from) {
        for (int i = 0; i < rows.length; i += 3) {
            assertThat(index.find(((long) i * 7) ^ Long.MIN_VALUE)).isEqualTo(i < from ? 0 : rows[i]);
        }
    }

    /** Expected rows need not come, and rows may go again at once. */
    @Test
    void shouldFindEveryKeyWhenItIsGrownAheadAndRowsComeAndGo() {
        Seeds.forEach(5, seed -> {
            Random random = new Random(seed);
            TableStore table = store.createTable(TestTables.table(1, "T")
                    .column("A", SqlType.of(Kind.BIGINT), false)
                    .column("B", SqlType.of(Kind.SMALLINT), false)
                    .primaryKey(Index.Kind.HASH, 0, 1)
                    .build());
            HashIndex index = table.hashIndex(0);
            RowAccess access = new RowAccess(store, table);
            Map<Long, Long> model = new HashMap<>();
            for (int round = 0; round < 60; round++) {
                int coming = random.nextInt(3_000);
                table.directWrites()
                        .expectInsertions(
                                random.nextBoolean() ? coming : random.nextInt(10_000),
                                random.nextBoolean() ? 0 : random.nextInt(30_000));
                index.verify();
                store.begin(round);
                for (int i = 0; i < coming; i++) {
                    long key = random.nextInt(40_000);
                    Long row = model.remove(key);
                    if (row == null) {
                        model.put(key, access.insert(0, List.of(key, key % 100)));
                    } else {
                        table.delete(row);
                    }
                }
                store.commit();
                index.verify();
                if (random.nextInt(5) == 0) {
                    index.trim();
                    index.verify();
                }
                for (int i = 0; i < 300; i++) {
                    long key = random.nextInt(40_000);
                    IndexKey sought = new IndexKey(index.layout());
                    index.layout().put(sought, 0, key);
                    index.layout().put(sought, 1, key % 100);
                    assertThat(index.find(sought)).isEqualTo(model.getOrDefault(key, 0L));
                }
            }
            store.dropTable(1);
        });
    }

    @Test
    void shouldRefuseAKeyByItsHashOnlyIfItIsTheSame() {
        TableStore table = store.createTable(TestTables.table(1, "T")
                .column("A", SqlType.of(Kind.BIGINT), false)
                .column("B", SqlType.of(Kind.BIGINT), false)
                .primaryKey(Index.Kind.HASH, 0)
                .build());
        HashIndex index = table.hashIndex(0);
        RowAccess access = new RowAccess(store, table);
        store.begin(1);
        long[] rows = new long[30];
        for (int i = 0; i < rows.length; i++) {
            rows[i] = access.insert(0, List.of((long) i, 0L));
            index.remove(rows[i], rows[i]);
        }

        // All with one hash, so that the chain overflows.
        for (long row : rows) {
            assertThat(index.insertHashed(7, row)).isZero();
        }
        for (long row : rows) {
            assertThat(index.insertHashed(7, row)).isEqualTo(row);
        }

        assertThat(index.size()).isEqualTo(rows.length);
    }

    @Test
    void shouldSayOfARowThatWasLookedUpByHashWhetherItHasTheKey() {
        TableStore table = store.createTable(TestTables.table(1, "T")
                .column("A", SqlType.of(Kind.BIGINT), false)
                .column("B", SqlType.of(Kind.BIGINT), false)
                .primaryKey(Index.Kind.HASH, 0, 1)
                .index("BY_A", Index.Kind.HASH, true, 0)
                .build());
        RowAccess access = new RowAccess(store, table);
        store.begin(1);
        long row = access.insert(0, List.of(3L, 4L));
        HashIndex whole = table.hashIndex(0);
        HashIndex byWord = table.hashIndex(1);
        IndexKey key = new IndexKey(whole.layout());
        IndexKey other = new IndexKey(whole.layout());
        key.words[0] = Long.MIN_VALUE + 3;
        key.words[1] = Long.MIN_VALUE + 4;
        other.words[0] = Long.MIN_VALUE + 3;
        other.words[1] = Long.MIN_VALUE + 5;
        HashLookups lookups = new HashLookups(store.memory(), 3);

        lookups.find(whole, whole.hashOf(key));
        lookups.insert(whole, whole.hashOf(key));
        lookups.find(whole, whole.hashOf(other));
        lookups.run();

        assertThat(lookups.isFull()).isTrue();
        assertThat(List.of(lookups.row(0), lookups.row(1), lookups.row(2))).isEqualTo(List.of(row, 0L, 0L));
        assertThat(whole.holds(row, key)).isTrue();
        assertThat(whole.holds(row, other)).isFalse();
        assertThat(byWord.holds(row, key.words[0])).isTrue();
        assertThat(byWord.holds(row, key.words[1])).isFalse();
        table.delete(row);
        store.commit();
        assertThat(whole.holds(row, key)).isFalse();
        assertThat(byWord.holds(row, key.words[0])).isFalse();
    }

    @Test
    void shouldTellKeysApartWhenTheyHaveSeveralWordsAndStrings() {
        TableStore table = store.createTable(TestTables.table(1, "T")
                .column("A", SqlType.of(Kind.BIGINT), false)
                .column("S", SqlType.varchar(300), false)
                .column("B", SqlType.of(Kind.SMALLINT), false)
                .primaryKey(Index.Kind.HASH, 0, 1, 2)
                .build());
        HashIndex index = table.hashIndex(0);
        RowAccess access = new RowAccess(store, table);
        Seeds.forEach(5, seed -> {
            Random random = new Random(seed);
            Map<List<Object>, Long> model = new HashMap<>();
            store.begin(seed);
            for (int i = 0; i < 3_000; i++) {
                List<Object> key = key(random);
                if (!model.containsKey(key)) {
                    model.put(key, access.insert(0, key));
                }
            }
            for (int i = 0; i < 3_000; i++) {
                List<Object> key = key(random);
                assertThat(index.find(indexKey(index, access, key))).isEqualTo(model.getOrDefault(key, 0L));
            }
            store.rollback();
            store.verify();
        });
    }

    private static List<Object> key(Random random) {
        String text = "x".repeat(random.nextInt(2) * 100) + random.nextInt(10);
        return List.of((long) random.nextInt(20), Bytes.of(text), (long) random.nextInt(20));
    }

    private IndexKey indexKey(HashIndex index, RowAccess access, List<Object> values) {
        IndexKey key = new IndexKey(index.layout());
        index.layout().clear(key);
        index.layout().put(key, 0, (Long) values.get(0));
        index.layout().putString(store.memory(), key, 1, access.ref((Bytes) values.get(1)));
        index.layout().put(key, 2, (Long) values.get(2));
        return key;
    }

    @Test
    void shouldStayFastWhenManyRowsShareAKey() {
        TableStore table = store.createTable(TestTables.table(1, "T")
                .column("ID", SqlType.of(Kind.BIGINT), false)
                .column("A", SqlType.of(Kind.INTEGER), false)
                .index("BY_A", Index.Kind.HASH, false, 1)
                .build());
        RowAccess access = new RowAccess(store, table);
        int count = 100_000;
        long[] rows = new long[count];

        for (int i = 0; i < count; i++) {
            store.begin(i);
            rows[i] = access.insert(0, List.of((long) i, 5L));
            store.commit();
        }
        IndexKey key = new IndexKey(table.hashIndex(0).layout());
        key.words[0] = 0;
        table.hashIndex(0).layout().put(key, 0, 5);
        IndexCursor cursor = new IndexCursor();
        table.hashIndex(0).open(key, cursor);
        for (long row : rows) {
            assertThat(cursor.next()).isEqualTo(row);
        }
        assertThat(cursor.next()).isZero();
        for (int i = count - 1; i >= 0; i--) {
            store.begin(i);
            table.delete(rows[i]);
            store.commit();
        }
        store.verify();
    }
}
