package io.reprise.redo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.record.data.Payloads;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import io.reprise.storage.TestTables;
import io.reprise.storage.image.DamagedImageException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataRedoTest {
    private static final int ID = 0;
    private static final int NAME = 1;
    private static final int PRICE = 2;
    private static final Table ITEM = TestTables.table(5, "ITEM")
            .column("ID", SqlType.of(Kind.INTEGER), false)
            .column("NAME", SqlType.varchar(100), true)
            .column("PRICE", SqlType.decimal(10, 2), true)
            .primaryKey(Index.Kind.HASH, ID)
            .index("BY_NAME", Index.Kind.ORDERED, true, NAME, ID)
            .build();
    private static final Table EVENT = TestTables.table(6, "EVENT")
            .column("AT", SqlType.of(Kind.BIGINT), false)
            .column("WHAT", SqlType.varchar(20), true)
            .build();

    private final PartitionStore live = store();
    private final PartitionStore redone = store();
    private final DataCollector collector = new DataCollector(live, true);
    private final WholeRedo redo = new WholeRedo(redone);
    private long lastTransaction;

    private static PartitionStore store() {
        PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 28));
        store.createTable(ITEM);
        store.createTable(EVENT);
        return store;
    }

    @AfterEach
    void close() {
        redo.close();
        live.close();
        redone.close();
    }

    private static List<Object> item(long id, String name, Long price) {
        return Arrays.asList(id, name == null ? null : Bytes.of(name), price);
    }

    private long insert(Table table, List<Object> row) {
        return new RowAccess(live, live.table(table.id())).insert(Buckets.DEFAULT.of((Long) row.getFirst()), row);
    }

    private byte[] transaction(LongConsumer writes) {
        live.begin(++lastTransaction);
        writes.accept(lastTransaction);
        byte[] payload = Payloads.collect(collector, true);
        live.commit();
        return payload;
    }

    private void apply(byte[] payload) {
        redo.apply(lastTransaction, payload);
    }

    private void applyHex(String hex) {
        apply(HexFormat.of().parseHex(hex));
    }

    private static String hex(byte[] payload) {
        return HexFormat.of().formatHex(payload);
    }

    @Test
    void shouldWriteTheDocumentedBytes() {
        long[] rows = new long[2];
        TableStore items = live.table(ITEM.id());
        RowAccess access = new RowAccess(live, items);

        byte[] inserts = transaction(_ -> {
            rows[0] = insert(ITEM, item(7, "plum", 150L));
            rows[1] = insert(EVENT, Arrays.asList(-1L, null));
        });
        byte[] update = transaction(_ -> access.update(rows[0], 0, PRICE, 151L));
        byte[] keyChange = transaction(_ -> access.update(rows[0], 0b11, ID, 8L));
        byte[] spent = transaction(_ -> items.delete(insert(ITEM, item(7, "kiwi", 1L))));
        byte[] delete = transaction(_ -> {
            items.delete(rows[0]);
            live.table(EVENT.id()).delete(rows[1]);
        });

        assertThat(hex(inserts))
                .isEqualTo(
                        "05" + "0cce02" + "00" + "000e04706c756dac02" + "00" + "06" + "0c8703" + "00" + "0101" + "00");
        assertThat(hex(update)).isEqualTo("05" + "0dce02" + "0e" + "0400ae02" + "00");
        assertThat(hex(keyChange)).isEqualTo("05" + "0ace02" + "0e" + "04" + "00" + "001004706c756dae02" + "00");
        assertThat(hex(spent)).isEqualTo("05" + "0bce02" + "02" + "00");
        assertThat(hex(delete)).isEqualTo("05" + "0ace02" + "10" + "00" + "06" + "0a8703" + "00" + "00");
        for (byte[] payload : List.of(inserts, update, keyChange, spent, delete)) {
            apply(payload);
        }
        assertThat(redone.contentHash()).isEqualTo(live.contentHash());
        assertThat(redone.table(ITEM.id()).nextRowId(Buckets.DEFAULT.of(7))).isEqualTo(2);
        redone.verify();
    }

    @Test
    void shouldFollowWhatATableIsWhenItChangesBetweenRecords() {
        Table wider = TestTables.table(ITEM.id(), "ITEM")
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("SIZE", SqlType.of(Kind.BIGINT), false)
                .column("PRICE", SqlType.decimal(10, 2), true)
                .column("WEIGHT", SqlType.of(Kind.DOUBLE), true)
                .primaryKey(Index.Kind.HASH, 0, 1)
                .build();
        apply(transaction(_ -> insert(ITEM, item(7, "plum", 150L))));
        for (PartitionStore store : List.of(live, redone)) {
            store.dropTable(ITEM.id());
            store.createTable(wider);
        }
        long[] row = new long[1];

        apply(transaction(_ -> row[0] = insert(wider, Arrays.asList(7L, 9L, 150L, null))));
        apply(transaction(_ -> new RowAccess(live, live.table(ITEM.id())).update(row[0], 0, PRICE, 151L)));

        assertThat(redone.contentHash()).isEqualTo(live.contentHash());
        redone.verify();
    }

    @Test
    void shouldBeEmptyWhenNothingIsLeftOfTheWrites() {
        long[] row = new long[1];
        RowAccess access = new RowAccess(live, live.table(ITEM.id()));
        transaction(_ -> row[0] = insert(ITEM, item(7, "plum", 150L)));

        byte[] payload = transaction(_ -> {
            access.update(row[0], 0, PRICE, 150L);
            access.update(row[0], 0b10, NAME, Bytes.of("plum"));
        });

        assertThat(payload).isEmpty();
    }

    @Test
    void shouldWriteEveryColumnOutsideUniqueKeysWhenNotDifferential() {
        DataCollector whole = new DataCollector(live, false);
        long[] row = new long[1];
        TableStore events = live.table(EVENT.id());
        transaction(_ -> row[0] = insert(EVENT, Arrays.asList(5L, Bytes.of("open"))));

        live.begin(9);
        new RowAccess(live, events).update(row[0], 0, 1, Bytes.of("shut"));
        int wholeLength = Payloads.collect(whole, true).length;
        int differentialLength = Payloads.collect(collector, true).length;

        assertThat(wholeLength - differentialLength).isEqualTo(1);
    }

    @Test
    void shouldNameTransactionTableAndKeyWhenRowsDontFit() {
        long[] rows = new long[2];
        byte[] inserts = transaction(_ -> {
            rows[0] = insert(ITEM, item(7, "plum", 150L));
            rows[1] = insert(EVENT, Arrays.asList(5L, null));
        });
        byte[] update = transaction(_ -> new RowAccess(live, live.table(ITEM.id())).update(rows[0], 0, PRICE, 151L));
        byte[] delete = transaction(_ -> live.table(EVENT.id()).delete(rows[1]));

        assertThatThrownBy(() -> apply(update))
                .isInstanceOf(DivergedReplayException.class)
                .hasMessage(
                        "Replay has come to other data than there was when transaction 0x3 ran first: it changes the row"
                                + " with (ID) = (7) of table ITEM, which is not there.");
        assertThatThrownBy(() -> apply(delete))
                .isInstanceOf(DivergedReplayException.class)
                .hasMessage(
                        "Replay has come to other data than there was when transaction 0x3 ran first: it deletes row 0 in"
                                + " bucket 92 of table EVENT, which is not there.");
        apply(inserts);
        assertThatThrownBy(() -> apply(inserts))
                .isInstanceOf(DivergedReplayException.class)
                .hasMessage(
                        "Replay has come to other data than there was when transaction 0x3 ran first: it inserts a row that"
                                + " is there already. Table ITEM already has a row with (ID) = (7), which its primary key PK_ITEM"
                                + " forbids");
    }

    @Test
    void shouldSayAtWhichByteWhenThePayloadIsNone() {
        assertThatThrownBy(() -> applyHex("05ff"))
                .isInstanceOf(DamagedImageException.class)
                .hasMessage(
                        "The data record of transaction 0 is none. Damaged at byte 2 of 2: the bytes end in the middle of"
                                + " a value.");
        assertThatThrownBy(() -> applyHex("07")).hasMessageContaining("at byte 1 of 1: there is no table 7.");
        assertThatThrownBy(() -> applyHex("0507")).hasMessageContaining("there is no operation 7.");
        for (String without : List.of("050400", "05020e00", "05030e00")) {
            assertThatThrownBy(() -> applyHex(without)).hasMessageContaining("a row has no bucket.");
        }
        assertThatThrownBy(() -> applyHex("050c8008")).hasMessageContaining("a bucket is 1024 where 1023 is the most.");
        assertThatThrownBy(() -> applyHex("050c0001")).hasMessageContaining("a row has number -1.");
    }

    @Test
    void shouldFailWithATypedErrorOrLeaveAWholeStoreWhenBytesAreDamaged() {
        byte[] before = transaction(_ -> {
            for (long id = 0; id < 20; id++) {
                insert(ITEM, item(id, id % 3 == 0 ? null : "name ".repeat((int) id) + id, id));
                insert(EVENT, Arrays.asList(id, Bytes.of("event " + id)));
            }
        });
        TableStore items = live.table(ITEM.id());
        RowAccess access = new RowAccess(live, items);
        byte[] payload = transaction(_ -> {
            long row = items.first();
            access.update(row, 0b10, NAME, Bytes.of("x".repeat(90)));
            row = items.next(row);
            items.delete(row);
            access.update(items.next(row), 0b11, ID, 4711L);
            items.delete(insert(ITEM, item(99, "kiwi", 1L)));
            insert(ITEM, item(100, "pear", null));
            live.table(EVENT.id()).delete(live.table(EVENT.id()).first());
        });
        int applied = 0;
        for (int position = 0; position < payload.length; position++) {
            for (int bit = 0; bit < 8; bit++) {
                byte[] damaged = payload.clone();
                damaged[position] ^= (byte) (1 << bit);
                applied += tryToApply(before, damaged);
            }
            applied += tryToApply(before, Arrays.copyOf(payload, position));
        }

        assertThat(applied).isBetween(1, 8 * payload.length);
    }

    /** 1 when the bytes were applied: then everything that is stored agrees with itself, though it is not what it was. */
    private int tryToApply(byte[] before, byte[] damaged) {
        try (PartitionStore store = store();
                WholeRedo damagedRedo = new WholeRedo(store)) {
            damagedRedo.apply(1, before);
            try {
                damagedRedo.apply(2, damaged);
            } catch (DamagedImageException | DivergedReplayException e) {
                return 0;
            }
            store.verify();
            return 1;
        }
    }

    /** Memory that is taken ahead, for rows that are likely to come, is not what others are refused. */
    @Test
    void shouldStoreInTheSameMemoryWhatWasInserted() {
        Table[] tables = {keyed(1), keyed(2), keyed(3)};
        try (PartitionStore full = store(24L << 20, tables);
                PartitionStore again = store(24L << 20, tables);
                WholeRedo into = new WholeRedo(again)) {
            DataCollector collected = new DataCollector(full, true);
            List<byte[]> records = new ArrayList<>();
            // The first table has all that comes for a while, as if it went on like that; then the others fill what is
            // left.
            long id = 0;
            boolean refused = false;
            while (!refused) {
                full.begin(records.size());
                Table table = tables[records.size() < 600 ? 0 : 1 + records.size() % 2];
                RowAccess rows = new RowAccess(full, full.table(table.id()));
                try {
                    for (int i = 0; i < 100; i++) {
                        rows.insert(Buckets.DEFAULT.of(id), List.of(id++, 5L));
                    }
                    records.add(Payloads.collect(collected, true));
                    full.commit();
                } catch (ProcedureException e) {
                    refused = true;
                    full.rollback();
                }
            }
            // A queue in what is full: one goes, one comes, unless it is refused.
            TableStore queue = full.table(2);
            for (int i = 0; i < 4000; i++) {
                full.begin(records.size());
                queue.delete(queue.first());
                records.add(Payloads.collect(collected, true));
                full.commit();
                full.begin(records.size());
                try {
                    new RowAccess(full, queue).insert(Buckets.DEFAULT.of(id), List.of(id++, 5L));
                    records.add(Payloads.collect(collected, true));
                    full.commit();
                } catch (ProcedureException e) {
                    full.rollback();
                }
            }
            boolean saved = false;
            for (int i = 0; i < records.size(); i++) {
                into.at(i * 100_000L, records.size() * 100_000L);
                into.add(i, records.get(i));
                saved |= again.isShortOfMemory();
            }
            into.storeAll();

            assertThat(records).hasSizeGreaterThan(2000);
            assertThat(saved).isTrue();
            assertThat(again.contentHash()).isEqualTo(full.contentHash());
            again.verify();
        }
    }

    /** While decoders have places of it, and write rows there that come behind. */
    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldGiveTheMemoryBackOfATableThatIsTruncated(int decoders) {
        Table table = keyed(1);
        // Its id takes two bytes in the log.
        Table other = keyed(300);
        try (Twins twins = new Twins(48L << 20, decoders, table, other)) {
            twins.insert(table, 2000, 150);
            twins.run(() -> twins.live.table(table.id()).truncate());
            twins.insert(table, 40, 5);
            twins.insert(other, 2000, 150);
            twins.redo.storeAll();

            twins.compare();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3})
    void shouldTakeNoMoreMemoryWhenRowsAreDeletedNowAndThen(int decoders) {
        Table table = keyed(1);
        try (Twins twins = new Twins(512L << 20, decoders, table)) {
            for (int round = 0; round < 25; round++) {
                long last = twins.insert(table, 200, 100);
                twins.run(() -> twins.live.table(table.id()).delete(last));
            }
            assertThat(twins.most).isLessThan(8L << 20);
            twins.redo.storeAll();

            twins.compare();
        }
    }

    /** A partition, and another one where what was done is stored again, much later. */
    private static final class Twins implements AutoCloseable {
        private final PartitionStore live;
        private final PartitionStore again;
        private final RedoInTurns redo;
        private final DataCollector collected;
        private int id;

        /** The largest surplus of the other one's memory. */
        private long most;

        Twins(long limit, int decoders, Table... tables) {
            live = store(limit, tables);
            again = store(limit, tables);
            redo = new RedoInTurns(again, 100, decoders, 2);
            collected = new DataCollector(live, true);
        }

        void run(Runnable writes) {
            live.begin(++id);
            writes.run();
            redo.add(id, Payloads.collect(collected, true));
            live.commit();
            if (id % 20 == 0) {
                redo.store();
                most = Math.max(most, again.memoryUsed() - live.memoryUsed());
            }
        }

        /** Inserts so many rows in each of so many transactions; returns the last one. */
        long insert(Table table, int transactions, int rows) {
            long[] last = new long[1];
            for (int i = 0; i < transactions; i++) {
                run(() -> {
                    RowAccess access = new RowAccess(live, live.table(table.id()));
                    for (long row = 0; row < rows; row++) {
                        last[0] = access.insert(Buckets.DEFAULT.of(row), List.of(row + 1000L * id, row));
                    }
                });
            }
            return last[0];
        }

        void compare() {
            assertThat(again.contentHash()).isEqualTo(live.contentHash());
            assertThat(again.memoryUsed()).isLessThan(live.memoryUsed() + (1L << 20));
            again.verify();
        }

        @Override
        public void close() {
            redo.close();
            again.close();
            live.close();
        }
    }

    private static Table keyed(int id) {
        return TestTables.table(id, "T" + id)
                .column("ID", SqlType.of(Kind.BIGINT), false)
                .column("N", SqlType.of(Kind.BIGINT), false)
                .primaryKey(Index.Kind.HASH, ID)
                .build();
    }

    private static PartitionStore store(long limit, Table... tables) {
        PartitionStore store = new PartitionStore(PartitionStore.Options.single(limit));
        for (Table table : tables) {
            store.createTable(table);
        }
        return store;
    }
}
