package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeout;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.InvariantViolatedException;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.row.RowLayout;
import java.time.Duration;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PartitionStoreTest {
    private static final int LIMIT = 8 << 20;

    private static final PartitionStore.Options WITH_LITTLE_ADDRESS_SPACE = new PartitionStore.Options(
            0,
            1 << 30,
            1 << 30,
            Buckets.DEFAULT,
            PartitionStore.Options.single(0).buckets());

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(LIMIT));

    @AfterEach
    void close() {
        store.close();
    }

    private static TestTables items() {
        return TestTables.table(1, "ITEM")
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("NAME", SqlType.varchar(200), true)
                .primaryKey(Index.Kind.HASH, 0);
    }

    private RowAccess filled(int count) {
        RowAccess access = new RowAccess(store, store.createTable(items().build()));
        store.begin(1);
        for (int i = 0; i < count; i++) {
            access.insert(i % 10, Arrays.asList((long) i, i % 5 == 0 ? null : Bytes.of("name " + i % 100)));
        }
        store.commit();
        return access;
    }

    @Test
    void shouldRefuseWritesAndAllowReadsAndDeletesWhenTheLimitIsReached() {
        RowAccess access = filled(0);
        TableStore table = store.table(1);
        int inserted = fillUp(access);
        store.verify();
        assertThat(inserted).isGreaterThan(10_000);
        assertThat(store.memoryUsed()).isBetween(LIMIT * 9L / 10, (long) LIMIT);

        store.begin(2);
        long row = table.first();
        access.update(row, 0b1, 0, -1L);
        assertThat(access.read(row).getFirst()).isEqualTo(-1L);
        store.rollback();
        store.begin(3);
        for (long each = table.first(); each != 0; each = table.next(each)) {
            table.delete(each);
        }
        store.rollback();
        store.verify();
        assertThat(table.count()).isEqualTo(inserted);
        store.begin(4);
        for (long each = table.first(); each != 0; each = table.next(each)) {
            table.delete(each);
        }
        store.commit();
        store.verify();
        assertThat(fillUp(access)).isBetween(inserted * 8 / 10, inserted * 11 / 10);
    }

    private int fillUp(RowAccess access) {
        int inserted = 0;
        while (true) {
            store.begin(inserted);
            try {
                access.insert(0, Arrays.asList((long) inserted, Bytes.of("a name of medium length " + inserted)));
            } catch (ProcedureException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                assertThat(e).hasMessageContaining("ITEM").hasMessageContaining("of " + LIMIT);
                store.rollback();
                return inserted;
            }
            store.commit();
            inserted++;
        }
    }

    /**
     * A procedure may try each of many things, and return when one is refused: the notes must not be gone through
     * each time. A scan each time would take minutes; the whole test takes less than a second.
     */
    @Test
    void shouldReturnToASavepointManyTimes() {
        try (PartitionStore large = new PartitionStore(PartitionStore.Options.single(64 << 20))) {
            RowAccess access = new RowAccess(large, large.createTable(items().build()));
            large.begin(1);
            access.insert(0, Arrays.asList(1L, null));
            int savepoint = large.savepoint();
            long used = large.memoryUsed();

            assertTimeout(Duration.ofSeconds(60), () -> {
                for (int i = 0; i < 150_000; i++) {
                    access.insert(
                            0,
                            Arrays.asList(
                                    2L, Bytes.of("a name that does not lie in the row, but in the heap ".repeat(2))));
                    large.rollbackTo(savepoint);
                }
            });
            access.insert(0, Arrays.asList(3L, null));
            large.commit();

            large.verify();
            assertThat(large.table(1).count()).isEqualTo(2);
            assertThat(large.memoryUsed()).isLessThan(used + (24 << 20));
        }
    }

    @Test
    void shouldRefuseScratchSpaceBeyondTheLimit() {
        store.begin(1);

        assertThatThrownBy(() -> store.scratch(LIMIT)).hasMessageContaining("scratch");
        long first = store.scratch(5);
        assertThat(store.scratch(5)).isEqualTo(first + 8);
        store.begin(2);
        assertThat(store.scratch(5)).isEqualTo(first);
    }

    @Test
    void shouldConfineATransactionToItsBuckets() {
        BitSet buckets = new BitSet();
        buckets.set(3);
        buckets.set(4);
        try (PartitionStore partition = new PartitionStore(new PartitionStore.Options(7, LIMIT, buckets))) {
            partition.begin(1);
            partition.checkScope(3);
            assertThatThrownBy(() -> partition.checkScope(5))
                    .hasMessageContaining("bucket 5")
                    .hasMessageContaining("partition 7");
            partition.scope().confineTo(4);
            partition.checkScope(4);
            assertThatThrownBy(() -> partition.checkScope(3))
                    .hasMessageContaining("bucket 3")
                    .hasMessageContaining("bucket 4");
            partition.begin(2);
            partition.checkScope(3);

            assertThat(partition.owns(3)).isTrue();
            assertThat(partition.owns(0)).isFalse();
        }
    }

    @Test
    void shouldRefuseASavepointThatIsGone() {
        RowAccess access = filled(0);
        store.begin(1);
        access.insert(0, Arrays.asList(1L, null));
        int early = store.savepoint();
        access.insert(0, Arrays.asList(2L, null));
        int late = store.savepoint();
        store.rollbackTo(early);
        store.rollbackTo(early);

        assertThat(store.table(1).count()).isEqualTo(1);
        assertThatThrownBy(() -> store.rollbackTo(late)).isInstanceOf(IllegalStateException.class);
    }

    /**
     * Changes undone by one rollback, or by a return to a savepoint first; of short strings, which lie in the row, or
     * of long ones.
     */
    @ParameterizedTest
    @CsvSource({"0, false, true", "3000, false, false", "3000, false, true", "100, true, false", "100, true, true"})
    void shouldGiveMemoryBackWhenATransactionIsRolledBackThatReachedTheLimit(
            int rows, boolean statementFirst, boolean longNames) {
        long limit = 32 << 20;
        try (PartitionStore large = new PartitionStore(PartitionStore.Options.single(limit))) {
            RowAccess access = new RowAccess(
                    large,
                    large.createTable(items().index("BY_NAME", Index.Kind.ORDERED, false, 1, 0)
                            .index("BY_NAME_HASH", Index.Kind.HASH, false, 1)
                            .build()));
            large.begin(1);
            for (int i = 0; i < rows; i++) {
                access.insert(i % 10, Arrays.asList((long) i, Bytes.of("name " + i % 100)));
            }
            large.commit();
            long content = large.contentHash();
            long before = large.memoryUsed();

            large.begin(2);
            int savepoint = large.savepoint();
            assertThatThrownBy(() -> insertUntilRefused(access, longNames))
                    .isInstanceOfSatisfying(
                            ProcedureException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT));
            assertThat(large.memoryUsed()).isGreaterThan(limit - (1 << 20));
            if (statementFirst) {
                large.rollbackTo(savepoint);
                large.verify();
            }
            large.rollback();
            large.begin(3);

            assertThat(large.memoryUsed() - before)
                    .as("what undo log, scratch space and each part of the table keep")
                    .isLessThan(5 << 20);
            assertThat(large.contentHash()).isEqualTo(content);
            large.verify();
        }
    }

    /** Keys that are all over the place. */
    private static void insertUntilRefused(RowAccess access, boolean longNames) {
        String suffix = longNames ? " and so on".repeat(8) : "";
        for (int i = 1; true; i++) {
            long id = Integer.reverse(i);
            access.insert(i % 10, Arrays.asList(id, Bytes.of(Integer.hashCode(i * 0x9E3779B9) % 5_000 + suffix)));
        }
    }

    @Test
    void shouldTruncateWhereThereIsNoAddressSpaceForMore() {
        try (PartitionStore small = new PartitionStore(WITH_LITTLE_ADDRESS_SPACE)) {
            TableStore table = small.createTable(
                    items().index("BY_NAME", Index.Kind.HASH, false, 1).build());
            RowAccess access = new RowAccess(small, table);
            small.begin(1);
            for (int i = 0; i < 1_001; i++) {
                access.insert(i % 10, Arrays.asList((long) i, Bytes.of("name " + i % 100)));
            }
            small.commit();
            int tables = createUntilRefused(small, 10);
            long content = small.contentHash();
            assertThat(createUntilRefused(small, 10 + tables)).isZero();

            small.begin(2);
            table.truncate();
            assertThat(table.count()).isZero();
            small.rollback();

            small.verify();
            assertThat(small.contentHash()).isEqualTo(content);
            small.begin(3);
            table.truncate();
            small.checkLimitsKept(true);
            small.commit();
            small.verify();
            assertThat(table.count()).isZero();
        }
    }

    @Test
    void shouldKeepNoAddressSpaceOfATableOrAnIndexThatWasRefused() {
        try (PartitionStore small = new PartitionStore(WITH_LITTLE_ADDRESS_SPACE)) {
            int tables = createUntilRefused(small, 1);
            for (int i = 0; i < 1_000; i++) {
                assertThat(createUntilRefused(small, 1 + tables)).isZero();
            }
            small.dropTable(1);
            Table more = withIndexes(2)
                    .index("BY_NAME_AGAIN", Index.Kind.HASH, false, 1, 0)
                    .index("BY_ID", Index.Kind.HASH, true, 0)
                    .index("BY_ID_AND_NAME", Index.Kind.HASH, false, 0, 1)
                    .index("BY_BOTH", Index.Kind.ORDERED, true, 0, 1)
                    .build();
            for (int i = 0; i < 1_000; i++) {
                assertThatThrownBy(() -> small.tables().prepareIndexes(more))
                        .isInstanceOf(ProcedureException.class)
                        .hasMessageContaining("address space");
            }

            small.createTable(table(1));
        }
    }

    private static Table table(int id) {
        return withIndexes(id).build();
    }

    private static TestTables withIndexes(int id) {
        return TestTables.table(id, "T" + id)
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("NAME", SqlType.varchar(200), true)
                .primaryKey(Index.Kind.HASH, 0)
                .index("BY_NAME", Index.Kind.HASH, false, 1);
    }

    private static int createUntilRefused(PartitionStore store, int firstId) {
        int created = 0;
        while (true) {
            try {
                store.createTable(table(firstId + created));
                created++;
            } catch (ProcedureException e) {
                assertThat(e.code()).isEqualTo(ErrorCode.MEMORY_LIMIT);
                return created;
            }
        }
    }

    @Test
    void shouldNotGoOnWithAChangeThatWasNotFinished() {
        RowAccess access = filled(10);
        store.begin(2);
        access.insert(0, Arrays.asList(50L, null));
        int savepoint = store.savepoint();

        store.beginChange();

        assertThatThrownBy(() -> store.rollbackTo(savepoint)).isInstanceOf(InvariantViolatedException.class);
        assertThatThrownBy(() -> store.rollbackTo(0)).isInstanceOf(InvariantViolatedException.class);
        assertThatThrownBy(() -> access.insert(0, Arrays.asList(51L, null)))
                .isInstanceOf(InvariantViolatedException.class);
        assertThatThrownBy(() -> store.checkLimitsKept(true))
                .isInstanceOf(InvariantViolatedException.class)
                .hasMessageContaining("not finished");
        assertThatThrownBy(store::commit).isInstanceOf(InvariantViolatedException.class);
    }

    @Test
    void shouldBuildAndDropIndexesOnAFilledTable() {
        filled(1_000);
        TableStore table = store.table(1);
        Table more = items().index("BY_NAME", Index.Kind.ORDERED, false, 1)
                .index("BY_NAME_HASH", Index.Kind.HASH, false, 1)
                .build();

        changeIndexes(more);
        store.verify();
        assertThat(table.orderedIndex(1).size()).isEqualTo(1_000);
        assertThat(table.hashIndex(2).size()).isEqualTo(1_000);
        long with = table.memoryUse().indexes();
        changeIndexes(items().build());
        store.verify();

        assertThat(table.memoryUse().indexes()).isLessThan(with);
        assertThat(table.table().indexes()).hasSize(1);
    }

    private void changeIndexes(Table changed) {
        PartitionTables tables = store.tables();
        tables.discard(tables.install(tables.prepareIndexes(changed)));
    }

    @Test
    void shouldHaveTheSameIndexesAgainWhenAChangeIsTakenBack() {
        RowAccess access = filled(1_000);
        TableStore table = store.table(1);
        changeIndexes(items().index("BY_NAME", Index.Kind.ORDERED, false, 1)
                .index("BY_NAME_HASH", Index.Kind.HASH, false, 1)
                .build());
        var kept = table.hashIndex(2);
        var dropped = table.orderedIndex(1);
        long used = store.memoryUsed();

        PartitionTables tables = store.tables();
        IndexVersion before = tables.install(tables.prepareIndexes(
                items().index("BY_NAME_HASH", Index.Kind.HASH, false, 1).build()));
        assertThat(table.hashIndex(1)).isSameAs(kept);
        tables.discard(tables.install(before));

        assertThat(table.orderedIndex(1)).isSameAs(dropped);
        assertThat(table.hashIndex(2)).isSameAs(kept);
        assertThat(store.memoryUsed()).isEqualTo(used);
        store.begin(2);
        access.insert(3, Arrays.asList(5_000L, Bytes.of("new")));
        store.commit();
        assertThat(dropped.size()).isEqualTo(1_001);
        store.verify();
    }

    @Test
    void shouldChangeNothingWhenAUniqueIndexCannotBeMade() {
        filled(1_000);
        TableStore table = store.table(1);
        long before = store.memoryUsed();
        Table unique = items().index("BY_NAME", Index.Kind.ORDERED, true, 1).build();

        assertThatThrownBy(() -> changeIndexes(unique))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("BY_NAME")
                .hasMessageContaining("ITEM")
                .hasMessageContaining("NAME = 'name ");

        assertThat(table.table().indexes()).hasSize(1);
        assertThat(store.memoryUsed()).isEqualTo(before);
        store.verify();
    }

    @Test
    void shouldKeepRowsAndIdsWhenColumnsAreAddedAndDropped() {
        RowAccess before = filled(1_000);
        TableStore old = store.table(1);
        long row = old.next(old.first());
        List<Object> values = before.read(row);
        long rowId = old.rowId(row);
        Table changed = TestTables.table(1, "ITEM")
                .column("NAME", SqlType.varchar(200), true)
                .column("SIZE", SqlType.of(Kind.SMALLINT), false)
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("KIND", SqlType.varchar(10), true)
                .column("NOTE", SqlType.varchar(100), true)
                .primaryKey(Index.Kind.HASH, 2)
                .build();

        TableStore after = store.tables()
                .prepareRebuild(
                        changed,
                        List.of(
                                new ColumnSource.Existing(1),
                                new ColumnSource.Word(-3),
                                new ColumnSource.Existing(0),
                                new ColumnSource.Text(new byte[] {'k'}),
                                new ColumnSource.Null()));
        store.tables().discard(store.tables().install(after));

        store.verify();
        assertThat(store.table(1)).isSameAs(after);
        assertThat(after.count()).isEqualTo(1_000);
        long newRow = after.next(after.first());
        assertThat(new RowAccess(store, after).read(newRow))
                .isEqualTo(Arrays.asList(values.get(1), -3L, values.get(0), Bytes.of("k"), null));
        assertThat(after.rowId(newRow)).isEqualTo(rowId);
        store.begin(2);
        long added = new RowAccess(store, after).insert(3, Arrays.asList(null, 1L, 5_000L, null, null));
        assertThat(after.rowId(added) & (1L << RowLayout.SEQUENCE_BITS) - 1).isEqualTo(100);
    }

    @Test
    void shouldKeepTheTableWhenThereIsNoRoomToRebuildIt() {
        RowAccess access = filled(0);
        fillUp(access);
        TableStore table = store.table(1);
        long content = store.contentHash();
        Table wider = TestTables.table(1, "ITEM")
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("NAME", SqlType.varchar(200), true)
                .column("NUMBER", SqlType.of(Kind.BIGINT), false)
                .primaryKey(Index.Kind.HASH, 0)
                .build();

        assertThatThrownBy(() -> store.tables()
                        .prepareRebuild(
                                wider,
                                List.of(
                                        new ColumnSource.Existing(0),
                                        new ColumnSource.Existing(1),
                                        new ColumnSource.Word(0))))
                .hasMessageContaining("limit");

        assertThat(store.table(1)).isSameAs(table);
        assertThat(store.contentHash()).isEqualTo(content);
        store.verify();
    }

    @Test
    void shouldGiveAllMemoryBackWhenATableIsDropped() {
        long empty = store.memoryUsed();
        filled(5_000);

        store.dropTable(1);

        assertThat(store.memoryUsed()).isEqualTo(empty);
        assertThatThrownBy(() -> store.table(1)).isInstanceOf(IllegalArgumentException.class);
        store.createTable(items().build());
    }

    @Test
    void shouldNotChangeTablesWithinATransaction() {
        RowAccess access = filled(0);
        store.begin(1);
        access.insert(0, Arrays.asList(1L, null));

        assertThatThrownBy(() -> store.dropTable(1)).isInstanceOf(IllegalStateException.class);
    }
}
