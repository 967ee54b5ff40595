package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.SqlType.Kind;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.log.WriteHash;
import io.reprise.simulation.Seeds;
import io.reprise.storage.RowAccess.Bytes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.LongConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Differences that the hash of a transaction's writes tells apart, and others that it does not. */
class WriteHashTest {
    private static final int ID = 0;
    private static final int A = 1;
    private static final int B = 2;
    private static final int SMALL = 3;
    private static final int NAME = 4;
    private static final int NOTE = 5;
    private static final int PRICE = 6;
    private static final int ROWS = 6;
    private static final String HEAP = "longer than what lies in a row, so it is in the heap ".repeat(2);

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));
    private final TableStore table = store.createTable(table(1));
    private final TableStore other = store.createTable(table(2));
    private final RowAccess access = new RowAccess(store, table);
    private final RowAccess otherAccess = new RowAccess(store, other);
    private final long[] rows = new long[ROWS];
    private long transactions;

    WriteHashTest() {
        store.begin(++transactions);
        for (int i = 0; i < ROWS; i++) {
            rows[i] = access.insert(i / 2, row(i, 0, "name", HEAP));
            otherAccess.insert(i / 2, row(i, 0, "name", HEAP));
        }
        store.commit();
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static Table table(int id) {
        return TestTables.table(id, "THING" + id)
                .column("ID", SqlType.of(Kind.INTEGER), false)
                .column("A", SqlType.of(Kind.INTEGER), false)
                .column("B", SqlType.of(Kind.INTEGER), false)
                .column("SMALL", SqlType.of(Kind.TINYINT), false)
                .column("NAME", SqlType.varchar(10), true)
                .column("NOTE", SqlType.varchar(1000), true)
                .column("PRICE", SqlType.decimal(10, 2), true)
                .primaryKey(Index.Kind.HASH, ID)
                .build();
    }

    private static List<Object> row(long id, long number, String name, String note) {
        return Arrays.asList(id, number, number, 1L, Bytes.of(name), Bytes.of(note), null);
    }

    /** Updates a column that can't be NULL, and saves nothing but its bytes. */
    private void set(long row, int column, long value) {
        table.beginUpdate(row, table.layout().offset(column), table.layout().width(column), 0);
        access.write(row, column, value);
        table.endUpdate(row, 0);
    }

    private long hashOf(Runnable writes) {
        store.begin(++transactions);
        writes.run();
        long hash = store.writeHash();
        store.rollback();
        return hash;
    }

    @Test
    void shouldTellWhichOfTwoWritesToARowWasTheLast() {
        long ascending = hashOf(() -> {
            set(rows[0], A, 1);
            set(rows[0], A, 2);
        });
        long descending = hashOf(() -> {
            set(rows[0], A, 2);
            set(rows[0], A, 1);
        });

        assertThat(descending).isNotEqualTo(ascending);
        assertThat(hashOf(() -> set(rows[0], A, 2))).isEqualTo(ascending);
        assertThat(hashOf(() -> set(rows[0], A, 1))).isEqualTo(descending);
    }

    @Test
    void shouldTellColumnsRowsAndTablesApart() {
        Set<Integer> folded = new HashSet<>();
        for (long row : rows) {
            folded.add(WriteHash.folded(hashOf(() -> set(row, A, 5))));
            folded.add(WriteHash.folded(hashOf(() -> set(row, B, 5))));
            folded.add(WriteHash.folded(hashOf(() -> set(row, SMALL, 5))));
            folded.add(WriteHash.folded(hashOf(() -> access.update(row, 0, NAME, Bytes.of("5")))));
            folded.add(WriteHash.folded(hashOf(() -> access.update(row, 0, NAME, null))));
            folded.add(WriteHash.folded(hashOf(() -> access.update(row, 0, NAME, Bytes.of("")))));
            folded.add(WriteHash.folded(hashOf(() -> access.update(row, 0, NOTE, Bytes.of("5")))));
            folded.add(WriteHash.folded(hashOf(() -> access.update(row, 0, NOTE, Bytes.of(HEAP + HEAP)))));
            folded.add(WriteHash.folded(hashOf(() -> access.update(row, 0, PRICE, 5L))));
            folded.add(WriteHash.folded(hashOf(() -> table.delete(row))));
        }
        folded.add(WriteHash.folded(hashOf(() -> otherAccess.update(other.first(), 0, NAME, Bytes.of("5")))));
        folded.add(WriteHash.folded(hashOf(() -> other.delete(other.first()))));
        folded.add(WriteHash.folded(hashOf(table::truncate)));
        folded.add(WriteHash.folded(hashOf(other::truncate)));
        folded.add(0);

        assertThat(folded).hasSize(10 * ROWS + 5);
    }

    @Test
    void shouldCoverEachBitOfAColumn() {
        for (int column : new int[] {A, B, SMALL, PRICE}) {
            Set<Integer> folded = new HashSet<>();
            int bits = Byte.SIZE * table.layout().width(column);
            for (int bit = 0; bit < bits; bit++) {
                long value = 1L << bit;
                folded.add(WriteHash.folded(hashOf(() -> access.update(rows[3], 0, column, value))));
            }
            assertThat(folded).as("column %d", column).hasSize(bits);
        }
    }

    @Test
    void shouldBeZeroWhenAllIsAsItWas() {
        String spilled = "\u65e5\u672c\u8a9e\u65e5\u672c\u8a9e";

        assertThat(hashOf(() -> {
                    set(rows[0], A, 7);
                    access.update(rows[0], 0, NAME, Bytes.of(spilled));
                    access.update(rows[0], 0, NOTE, null);
                    access.update(rows[0], 0, PRICE, -5L);
                    access.update(rows[0], 0b1, ID, 1000L);
                    access.update(rows[0], 0, NOTE, Bytes.of(HEAP));
                    access.update(rows[0], 0b1, ID, 0L);
                    access.update(rows[0], 0, PRICE, null);
                    access.update(rows[0], 0, NAME, Bytes.of("name"));
                    set(rows[0], A, 0);
                }))
                .isZero();
    }

    @Test
    void shouldNotDependOnWhatAnUpdateCoversBesides() {
        long narrow = hashOf(() -> set(rows[1], B, 9));

        assertThat(hashOf(() -> access.update(rows[1], 0, B, 9L))).isEqualTo(narrow);
        assertThat(hashOf(() -> {
                    table.beginUpdate(rows[1], 0, table.layout().size(), 0b1);
                    access.write(rows[1], B, 9L);
                    table.endUpdate(rows[1], 0b1);
                }))
                .isEqualTo(narrow);
        assertThat(hashOf(() -> {
                    table.unindex(rows[1], 0b1);
                    access.update(rows[1], 0, B, 9L);
                    table.index(rows[1], 0b1);
                }))
                .isEqualTo(narrow);
    }

    @Test
    void shouldComeBackWithEachSavepoint() {
        store.begin(++transactions);
        int beginning = store.savepoint();
        set(rows[0], A, 1);
        int one = store.savepoint();
        long hash = store.writeHash();
        set(rows[0], A, 2);
        table.delete(rows[1]);
        int two = store.savepoint();
        table.truncate();
        access.insert(7, row(70, 1, "new", HEAP));
        store.rollbackTo(two);
        access.update(rows[0], 0, NOTE, Bytes.of("other"));
        store.rollbackTo(one);
        assertThat(store.writeHash()).isEqualTo(hash);
        set(rows[0], A, 3);
        long after = store.writeHash();
        store.rollbackTo(beginning);
        assertThat(store.writeHash()).isZero();
        store.rollback();

        assertThat(hash).isEqualTo(hashOf(() -> set(rows[0], A, 1)));
        assertThat(after).isEqualTo(hashOf(() -> set(rows[0], A, 3)));
    }

    @Test
    void shouldCountWhatIsDoneAgainBehindASavepoint() {
        long sum = hashOf(() -> {
            set(rows[0], A, 1);
            int savepoint = store.savepoint();
            set(rows[0], B, 1);
            store.rollbackTo(savepoint);
            store.rollbackTo(savepoint);
            set(rows[0], B, 2);
        });

        assertThat(sum).isEqualTo(hashOf(() -> {
            set(rows[0], B, 2);
            set(rows[0], A, 1);
        }));
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 3_000})
    void shouldTellWhatIsInsertedBeforeATruncationFromWhatIsInsertedBehindIt(int count) {
        store.begin(++transactions);
        for (int i = 0; i < count; i++) {
            access.insert(i & 511, row(1000 + i, i, "name", HEAP));
        }
        store.commit();
        List<Object> first = row(100, 1, "first", HEAP);
        List<Object> second = row(200, 1, "second", HEAP);

        long firstIsLeft = hashOf(() -> {
            access.insert(600, second);
            table.truncate();
            access.insert(700, first);
        });
        long secondIsLeft = hashOf(() -> {
            access.insert(700, first);
            table.truncate();
            access.insert(600, second);
        });
        long both = hashOf(() -> {
            table.truncate();
            access.insert(700, first);
            access.insert(600, second);
        });

        assertThat(Set.of(firstIsLeft, secondIsLeft, both)).hasSize(3);
        assertThat(hashOf(() -> {
                    table.truncate();
                    access.insert(600, second);
                    access.insert(700, first);
                }))
                .isEqualTo(both);
        assertThat(hashOf(() -> {
                    access.insert(600, second);
                    int savepoint = store.savepoint();
                    access.insert(800, row(300, 1, "third", HEAP));
                    table.truncate();
                    store.rollbackTo(savepoint);
                    table.truncate();
                    access.insert(700, first);
                }))
                .isEqualTo(firstIsLeft);
    }

    @Test
    void shouldBeTheSameForAnyNumberOfPartitions() {
        Writes writes = (in, of) -> {
            RowAccess at = new RowAccess(in, of);
            for (int bucket = 0; bucket < 1200; bucket++) {
                if (in.owns(bucket % Buckets.DEFAULT.count())) {
                    at.insert(bucket % Buckets.DEFAULT.count(), row(bucket, 1, "first", HEAP));
                }
            }
            of.truncate();
            of.truncate();
            if (in.owns(5)) {
                at.insert(5, row(5000, 1, "second", HEAP));
            }
            of.truncate();
        };
        long whole = hashOf(Buckets.DEFAULT.count(), 0, writes) + hashOf(0, 0, writes);

        assertThat(hashOf(100, 0, writes) + hashOf(Buckets.DEFAULT.count(), 100, writes))
                .isEqualTo(whole);
    }

    @FunctionalInterface
    private interface Writes {
        void write(PartitionStore in, TableStore of);
    }

    private static long hashOf(int to, int from, Writes writes) {
        BitSet buckets = new BitSet();
        if (from < to) {
            buckets.set(from, to);
        }
        try (PartitionStore part = new PartitionStore(new PartitionStore.Options(0, 1 << 28, buckets))) {
            TableStore of = part.createTable(table(1));
            RowAccess at = new RowAccess(part, of);
            part.begin(1);
            for (int i = 0; i < 1500; i++) {
                if (part.owns(i * 7 % Buckets.DEFAULT.count())) {
                    at.insert(i * 7 % Buckets.DEFAULT.count(), row(10_000 + i, i, "before", HEAP));
                }
            }
            part.commit();
            part.begin(2);
            writes.write(part, of);
            long hash = part.writeHash();
            part.rollback();
            return hash;
        }
    }

    /** A write to a row: its action, given the row's address. */
    private record Write(int row, LongConsumer action) {}

    /** In whatever order rows are met; and if a row's writes change their order, exactly if it ends as it did. */
    @Test
    void shouldBeEqualExactlyIfRowsEndAlike() {
        Seeds.forEach(40, seed -> {
            Random random = new Random(seed);
            List<Write> writes = new ArrayList<>();
            for (int i = 0; i < 14; i++) {
                writes.add(write(random));
            }
            Ended once = end(writes);
            for (int i = 0; i < 10; i++) {
                List<Write> shuffled = new ArrayList<>(writes);
                Collections.shuffle(shuffled, random);
                Ended again = end(shuffled);
                assertThat(again.state.equals(once.state))
                        .as("%s and %s", once.state, again.state)
                        .isEqualTo(again.hash == once.hash);

                Ended otherRowsFirst = end(inOrderOfRows(writes, shuffled));
                assertThat(otherRowsFirst).isEqualTo(once);
            }
        });
    }

    /** The rows in the order of one list, the writes of each in that of the other. */
    private static List<Write> inOrderOfRows(List<Write> writes, List<Write> order) {
        Map<Integer, List<Write>> byRow = new HashMap<>();
        writes.forEach(write ->
                byRow.computeIfAbsent(write.row, _ -> new ArrayList<>()).add(write));
        List<Write> result = new ArrayList<>();
        order.forEach(write -> result.add(byRow.get(write.row).removeFirst()));
        return result;
    }

    private Write write(Random random) {
        int row = random.nextInt(4);
        long value = random.nextInt(3);
        boolean key = random.nextInt(4) == 0;
        return new Write(
                row,
                switch (random.nextInt(6)) {
                    case 0 -> at -> set(at, A, value);
                    case 1 -> at -> set(at, B, value);
                    case 2 -> at -> access.update(at, 0, PRICE, value == 0 ? null : value);
                    case 3 ->
                        at -> access.update(
                                at, 0, NAME, value == 0 ? null : Bytes.of("\u65e5".repeat((int) value * 3)));
                    case 4 ->
                        at -> access.update(
                                at, key ? 1 : 0, key ? ID : NOTE, key ? row + 10 * value : Bytes.of(HEAP + value));
                    default ->
                        at -> {
                            if (value == 0) {
                                table.delete(at);
                            }
                        };
                });
    }

    /**
     * The final state of rows.
     *
     * @param state by row: its content, or its last content when it was deleted
     */
    private record Ended(Map<Integer, List<Object>> state, long hash) {}

    /** Writes; a write to a deleted row does nothing. */
    private Ended end(List<Write> writes) {
        Map<Integer, List<Object>> state = new HashMap<>();
        store.begin(++transactions);
        // The last of them is inserted by the transaction itself.
        long[] at = {rows[0], rows[1], rows[2], access.insert(9, row(3000, 0, "name", HEAP))};
        for (Write write : writes) {
            if (table.isLive(at[write.row])) {
                write.action.accept(at[write.row]);
            }
        }
        for (int i = 0; i < at.length; i++) {
            List<Object> values = new ArrayList<>(access.read(at[i]));
            // Of rows from before that are gone, too, what they were is in the hash.
            values.add(table.isLive(at[i]));
            state.put(i, values);
        }
        long hash = store.writeHash();
        store.rollback();
        return new Ended(state, hash);
    }

    /** Small numbers in few rows, exchanged: sums of anything near to linear would be equal here. */
    @Test
    void shouldNotLetDifferencesOfRowsCancelOut() {
        Set<Long> hashes = new HashSet<>();
        int written = 0;
        for (int a = 0; a < 16; a++) {
            for (int b = 0; b < 16; b++) {
                for (int c = 0; c < 16; c++) {
                    long first = a;
                    long second = b;
                    long third = c;
                    hashes.add(hashOf(() -> {
                        set(rows[0], A, first);
                        set(rows[1], A, second);
                        set(rows[2], B, third);
                    }));
                    written++;
                }
            }
        }

        assertThat(hashes).hasSize(written);
    }
}
