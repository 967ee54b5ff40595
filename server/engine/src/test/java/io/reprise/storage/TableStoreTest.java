package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.row.Ref;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TableStoreTest {
    private static final int ID = 0;
    private static final int NAME = 1;
    private static final int NOTE = 2;
    private static final int PRICE = 3;
    private static final Table TABLE = TestTables.table(1, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(10), true)
            .column("NOTE", SqlType.varchar(1000), true)
            .column("PRICE", SqlType.decimal(10, 2), true)
            .primaryKey(Index.Kind.HASH, ID)
            .index("BY_NAME", Index.Kind.ORDERED, true, NAME, PRICE)
            .build();

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));
    private final TableStore table = store.createTable(TABLE);
    private final RowAccess access = new RowAccess(store, table);

    @AfterEach
    void close() {
        store.close();
    }

    private long insert(long id, String name, String note, Long price) {
        return access.insert(0, row(id, name, note, price));
    }

    private static List<Object> row(long id, String name, String note, Long price) {
        return Arrays.asList(id, name == null ? null : Bytes.of(name), note == null ? null : Bytes.of(note), price);
    }

    @Test
    void shouldKeepStringsWhateverTheirLengthAndScript() {
        store.begin(1);
        List<Long> rows = new ArrayList<>();
        String[] names = {"", "a", "0123456789", "\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e\u65e5", null};
        for (int i = 0; i < names.length; i++) {
            rows.add(insert(i, names[i], names[i] == null ? null : names[i].repeat(90), 5L));
        }
        store.commit();
        store.verify();

        for (int i = 0; i < names.length; i++) {
            String note = names[i] == null ? null : names[i].repeat(90);
            assertThat(access.read(rows.get(i))).isEqualTo(row(i, names[i], note, 5L));
        }
        long inline = table.readString(rows.get(2), NAME);
        long spilled = table.readString(rows.get(3), NAME);
        assertThat(Ref.address(inline) - rows.get(2))
                .isBetween(0L, (long) table.layout().size());
        assertThat(Math.abs(Ref.address(spilled) - rows.get(3)))
                .isGreaterThan(table.layout().size());
    }

    @Test
    void shouldNameTableIndexColumnsAndKeyWhenAConstraintIsViolated() {
        store.begin(1);
        insert(7, "pear", null, 150L);

        assertThatThrownBy(() -> insert(7, "plum", "x".repeat(100), 1L))
                .isInstanceOf(ProcedureException.class)
                .hasMessageContaining("ITEM")
                .hasMessageContaining("(ID) = (7)")
                .hasMessageContaining("primary key PK_ITEM")
                .extracting(e -> ((ProcedureException) e).code())
                .isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
        assertThatThrownBy(() -> insert(8, "pear", null, 150L))
                .hasMessageContaining("(NAME, PRICE) = ('pear', 1.50)")
                .hasMessageContaining("unique index BY_NAME");
        store.commit();
        store.verify();
    }

    @Test
    void shouldNotTakeNullsForEqualWhenAUniqueKeyContainsOne() {
        store.begin(1);
        insert(1, "pear", null, null);
        insert(2, "pear", null, null);
        insert(3, null, null, null);
        insert(4, null, null, null);
        store.commit();
        store.verify();

        assertThat(table.count()).isEqualTo(4);
    }

    @Test
    void shouldLeaveTheRowAsItWasWhenAnUpdateViolatesAConstraint() {
        store.begin(1);
        insert(1, "pear", null, 1L);
        long row = insert(2, "plum", "a long note that lies in the heap", 1L);
        store.commit();
        store.begin(2);
        long hash = store.writeHash();
        long strings = table.memoryUse().stringsInUse();

        assertThatThrownBy(() -> access.update(row, 0b10, NAME, Bytes.of("pear")))
                .hasMessageContaining("BY_NAME");

        assertThat(access.read(row)).isEqualTo(row(2, "plum", "a long note that lies in the heap", 1L));
        assertThat(store.writeHash()).isEqualTo(hash);
        store.commit();
        store.verify();
        assertThat(table.memoryUse().stringsInUse()).isEqualTo(strings);
    }

    @Test
    void shouldAllowTransientDuplicatesWhenKeysMoveInTwoSteps() {
        long[] rows = new long[100];
        store.begin(1);
        for (int i = 0; i < rows.length; i++) {
            rows[i] = insert(i, "n" + i, null, null);
        }
        store.commit();
        store.begin(2);
        moveKeys(rows, 1);
        store.verify();
        long content = store.contentHash();
        store.commit();
        store.begin(3);
        moveKeys(rows, 50);
        store.rollback();
        store.verify();

        assertThat(store.contentHash()).isEqualTo(content);
        for (int i = 0; i < rows.length; i++) {
            assertThat(access.read(rows[i]).get(ID)).isEqualTo(i + 1L);
        }
    }

    private void moveKeys(long[] rows, int by) {
        for (long row : rows) {
            table.unindex(row, 0b01);
            access.update(row, 0, ID, (Long) access.read(row).get(ID) + by);
        }
        for (long row : rows) {
            table.index(row, 0b01);
        }
    }

    @Test
    void shouldRefuseInTheSecondStepWhenKeysAreEqual() {
        store.begin(1);
        long a = insert(1, "a", null, null);
        long b = insert(2, "b", null, null);
        store.commit();
        store.begin(2);
        for (long row : new long[] {a, b}) {
            table.unindex(row, 0b01);
            access.update(row, 0, ID, 9L);
        }
        table.index(a, 0b01);

        assertThatThrownBy(() -> table.index(b, 0b01)).hasMessageContaining("(ID) = (9)");

        store.rollback();
        store.verify();
        assertThat(access.read(b).get(ID)).isEqualTo(2L);
    }

    @Test
    void shouldRestoreTheRowWhenAnUpdateIsBrokenOff() {
        store.begin(1);
        long row = insert(1, "a", "a note of some length", 5L);
        store.commit();
        store.begin(2);
        table.beginUpdate(row, 8, table.layout().size() - 8, 0b11);
        access.write(row, ID, 77L);
        access.write(row, NOTE, Bytes.of("another note"));

        store.rollback();

        assertThat(access.read(row)).isEqualTo(row(1, "a", "a note of some length", 5L));
        store.verify();
    }

    @Test
    void shouldBringBackEverythingWhenATruncationIsRolledBack() {
        for (int count : new int[] {10, 5_000}) {
            store.begin(1);
            for (int i = 0; i < count; i++) {
                insert(i, "n" + i, "a note that needs the heap " + i, (long) i);
            }
            store.commit();
            long content = store.contentHash();
            store.begin(2);
            long row = insert(-1, "new", "before the truncation", 1L);
            access.update(row, 0, NOTE, Bytes.of("changed before the truncation"));
            table.truncate();
            assertThat(table.count()).isZero();
            row = insert(3, "after", "after the truncation", 1L);
            access.update(row, 0, NOTE, Bytes.of("changed after the truncation"));
            int savepoint = store.savepoint();
            table.truncate();
            insert(4, "again", "yet another", 1L);
            store.rollbackTo(savepoint);
            store.verify();
            assertThat(table.count()).isEqualTo(1);
            store.rollback();
            store.verify();
            assertThat(store.contentHash()).isEqualTo(content);
            store.begin(3);
            access.update(table.first(), 0, NOTE, Bytes.of("replaced, then truncated"));
            table.delete(table.next(table.first()));
            table.truncate();
            insert(1, "kept", "stays", null);
            store.commit();
            store.verify();
            assertThat(table.count()).isEqualTo(1);
            store.begin(4);
            table.truncate();
            store.commit();
            store.verify();
        }
        assertThat(table.memoryUse().total()).isLessThan(1 << 20);
    }

    @Test
    void shouldNotGrowWhenRowsComeAndGo() {
        Random random = new Random(3);
        List<Long> rows = new ArrayList<>();
        long most = 0;
        for (int round = 0; round < 200_000; round++) {
            store.begin(round);
            String note = "n".repeat(20 + random.nextInt(200));
            rows.add(insert(round, "n" + round, note, (long) round));
            if (rows.size() > 2_000) {
                int victim = random.nextInt(rows.size());
                table.delete(rows.set(victim, rows.getLast()));
                rows.removeLast();
            }
            store.commit();
            if (round == 20_000) {
                most = table.memoryUse().total();
            }
        }
        store.verify();

        assertThat(table.memoryUse().total()).isLessThanOrEqualTo(most * 11 / 10);
        assertThat(table.memoryUse().rows())
                .isLessThanOrEqualTo(table.memoryUse().rowsInUse() * 13 / 10);
    }

    @Test
    void shouldGiveMemoryBackWhenATableIsEmptied() {
        store.begin(1);
        List<Long> rows = new ArrayList<>();
        for (int i = 0; i < 50_000; i++) {
            rows.add(insert(i, "n" + i, "a note that needs the heap", (long) i));
        }
        store.commit();
        long full = table.memoryUse().total();
        store.begin(2);
        rows.forEach(table::delete);
        store.commit();
        store.verify();

        assertThat(full).isGreaterThan(5_000_000);
        assertThat(table.memoryUse().total()).isLessThan(1_000_000);
        assertThat(table.scanStart()).isEqualTo(table.scanEnd());
    }

    @Test
    void shouldTellObserversOfWritesBeforeAndTheLogOfAllAtTheEnd() {
        List<String> seen = new ArrayList<>();
        store.observeWrites(new WriteObserver() {
            @Override
            public void inserted(TableStore of, long row) {
                seen.add("inserted " + access.read(row).get(ID));
            }

            @Override
            public void beforeChange(TableStore of, long row) {
                seen.add("change of " + access.read(row).get(PRICE));
            }

            @Override
            public boolean keeps(TableStore of, long firstPlace, Runnable free) {
                seen.add("rows freed");
                return false;
            }
        });

        store.begin(5);
        long row = insert(1, "a", null, 10L);
        store.savepoint();
        access.update(row, 0b10, PRICE, 20L);
        access.update(row, 0, NOTE, Bytes.of("a note that needs the heap"));
        table.delete(row);
        addWrites(seen);
        store.commit();
        store.begin(6);
        insert(2, "b", null, 10L);
        store.rollback();
        addWrites(seen);
        store.begin(7);
        addWrites(seen);
        store.commit();

        assertThat(seen)
                .containsExactly(
                        "inserted 1",
                        "change of 10",
                        "change of 20",
                        "change of 20",
                        "5: INSERT row 1",
                        "5: UPDATE row 1 price was 10",
                        "5: UPDATE row 1 price was 20",
                        "5: DELETE row 1",
                        "inserted 2");
    }

    private void addWrites(List<String> seen) {
        TransactionWrites writes = store.writes();
        while (writes.next()) {
            seen.add(store.transactionId() + ": " + describe(writes));
        }
    }

    private String describe(TransactionWrites writes) {
        Object id = access.read(writes.row()).get(ID);
        String what = writes.kind() + " row " + id;
        int offset = table.layout().offset(PRICE);
        boolean covers = writes.kind() == TransactionWrites.Kind.UPDATE
                && writes.from() <= offset
                && writes.from() + writes.length() >= offset + 8;
        return covers ? what + " price was " + store.memory().getLong(writes.image() + offset - writes.from()) : what;
    }

    @Test
    void shouldHashWritesAlikeWhereverRowsAndStringsLie() {
        try (PartitionStore other = new PartitionStore(PartitionStore.Options.single(1L << 30))) {
            TableStore otherTable = other.createTable(TABLE);
            RowAccess otherAccess = new RowAccess(other, otherTable);
            otherTable.allocate();
            other.begin(0);
            long filler = otherAccess.insert(5, row(1000, "filler", "takes the first block", null));
            other.commit();
            other.begin(1);
            otherTable.delete(filler);

            long hash = other.writeHash();
            other.commit();
            assertThat(hash).isNotZero();
            assertThat(writesOf(other, otherTable, otherAccess)).isEqualTo(writesOf(store, table, access));
            assertThat(other.contentHash()).isEqualTo(store.contentHash());
        }
    }

    private static long writesOf(PartitionStore in, TableStore table, RowAccess access) {
        in.begin(9);
        long row = access.insert(3, row(1, "spilled name \u00e4\u00f6", "a note that needs the heap", 5L));
        access.update(row, 0, NOTE, Bytes.of("a longer note that needs the heap as well"));
        access.update(row, 0b11, ID, 2L);
        access.update(row, 0b10, NAME, null);
        table.delete(access.insert(4, row(7, null, "", null)));
        long hash = in.writeHash();
        in.commit();
        return hash;
    }

    @Test
    void shouldGiveTheSameRowIdsAgainWhenATransactionIsRolledBack() {
        store.begin(1);
        long first = table.rowId(insert(1, null, null, null));
        store.rollback();
        store.begin(2);
        long again = table.rowId(insert(2, null, null, null));
        long other = table.rowId(access.insert(9, row(3, null, null, null)));
        store.commit();

        assertThat(again).isEqualTo(first);
        assertThat(other >>> RowLayout.SEQUENCE_BITS).isEqualTo(9);
    }

    @Test
    void shouldFindByWordWhenTheKeyIsOneExactWord() {
        store.begin(1);
        long row = insert(-5, null, null, null);
        IndexKey key = new IndexKey(table.hashIndex(0).layout());
        table.hashIndex(0).layout().put(key, 0, -5);

        assertThat(table.hashIndex(0).findsByWord()).isTrue();
        assertThat(table.hashIndex(0).find(key.words[0])).isEqualTo(row);
        assertThat(table.orderedIndex(1).findsByWord()).isFalse();
    }
}
