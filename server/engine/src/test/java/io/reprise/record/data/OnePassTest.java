package io.reprise.record.data;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.simulation.Seeds;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TestTables;
import io.reprise.storage.TransactionWrites;
import io.reprise.storage.image.PerTable;
import io.reprise.storage.image.RandomTables;
import io.reprise.storage.image.RowImageCodec;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One pass writes the same bytes as sorting the writes first. */
class OnePassTest {
    private static final int NAME = 1;
    private static final int PRICE = 2;
    private static final Table ITEM = TestTables.table(5, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(100), true)
            .column("PRICE", SqlType.decimal(10, 2), true)
            .primaryKey(Index.Kind.HASH, 0)
            .index("BY_NAME", Index.Kind.HASH, true, NAME)
            .build();
    private static final Table EVENT = TestTables.table(6, "EVENT")
            .column("AT", SqlType.of(Kind.BIGINT), false)
            .column("WHAT", SqlType.varchar(3000), true)
            .build();

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28));
    private final Passes passes;
    private final RowAccess items;
    private final RowAccess events;

    OnePassTest() {
        store.createTable(ITEM);
        store.createTable(EVENT);
        passes = new Passes(store);
        items = new RowAccess(store, store.table(ITEM.id()));
        events = new RowAccess(store, store.table(EVENT.id()));
    }

    @AfterEach
    void close() {
        store.close();
    }

    /** Both ways over the same transactions of one store. */
    private static final class Passes {
        private final PartitionStore store;
        private final RowSum rows = new RowSum(true);
        private final RowSum sortedRows = new RowSum(true);
        private final OnePass onePass;
        private final SortedPass sortedPass;

        Passes(PartitionStore store) {
            this.store = store;
            PerTable<RowImageCodec> codecs = PerTable.codecs(store);
            onePass = new OnePass(store, codecs, rows);
            sortedPass = new SortedPass(store, codecs, sortedRows, true);
        }

        /** The bytes written in one pass, if it can be done. */
        Optional<byte[]> inOnePass(boolean withReplicated) {
            rows.clear();
            if (!onePass.collect(store.writes(), withReplicated)) {
                return Optional.empty();
            }
            long room = onePass.mostBytes();
            return Optional.of(room == 0 ? new byte[0] : Payloads.write(room, onePass::writeTo));
        }

        /** Sorting gives the same bytes, and the same sum of the rows. */
        void checkSorted(byte[] inOnePass, boolean withReplicated) {
            assertThat(inOnePass).isEqualTo(sorted(withReplicated));
            assertThat(rows.sum()).isEqualTo(sortedRows.sum());
        }

        byte[] sorted(boolean withReplicated) {
            long start = store.scratch().end();
            sortedRows.clear();
            long end = sortedPass.write(store.writes(), withReplicated);
            return store.memory().segment().asSlice(start, end - start).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    @Test
    void shouldBeTheSameBytesWhenWritesAreRandom() {
        int[] inOnePass = new int[1];
        int[] sorted = new int[1];
        Seeds.forEach(60, seed -> compare(new Random(seed), inOnePass, sorted));
        assertThat(inOnePass[0]).as("transactions that are written in one pass").isPositive();
        assertThat(sorted[0]).as("transactions that have to be sorted").isPositive();
    }

    private static void compare(Random random, int[] inOnePass, int[] sorted) {
        RandomTables schemas = new RandomTables(random);
        List<Table> tables = new ArrayList<>();
        tables.add(schemas.table(1, "WITH_KEY", true));
        tables.add(schemas.table(40, "WITHOUT_KEY", false));
        Table copy = schemas.table(7, "EVERYWHERE", true);
        tables.add(new Table(copy.id(), copy.name(), copy.columns(), copy.indexes(), OptionalInt.empty()));
        try (Cluster cluster = new Cluster(1 + random.nextInt(2), tables)) {
            List<Passes> passes = cluster.stores.stream().map(Passes::new).toList();
            RandomTransactions writes = new RandomTransactions(random, cluster);
            for (int id = 1; id <= 150; id++) {
                for (int partition : writes.run(id, random.nextInt(4) == 0 ? 30 : 4)) {
                    boolean withReplicated = random.nextBoolean();
                    Optional<byte[]> quick = passes.get(partition).inOnePass(withReplicated);
                    quick.ifPresent(bytes -> passes.get(partition).checkSorted(bytes, withReplicated));
                    (quick.isPresent() ? inOnePass : sorted)[0]++;
                    cluster.stores.get(partition).commit();
                }
            }
        }
    }

    private static List<Object> item(long id, String name, Long price) {
        return Arrays.asList(id, name == null ? null : Bytes.of(name), price);
    }

    private long insert(long id, String name, Long price) {
        return items.insert(Buckets.DEFAULT.of(1), item(id, name, price));
    }

    private long event(int bucket, String what) {
        return events.insert(bucket, Arrays.asList(7L, Bytes.of(what)));
    }

    /** Whether the running transaction is written in one pass, which must give the same as sorting then; ends it. */
    private boolean isWrittenInOnePass() {
        Optional<byte[]> quick = passes.inOnePass(true);
        quick.ifPresent(bytes -> passes.checkSorted(bytes, true));
        store.commit();
        return quick.isPresent();
    }

    @Test
    void shouldTakeOnePassWhenRowsOfOneBucketAreDeletedInsertedAndUpdated() {
        store.begin(1);
        long plum = insert(1, "plum", 150L);
        long kiwi = insert(2, "kiwi", 30L);
        event(Buckets.DEFAULT.of(1), "new");
        assertThat(isWrittenInOnePass()).isTrue();

        store.begin(2);
        store.table(ITEM.id()).delete(kiwi);
        items.update(plum, 0, PRICE, 151L);
        event(Buckets.DEFAULT.of(1), "dearer");
        insert(3, "kiwi", 31L);
        assertThat(isWrittenInOnePass()).isTrue();
    }

    @Test
    void shouldSortWhenARowIsWrittenTwice() {
        store.begin(1);
        long plum = insert(1, "plum", 150L);
        items.update(plum, 0, PRICE, 151L);

        assertThat(isWrittenInOnePass()).isFalse();
    }

    @Test
    void shouldSortWhenAUniqueKeyChanges() {
        store.begin(1);
        long plum = insert(1, "plum", 150L);
        store.commit();
        store.begin(2);
        items.update(plum, 0b10, NAME, Bytes.of("prune"));

        assertThat(isWrittenInOnePass()).isFalse();
    }

    @Test
    void shouldSortWhenARowIsDeletedAfterAnotherWasInserted() {
        store.begin(1);
        long plum = insert(1, "plum", 150L);
        store.commit();
        store.begin(2);
        insert(2, "kiwi", 30L);
        store.table(ITEM.id()).delete(plum);

        assertThat(isWrittenInOnePass()).isFalse();
    }

    @Test
    void shouldTakeOnePassWhenRowsOfSeveralBucketsAreWritten() {
        store.begin(1);
        event(1, "here");
        event(2, "there");
        event(2, "there again");
        items.insert(2, item(1, "plum", 150L));
        items.insert(1, item(2, "kiwi", 30L));

        assertThat(isWrittenInOnePass()).isTrue();
    }

    @Test
    void shouldTakeOnePassWhenTheFirstTablesFirstOperationComesLate() {
        store.begin(1);
        long plum = insert(1, "plum", 150L);
        store.commit();
        store.begin(2);
        items.update(plum, 0, PRICE, 150L);
        event(Buckets.DEFAULT.of(1), "nothing new");
        insert(2, "kiwi", 30L);

        assertThat(isWrittenInOnePass()).isTrue();
    }

    @Test
    void shouldTakeOnePassWhenGroupsAreLong() {
        store.begin(1);
        for (int i = 0; i < 4; i++) {
            event(Buckets.DEFAULT.of(1), "x".repeat(2_200));
        }
        for (int i = 0; i < 100; i++) {
            insert(i, "y".repeat(90) + i, 1L);
        }

        assertThat(isWrittenInOnePass()).isTrue();
    }

    @Test
    void shouldSortWhenATableIsTruncated() {
        store.begin(1);
        for (int i = 0; i < 2_500; i++) {
            event(1, "so many that they are not deleted one by one");
        }
        store.commit();
        store.begin(2);
        store.table(EVENT.id()).truncate();

        assertThat(isWrittenInOnePass()).isFalse();
    }

    @Test
    void shouldSortWhenThereIsTooMuchForTheRoom() {
        store.begin(1);
        for (int i = 0; i < 10; i++) {
            event(Buckets.DEFAULT.of(1), "x".repeat(2_000));
        }
        assertThat(isWrittenInOnePass()).isFalse();

        store.begin(2);
        for (int i = 0; i < 300; i++) {
            event(Buckets.DEFAULT.of(1), "x");
        }
        assertThat(isWrittenInOnePass()).isFalse();
    }

    /** The stamps of transactions begin again after 65,535. */
    @Test
    void shouldTakeOnePassWhenManyTransactionsWriteTheSameRow() {
        store.begin(1);
        long plum = insert(1, "plum", 0L);
        store.commit();
        for (int i = 2; i < 140_000; i++) {
            store.begin(i);
            items.update(plum, 0, PRICE, (long) i);
            TransactionWrites writes = store.writes();
            assertThat(passes.onePass.collect(writes, true))
                    .as("transaction %d is written in one pass", i)
                    .isTrue();
            store.commit();
        }
    }
}
