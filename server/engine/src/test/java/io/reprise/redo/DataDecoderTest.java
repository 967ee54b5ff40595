package io.reprise.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.record.data.DataCollector;
import io.reprise.record.data.Payloads;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TestTables;
import io.reprise.storage.image.DamagedImageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DataDecoderTest {
    private static final Table ITEM = TestTables.table(5, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(20), true)
            .column("PRICE", SqlType.decimal(10, 2), true)
            .primaryKey(Index.Kind.HASH, 0)
            .build();
    private static final Table PHONE = TestTables.table(6, "PHONE")
            .column("AREA", SqlType.of(Kind.SMALLINT), false)
            .column("NAME", SqlType.varchar(30), false)
            .column("CALLS", SqlType.of(Kind.BIGINT), false)
            .primaryKey(Index.Kind.HASH, 1, 0)
            .build();
    private static final Table SORTED = TestTables.table(7, "SORTED")
            .column("A", SqlType.of(Kind.SMALLINT), false)
            .column("B", SqlType.of(Kind.DOUBLE), false)
            .column("C", SqlType.of(Kind.BIGINT), true)
            .primaryKey(Index.Kind.ORDERED, 0, 1)
            .build();
    private static final Table EVENT = TestTables.table(8, "EVENT")
            .column("AT", SqlType.of(Kind.BIGINT), false)
            .column("WHAT", SqlType.of(Kind.TINYINT), true)
            .build();

    private final PartitionStore live = store(PartitionStore.Options.single(1L << 28));
    private final PartitionStore redone = store(PartitionStore.Options.single(1L << 28));
    private final DataCollector collector = new DataCollector(live, true);
    private final WholeRedo redo = new WholeRedo(redone);

    private static PartitionStore store(PartitionStore.Options options) {
        PartitionStore store = new PartitionStore(options);
        List.of(ITEM, PHONE, SORTED, EVENT).forEach(store::createTable);
        return store;
    }

    @AfterEach
    void close() {
        redo.close();
        redone.close();
        live.close();
    }

    private RowAccess access(Table table) {
        return new RowAccess(live, live.table(table.id()));
    }

    private long insert(Table table, Object... values) {
        return access(table).insert(Buckets.DEFAULT.of(((Number) values[0]).longValue()), Arrays.asList(values));
    }

    private byte[] commit() {
        byte[] payload = Payloads.collect(collector, true);
        live.commit();
        return payload;
    }

    @Test
    void shouldUnpackRowsAndChangesUnlessStringsAreInTheWay() {
        live.begin(1);
        long plain = insert(ITEM, 1L, Bytes.of("plum"), 10L);
        long spilled = insert(ITEM, 2L, Bytes.of("\uD83C\uDF51".repeat(20)), 10L);
        long phone = insert(PHONE, 3L, Bytes.of("home"), 0L);
        long event = insert(EVENT, 4L, null);
        byte[] inserts = commit();
        live.begin(2);
        access(ITEM).update(plain, 0, 2, null);
        access(ITEM).update(spilled, 0, 1, Bytes.of("peach"));
        access(PHONE).update(phone, 0, 2, 1L);
        access(EVENT).update(event, 0, 1, 3L);
        byte[] updates = commit();
        live.begin(3);
        live.table(ITEM.id()).delete(plain);
        live.table(PHONE.id()).delete(phone);
        live.table(EVENT.id()).delete(event);
        byte[] deletes = commit();

        assertThat(redo.kinds(1, inserts))
                .containsExactly(RedoBatch.INSERT, RedoBatch.PACKED, RedoBatch.INSERT, RedoBatch.INSERT);
        assertThat(redo.kinds(2, updates))
                .containsExactly(RedoBatch.UPDATE, RedoBatch.PACKED, RedoBatch.PACKED, RedoBatch.UPDATE);
        assertThat(redo.kinds(3, deletes)).containsExactly(RedoBatch.DELETE, RedoBatch.PACKED, RedoBatch.DELETE);
        assertThat(redone.contentHash()).isEqualTo(live.contentHash());
        redone.verify();
    }

    @Test
    void shouldWriteRowsWhereTheyStayUntilOneIsDeletedAndAgainWhenManyMoreHaveCome() {
        try (PartitionStore other = store(PartitionStore.Options.single(1L << 28));
                WholeRedo soon = new WholeRedo(other, 2)) {
            List<byte[]> inserts = new ArrayList<>();
            List<Long> rows = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                live.begin(i);
                rows.add(insert(EVENT, (long) i, 1L));
                inserts.add(commit());
            }
            live.begin(10);
            live.table(EVENT.id()).delete(rows.getFirst());
            byte[] delete = commit();

            for (int i = 0; i < 2; i++) {
                assertThat(soon.kinds(i, inserts.get(i))).containsExactly(RedoBatch.INSERT);
            }
            assertThat(soon.kinds(2, inserts.get(2))).containsExactly(RedoBatch.PLACED);
            assertThat(soon.kinds(10, delete)).containsExactly(RedoBatch.DELETE);
            assertThat(soon.kindsGivenBack()).containsExactly(RedoBatch.GIVEN_BACK, RedoBatch.SPENT);
            for (int i = 3; i < 7; i++) {
                assertThat(soon.kinds(i, inserts.get(i))).containsExactly(RedoBatch.INSERT);
            }
            assertThat(soon.kinds(7, inserts.get(7))).containsExactly(RedoBatch.PLACED);
            assertThat(soon.kinds(8, inserts.get(8))).containsExactly(RedoBatch.PLACED);
            soon.storeAll();
            assertThat(other.contentHash()).isEqualTo(live.contentHash());
            assertThat(other.table(EVENT.id()).nextRowId(Buckets.DEFAULT.of(8)))
                    .isEqualTo(live.table(EVENT.id()).nextRowId(Buckets.DEFAULT.of(8)));
            other.verify();
        }
    }

    @Test
    void shouldNameTheTransactionOfARowThatIsThereAlready() {
        byte[][] inserts = new byte[4][];
        for (int i = 0; i < 4; i++) {
            live.begin(i);
            long row = insert(SORTED, (long) i / 2, 0L, 1L);
            inserts[i] = commit();
            live.begin(i);
            live.table(SORTED.id()).delete(row);
            commit();
        }
        for (int i = 0; i < 4; i++) {
            redo.add(100 + i, inserts[i]);
        }

        assertThatThrownBy(redo::store)
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageContaining("when transaction 0x65 ran first: it inserts a row that is there already")
                .hasMessageContaining("(A, B) = (0, 0.0)");
    }

    @Test
    void shouldCountInsertionsByTableUntilTheBatchIsEmptied() {
        live.begin(1);
        insert(ITEM, 1L, Bytes.of("plum"), 10L);
        long spilled = insert(ITEM, 2L, Bytes.of("\uD83C\uDF51".repeat(20)), 10L);
        insert(EVENT, 4L, null);
        byte[] inserts = commit();
        live.begin(2);
        access(ITEM).update(spilled, 0, 2, 1L);
        byte[] updates = commit();

        redo.apply(1, inserts);
        RedoBatch batch = redo.decode(1, inserts);

        assertThat(batch.insertions(ITEM.id())).isEqualTo(2);
        assertThat(batch.insertions(EVENT.id())).isEqualTo(1);
        assertThat(batch.tables()).isEqualTo(EVENT.id() + 1);
        assertThat(redo.decode(2, updates).tables()).isZero();
        assertThat(batch.insertions(ITEM.id())).isZero();
    }

    @Test
    void shouldGoOnInAnotherBatchWhenOneIsFull() {
        live.begin(1);
        for (long id = 0; id < 20_000; id++) {
            insert(ITEM, id, Bytes.of("item"), id);
        }
        byte[] payload = commit();

        RedoBatch last = redo.decode(1, payload);

        assertThat(redone.table(ITEM.id()).count()).isBetween(10_000L, 19_999L);
        assertThat(last.insertions(ITEM.id())).isBetween(1, 9_999);
    }

    @Test
    void shouldUnpackOnlyRowsOfItsOwnPartition() {
        BitSet buckets = new BitSet();
        buckets.set(Buckets.DEFAULT.of(1));
        live.begin(1);
        insert(ITEM, 1L, null, 10L);
        insert(ITEM, 2L, Bytes.of("\uD83C\uDF51".repeat(20)), 10L);
        insert(EVENT, 2L, 1L);
        byte[] payload = commit();

        try (PartitionStore part = store(new PartitionStore.Options(0, 1L << 28, buckets));
                WholeRedo own = new WholeRedo(part)) {
            assertThat(own.kinds(1, payload)).containsExactly(RedoBatch.INSERT);
        }
    }

    @Test
    void shouldStoreNothingOfARecordThatIsDamagedBehind() {
        live.begin(1);
        insert(ITEM, 1L, Bytes.of("plum"), 10L);
        byte[] payload = commit();

        assertThatThrownBy(() -> redo.apply(1, Arrays.copyOf(payload, payload.length - 1)))
                .isInstanceOf(DamagedImageException.class);

        assertThat(redone.table(ITEM.id()).count()).isZero();
    }

    @Test
    void shouldNameTheKeyOfARowThatIsNotThere() {
        live.begin(1);
        long row = insert(SORTED, -3L, Double.doubleToLongBits(-1.5), 1L);
        long other = insert(SORTED, 4L, Double.doubleToLongBits(2.25), 1L);
        commit();
        live.begin(2);
        access(SORTED).update(row, 0, 2, 2L);
        byte[] update = commit();
        live.begin(3);
        live.table(SORTED.id()).delete(other);
        byte[] delete = commit();

        assertThatThrownBy(() -> redo.apply(2, update))
                .isInstanceOf(DivergedReplayException.class)
                .hasMessageContaining("changes the row with (A, B) = (-3, -1.5) of table SORTED");
        assertThatThrownBy(() -> redo.apply(3, delete)).hasMessageContaining("deletes the row with (A, B) = (4, 2.25)");
    }
}
