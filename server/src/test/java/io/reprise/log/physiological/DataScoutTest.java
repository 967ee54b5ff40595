package io.reprise.log.physiological;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import io.reprise.storage.TestTables;
import io.reprise.storage.index.HashIndex;
import io.reprise.storage.index.IndexKey;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DataScoutTest {
    private static final Table ITEM = TestTables.table(5, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("PRICE", SqlType.decimal(10, 2), true)
            .primaryKey(Index.Kind.HASH, 0)
            .build();
    private static final Table PHONE = TestTables.table(6, "PHONE")
            .column("AREA", SqlType.of(Kind.SMALLINT), false)
            .column("NOTE", SqlType.varchar(200), true)
            .column("NAME", SqlType.varchar(100), false)
            .column("NUMBER", SqlType.of(Kind.BIGINT), false)
            .primaryKey(Index.Kind.HASH, 3, 2, 0)
            .build();
    private static final Table SORTED = TestTables.table(7, "SORTED")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("VALUE", SqlType.of(Kind.INTEGER), true)
            .primaryKey(Index.Kind.ORDERED, 0)
            .build();
    private static final Table EVENT = TestTables.table(8, "EVENT")
            .column("AT", SqlType.of(Kind.BIGINT), false)
            .build();

    private final PartitionStore live = store(PartitionStore.Options.single(1L << 28));
    private final DataCollector collector = new DataCollector(live, true);
    private final Lookups lookups = new Lookups();

    private static PartitionStore store(PartitionStore.Options options) {
        PartitionStore store = new PartitionStore(options);
        List.of(ITEM, PHONE, SORTED, EVENT).forEach(store::createTable);
        return store;
    }

    @AfterEach
    void close() {
        live.close();
    }

    private RowAccess access(Table table) {
        return new RowAccess(live, live.table(table.id()));
    }

    private long insert(Table table, Object... values) {
        return access(table).insert(Buckets.of(((Number) values[0]).longValue()), Arrays.asList(values));
    }

    /** The table's id and the hash of the row's primary key, as its index has it. */
    private long lookup(Table table, long row) {
        HashIndex index = live.table(table.id()).hashIndex(0);
        IndexKey key = new IndexKey(index.layout());
        index.layout().encode(live.memory(), row, key);
        return (long) table.id() << 32 | index.hashOf(key) & 0xFFFF_FFFFL;
    }

    private long[] found() {
        long[] found = new long[lookups.count()];
        for (int i = 0; i < found.length; i++) {
            found[i] = (long) lookups.tableId(i) << 32 | lookups.hash(i) & 0xFFFF_FFFFL;
        }
        return found;
    }

    private void scan(PartitionStore forWhom) {
        new DataScout(forWhom).scan(live.memory(), collector.address(), collector.length(), lookups);
    }

    @Test
    void shouldFindTheKeysOfAllRowsThatAreLookedUpOrInserted() {
        live.begin(1);
        long changed = insert(ITEM, 1L, 10L);
        long deleted =
                insert(PHONE, 2L, null, Bytes.of("a name in the heap, as it is not short at all ".repeat(2)), 5L);
        insert(SORTED, 1L, 1L);
        live.commit();
        long[] expected = new long[4];
        live.begin(2);
        access(ITEM).update(changed, 0, 1, 11L);
        expected[0] = lookup(ITEM, changed);
        expected[1] = lookup(ITEM, insert(ITEM, -7L, null));
        expected[2] = lookup(PHONE, deleted);
        live.table(PHONE.id()).delete(deleted);
        expected[3] = lookup(PHONE, insert(PHONE, 3L, Bytes.of("note"), Bytes.of("plum"), Long.MIN_VALUE));
        insert(SORTED, 2L, null);
        insert(EVENT, 4L);
        collector.collect(true);

        scan(live);

        assertThat(found()).containsExactly(expected);
    }

    @Test
    void shouldFindOnlyRowsOfItsOwnPartition() {
        BitSet buckets = new BitSet();
        buckets.set(Buckets.of(1));
        live.begin(1);
        long own = insert(ITEM, 1L, 10L);
        insert(ITEM, 2L, 20L);
        collector.collect(true);

        try (PartitionStore part = store(new PartitionStore.Options(0, 1L << 28, buckets))) {
            scan(part);
        }

        assertThat(found()).containsExactly(lookup(ITEM, own));
    }

    @Test
    void shouldPassOverTruncationsAndSpentNumbers() {
        live.begin(1);
        TableStore items = live.table(ITEM.id());
        for (long id = 0; id < 1500; id++) {
            insert(ITEM, id, id);
        }
        live.commit();
        live.begin(2);
        items.truncate();
        items.delete(insert(ITEM, 1L, null));
        long row = insert(ITEM, 2L, null);
        collector.collect(true);

        scan(live);

        assertThat(found()).containsExactly(lookup(ITEM, row));
    }

    @Test
    void shouldSayNothingOfBytesThatAreNoRecord() {
        live.begin(1);
        insert(PHONE, 3L, Bytes.of("note"), Bytes.of("plum"), 4L);
        insert(ITEM, 1L, 10L);
        long length = collector.collect(true);
        DataScout scout = new DataScout(live);

        for (long cut = 0; cut < length; cut++) {
            lookups.clear();
            scout.scan(live.memory(), collector.address(), cut, lookups);

            assertThat(lookups.count()).isLessThanOrEqualTo(2);
        }
        live.memory().putByte(collector.address() + 1, (byte) 7);
        lookups.clear();
        scout.scan(live.memory(), collector.address(), length, lookups);
        assertThat(lookups.count()).isZero();
    }

    @Test
    void shouldApplyTheSameWhetherRowsWereFetchedOrNot() {
        try (PartitionStore redone = store(PartitionStore.Options.single(1L << 28))) {
            DataRedo redo = new DataRedo(redone);
            for (long transaction = 1; transaction <= 200; transaction++) {
                live.begin(transaction);
                insert(ITEM, transaction, transaction);
                long first = live.table(ITEM.id()).first();
                access(ITEM).update(first, 0, 1, 1000 + transaction);
                long length = collector.collect(true);
                lookups.clear();
                scan(redone);

                redo.fetch(lookups, 0, lookups.count());
                redo.apply(transaction, live.memory(), collector.address(), length);
                live.commit();
            }

            assertThat(redone.contentHash()).isEqualTo(live.contentHash());
            redone.verify();
        }
    }
}
