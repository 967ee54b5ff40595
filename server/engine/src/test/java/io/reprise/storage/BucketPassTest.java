package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.simulation.Seeds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BucketPassTest {
    private static final int BUCKETS = 8;
    private static final Table ITEM = TestTables.table(1, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .primaryKey(Index.Kind.HASH, 0)
            .build();

    private PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 26));
    private TableStore table = store.createTable(ITEM);
    private RowAccess access = new RowAccess(store, table);
    private final List<Long> rows = new ArrayList<>();
    private long transaction;
    private long nextId;

    @AfterEach
    void close() {
        store.close();
    }

    private static BitSet buckets(int... numbers) {
        BitSet set = new BitSet();
        for (int bucket : numbers) {
            set.set(bucket);
        }
        return set;
    }

    private static List<Long> list(LongSupplier rows) {
        List<Long> list = new ArrayList<>();
        for (long row = rows.getAsLong(); row != 0; row = rows.getAsLong()) {
            list.add(row);
        }
        return list;
    }

    /** The rows that a pass over all of them finds. */
    private List<Long> scanned(BitSet buckets) {
        List<Long> list = new ArrayList<>();
        for (long row = table.first(); row != 0; row = table.next(row)) {
            if (buckets.get(DirectWrites.bucket(table.rowId(row)))) {
                list.add(row);
            }
        }
        return list;
    }

    private void insert(Random random) {
        rows.add(access.insert(random.nextInt(BUCKETS), List.of(nextId++)));
    }

    /** Inserts and deletes, some of which are rolled back. */
    private void write(Random random) {
        store.begin(++transaction);
        List<Long> before = List.copyOf(rows);
        for (int i = 0; i < 20; i++) {
            if (random.nextInt(5) < 2 && !rows.isEmpty()) {
                table.delete(rows.remove(random.nextInt(rows.size())));
            } else {
                insert(random);
            }
        }
        if (random.nextInt(4) == 0) {
            store.rollback();
            rows.clear();
            rows.addAll(before);
        } else {
            store.commit();
        }
    }

    @Test
    void shouldKeepTheListsOfTheFirstBucketsWhenThereAreTooManyRows() {
        Random random = new Random(7);
        for (int i = 0; i < 50; i++) {
            write(random);
        }
        BitSet leaving = buckets(1, 2, 5);
        int most = scanned(buckets(1)).size() + scanned(buckets(2)).size();
        try (BucketPass pass = new BucketPass(store, List.of(table), leaving, most)) {
            assertThat(pass.has(5)).isTrue();
            while (!pass.step(10)) {
                assertThat(pass.isBroken()).isFalse();
            }

            assertThat(pass.has(5)).isFalse();
            assertThat(pass.count(5)).isZero();
            assertThat(pass.has(1) && pass.has(2)).isTrue();
            assertThat(list(pass.rowsOf(table, buckets(1, 2)))).isEqualTo(scanned(buckets(1, 2)));

            store.begin(++transaction);
            rows.add(access.insert(1, List.of(nextId++)));
            store.commit();
            assertThat(pass.has(1)).isTrue();
            assertThat(pass.has(2)).isFalse();
            assertThat(list(pass.rowsOf(table, buckets(1)))).isEqualTo(scanned(buckets(1)));
        }
    }

    @Test
    void shouldFindTheRowsThatAPassOverAllRowsFindsWhenRowsComeAndGo() {
        Seeds.forEach(20, seed -> {
            close();
            store = new PartitionStore(PartitionStore.Options.single(1L << 26));
            table = store.createTable(ITEM);
            access = new RowAccess(store, table);
            rows.clear();
            Random random = new Random(seed);
            for (int i = 0; i < 50; i++) {
                write(random);
            }
            BitSet leaving = buckets(1, 2, 5);
            try (BucketPass pass = new BucketPass(store, List.of(table), leaving, Long.MAX_VALUE)) {
                while (!pass.step(1 + random.nextInt(60))) {
                    write(random);
                }
                for (int i = 0; i < 20; i++) {
                    write(random);
                    pass.trim();
                }

                assertThat(list(pass.rowsOf(table, leaving))).isEqualTo(scanned(leaving));
                assertThat(list(pass.rowsOf(table, buckets(2)))).isEqualTo(scanned(buckets(2)));
                assertThat(pass.count(5))
                        .isGreaterThanOrEqualTo(scanned(buckets(5)).size());
                assertThat(pass.count(3)).isZero();
                assertThat(pass.isBroken()).isFalse();
            }
            assertThat(store.isObserved()).isFalse();
        });
    }

    @Test
    void shouldHoldNoMorePlacesThanTheRowsTakeWhenRowsComeAndGo() {
        Seeds.forEach(20, seed -> {
            close();
            store = new PartitionStore(PartitionStore.Options.single(1L << 26));
            table = store.createTable(ITEM);
            access = new RowAccess(store, table);
            rows.clear();
            Random random = new Random(seed);
            try (BucketPass pass = new BucketPass(store, List.of(table), buckets(1, 2), Long.MAX_VALUE)) {
                assertThat(pass.step(1_000)).isTrue();

                for (int i = 0; i < 2_000; i++) {
                    write(random);
                    while (pass.trim()) {
                        // Lists are trimmed one at a time.
                    }
                    while (rows.size() > 40) {
                        store.begin(++transaction);
                        table.delete(rows.removeFirst());
                        store.commit();
                    }
                }

                assertThat(pass.count(1)).isLessThan(200);
                assertThat(list(pass.rowsOf(table, buckets(1, 2)))).isEqualTo(scanned(buckets(1, 2)));
            }
        });
    }

    @Test
    void shouldBeBrokenWhenATableIsTruncatedOrAnotherOneComes() {
        store.begin(1);
        for (int i = 0; i < 3_000; i++) {
            insert(new Random(1));
        }
        store.commit();
        BucketPass truncated = new BucketPass(store, List.of(table), buckets(1), Long.MAX_VALUE);
        store.begin(2);
        table.truncate();
        store.commit();
        BucketPass widened = new BucketPass(store, List.of(), buckets(1), Long.MAX_VALUE);
        store.begin(3);
        insert(new Random(2));
        store.commit();

        assertThat(truncated.isBroken()).isTrue();
        assertThat(truncated.step(1 << 20)).isFalse();
        assertThat(widened.isBroken()).isTrue();
        truncated.close();
        widened.close();
    }

    @Test
    void shouldFreeRowsWhenTheLastOfTwoObserversHasReleasedThem() {
        Keeper first = new Keeper();
        Keeper second = new Keeper();
        Keeper third = new Keeper();
        first.keeps = true;
        second.keeps = true;
        int[] freed = new int[1];
        WriteObserver all = new WriteObserver.Pair(new WriteObserver.Pair(first, third), second);

        boolean kept = all.keeps(table, 0, () -> freed[0]++);
        first.free.run();
        int before = freed[0];
        second.free.run();

        assertThat(kept).isTrue();
        assertThat(before).isZero();
        assertThat(freed[0]).isEqualTo(1);
        assertThat(third.free).isNull();
        assertThat(new WriteObserver.Pair(third, third).keeps(table, 0, () -> freed[0]++))
                .isFalse();
    }

    @Test
    void shouldTellEachObserverUntilItIsRemoved() {
        Keeper first = new Keeper();
        Keeper second = new Keeper();
        Keeper third = new Keeper();
        store.observeWrites(first);
        store.observeWrites(second);
        store.observeWrites(third);
        store.begin(1);
        insert(new Random(1));
        store.stopObserving(second);
        insert(new Random(1));
        store.stopObserving(first);
        insert(new Random(1));
        store.stopObserving(third);
        insert(new Random(1));
        store.commit();

        assertThat(List.of(first.inserted, second.inserted, third.inserted)).containsExactly(2, 1, 3);
        assertThat(store.isObserved()).isFalse();
    }

    private static final class Keeper implements WriteObserver {
        private boolean keeps;
        private Runnable free;
        private int inserted;

        @Override
        public void inserted(TableStore of, long row) {
            inserted++;
        }

        @Override
        public void beforeChange(TableStore of, long row) {
            // Only insertions are counted.
        }

        @Override
        public boolean keeps(TableStore of, long firstPlace, Runnable release) {
            free = keeps ? release : null;
            return keeps;
        }
    }
}
