package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.storage.RowAccess.Bytes;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DirectWritesTest {
    private static final Table ITEM = TestTables.table(1, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(100), true)
            .primaryKey(Index.Kind.HASH, 0)
            .index("BY_NAME", Index.Kind.ORDERED, false, 1)
            .build();

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28));
    private final TableStore table = store.createTable(ITEM);
    private final DirectWrites direct = table.directWrites();
    private final RowAccess access = new RowAccess(store, table);

    @AfterEach
    void close() {
        store.close();
    }

    private static List<Object> item(long id) {
        return Arrays.asList(id, Bytes.of("name ".repeat(10) + id));
    }

    private long allocated(long id) {
        long row = table.allocate();
        access.write(row, 0, item(id).get(0));
        access.write(row, 1, item(id).get(1));
        return row;
    }

    @Test
    void shouldHaveIndexesAndGoOnWithHigherRowIdsWhenALoadIsFinished() {
        store.begin(1);
        for (long id = 0; id < 3000; id++) {
            direct.append(allocated(id), DirectWrites.rowId((int) (id % 7), 10 + id / 7));
        }
        direct.raiseNextRowId(3, 5000);
        new IndexBuild(store).run();

        store.verify();
        assertThat(table.count()).isEqualTo(3000);
        assertThat(table.nextRowId(0)).isEqualTo(10 + 2996 / 7 + 1);
        assertThat(table.nextRowId(3)).isEqualTo(5000);
        assertThat(store.hasTable(1)).isTrue();
        assertThat(store.hasTable(2)).isFalse();
    }

    @Test
    void shouldNameTheKeyWhenALoadedOrInsertedRowIsThereTwice() {
        store.begin(1);
        direct.insert(allocated(7), DirectWrites.rowId(0, 0));

        assertThatThrownBy(() -> direct.insert(allocated(7), DirectWrites.rowId(0, 1)))
                .isInstanceOf(DuplicateRowException.class)
                .hasMessageContaining("Table ITEM already has a row with (ID) = (7)");
    }

    @Test
    void shouldFindRowsByIdWhenTransactionsRunBetweenReplayedRecords() {
        store.begin(1);
        long first = access.insert(5, item(1));
        store.commit();
        assertThat(direct.find(DirectWrites.rowId(5, 0))).isEqualTo(first);

        store.begin(2);
        table.delete(first);
        long second = access.insert(5, item(2));
        store.commit();
        store.begin(3);
        access.insert(5, item(3));
        store.rollback();

        assertThat(direct.find(DirectWrites.rowId(5, 0))).isZero();
        assertThat(direct.find(DirectWrites.rowId(5, 1))).isEqualTo(second);
        assertThat(direct.find(DirectWrites.rowId(5, 2))).isZero();
        store.begin(4);
        direct.delete(second);
        assertThat(direct.find(DirectWrites.rowId(5, 1))).isZero();
        store.verify();
        store.finishReplay();
        store.verify();
    }

    /** By ids where few were given out, and by a pass over all rows where many were. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1 << 20})
    void shouldDeleteTheRowsOfBucketsOnlyWhenAReplayMovesThem(long idsOfDeletedRows) {
        store.begin(1);
        for (long id = 0; id < 700; id++) {
            access.insert((int) (id % 7), item(id));
        }
        store.commit();
        direct.raiseNextRowId(2, idsOfDeletedRows);

        store.begin(2);
        direct.truncateInReplay(buckets(2));
        for (long id = 1000; id < 1100; id++) {
            direct.insert(allocated(id), DirectWrites.rowId(4, id));
        }
        direct.truncateInReplay(buckets(4, 6));

        int[] left = new int[7];
        for (long row = table.first(); row != 0; row = table.next(row)) {
            left[DirectWrites.bucket(table.rowId(row))]++;
        }
        assertThat(left).containsExactly(100, 100, 0, 100, 0, 100, 0);
        assertThat(table.count()).isEqualTo(400);
        store.verify();
        store.finishReplay();
    }

    private static BitSet buckets(int... numbers) {
        BitSet set = new BitSet();
        Arrays.stream(numbers).forEach(set::set);
        return set;
    }

    /** As in a command that is run again between data records. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldForgetRowIdsWhenAllRowsGoThatWereWrittenBefore(boolean rolledBack) {
        long[] rows = new long[1500];
        store.begin(1);
        for (int id = 0; id < rows.length; id++) {
            rows[id] = access.insert(5, item(id));
        }
        store.commit();
        assertThat(direct.find(DirectWrites.rowId(5, 7))).isEqualTo(rows[7]);

        store.begin(2);
        table.delete(rows[3]);
        for (int id = 2000; id < 2040; id++) {
            access.insert(5, item(id));
        }
        table.truncate();
        long last = access.insert(5, item(1));
        if (rolledBack) {
            store.rollback();
        } else {
            store.commit();
        }

        store.verify();
        assertThat(direct.find(DirectWrites.rowId(5, 3))).isEqualTo(rolledBack ? rows[3] : 0);
        assertThat(direct.find(DirectWrites.rowId(5, 1540))).isEqualTo(rolledBack ? 0 : last);
    }

    /** Without a replay nobody needed memory for it: so it must not be what rows are refused. */
    @Test
    void shouldFindRowsByIdWhereThereIsNoMemoryLeft() {
        int count = 0;
        try (PartitionStore full = new PartitionStore(PartitionStore.Options.single(4L << 20))) {
            TableStore items = full.createTable(ITEM);
            RowAccess into = new RowAccess(full, items);
            full.begin(1);
            while (full.memoryUsed() + (64 << 10) < 4L << 20) {
                into.insert(5, item(count++));
            }
            full.commit();
            long used = full.memoryUsed();

            assertThat(items.directWrites().find(DirectWrites.rowId(5, count - 1)))
                    .isNotZero();
            assertThat(full.memoryUsed()).isEqualTo(used);
            full.begin(2);
            into.insert(5, item(count));
            full.commit();
            assertThat(items.directWrites().find(DirectWrites.rowId(5, count))).isNotZero();
            full.verify();
            full.finishReplay();
            full.verify();
        }
    }
}
