package io.reprise.storage;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Index;
import io.reprise.catalog.SqlType;
import io.reprise.catalog.Table;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.simulation.Seeds;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.index.IndexCursor;
import io.reprise.storage.index.IndexKey;
import io.reprise.storage.index.KeyLayout;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A table with every kind of index against a plain list of rows, through random transactions that often roll back. */
class StoreModelTest {
    private static final int ID = 0;
    private static final int GROUP = 1;
    private static final int NAME = 2;
    private static final int NOTE = 3;
    private static final int AMOUNT = 4;
    private static final Table TABLE = TestTables.table(3, "T")
            .column("ID", SqlType.of(SqlType.Kind.BIGINT), false)
            .column("GRP", SqlType.of(SqlType.Kind.INTEGER), true)
            .column("NAME", SqlType.varchar(20), true)
            .column("NOTE", SqlType.varchar(500), true)
            .column("AMOUNT", SqlType.of(SqlType.Kind.DOUBLE), true)
            .primaryKey(Index.Kind.HASH, ID)
            .index("BY_GROUP", Index.Kind.ORDERED, false, GROUP, AMOUNT)
            .index("BY_GROUP_HASH", Index.Kind.HASH, false, GROUP)
            .index("BY_NAME", Index.Kind.ORDERED, true, NAME, GROUP)
            .index("BY_NOTE", Index.Kind.ORDERED, false, NOTE, ID)
            .index("BY_NAME_HASH", Index.Kind.HASH, true, NAME, GROUP)
            .index("BY_ID", Index.Kind.ORDERED, true, ID)
            .build();
    private static final long[] INDEXES_OF_COLUMN = {0b1010001, 0b0101110, 0b0101000, 0b0010000, 0b0000010};

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(1L << 30));
    private final TableStore table = store.createTable(TABLE);
    private final RowAccess access = new RowAccess(store, table);
    private final Map<Long, List<Object>> model = new TreeMap<>();
    private final Map<Long, Long> addresses = new HashMap<>();
    private final Map<List<Object>, Long> namesInGroups = new HashMap<>();

    /** Actions that bring the model back, newest last. */
    private final List<Runnable> journal = new ArrayList<>();

    /** Ids of rows that were written since the last return to a savepoint, or earlier. */
    private final List<Long> written = new ArrayList<>();

    /** Strings that were read in the running transaction: results of queries refer to them until it ends. */
    private final List<Seen> seen = new ArrayList<>();

    private record Saved(int savepoint, long hash, int journalled) {}

    private record Seen(long ref, Bytes bytes) {}

    @AfterEach
    void close() {
        store.close();
    }

    @Test
    void shouldAgreeWithModelWhenTransactionsCommitAndRollBack() {
        Seeds.forEach(2, seed -> run(seed, 12_000, 300, 200));
    }

    @Test
    void shouldAgreeWithModelWhenTheTableIsLarge() {
        Seeds.forEach(1, seed -> run(seed, 15_000, 10_000, 5_000));
    }

    @Test
    @Tag("long")
    void shouldAgreeWithModelWhenManyTransactionsCommitAndRollBack() {
        Seeds.forEach(4, seed -> run(seed, 300_000, 3_000, 2_000));
    }

    private void run(long seed, int transactions, int keys, int checkEvery) {
        Random random = new Random(seed);
        for (int i = 0; i < transactions; i++) {
            transaction(random, i, keys, checkEvery);
            if (i % checkEvery == 0) {
                store.verify();
                checkIndexes(random, keys);
            }
        }
        store.begin(transactions);
        table.truncate();
        store.commit();
        model.clear();
        addresses.clear();
        namesInGroups.clear();
        assertThat(table.memoryUse().total()).isLessThan(3 << 20);
    }

    private void transaction(Random random, int number, int keys, int checkEvery) {
        store.begin(number);
        boolean hashed = number % (checkEvery / 20) == 0;
        long contentBefore = hashed ? table.contentHash() : 0;
        journal.clear();
        seen.clear();
        written.clear();
        List<Saved> savepoints = new ArrayList<>();
        savepoints.add(save());
        int steps = random.nextInt(40);
        for (int step = 0; step < steps; step++) {
            int dice = random.nextInt(100);
            if (dice < 5) {
                savepoints.add(save());
            } else if (dice < 10) {
                int to = random.nextInt(savepoints.size());
                savepoints.subList(to + 1, savepoints.size()).clear();
                see(random, keys);
                store.rollbackTo(savepoints.get(to).savepoint);
                restore(savepoints.get(to));
                if (hashed) {
                    store.verify();
                }
            } else {
                write(random, number, keys);
            }
        }
        assertThat(table.count()).isEqualTo(model.size());
        seen.forEach(each -> assertThat(access.bytes(each.ref)).isEqualTo(each.bytes));
        if (random.nextInt(3) == 0) {
            store.rollback();
            restore(savepoints.getFirst());
            assertThat(!hashed || table.contentHash() == contentBefore).isTrue();
        } else {
            store.commit();
        }
    }

    /** Reads strings that lie outside of their rows, those just written among them. */
    private void see(Random random, int keys) {
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            ids.add(random.nextInt(keys) - keys / 2L);
        }
        ids.addAll(written);
        written.clear();
        for (Long id : ids) {
            if (addresses.containsKey(id) && table.layout().heapRef(store.memory(), addresses.get(id), NOTE) != 0) {
                seen.add(new Seen(table.readString(addresses.get(id), NOTE), (Bytes)
                        model.get(id).get(NOTE)));
            }
        }
    }

    private Saved save() {
        return new Saved(store.savepoint(), store.writeHash(), journal.size());
    }

    private void restore(Saved saved) {
        while (journal.size() > saved.journalled) {
            journal.removeLast().run();
        }
        assertThat(store.writeHash()).isEqualTo(saved.hash);
        assertThat(table.count()).isEqualTo(model.size());
    }

    private static List<Object> nameInGroup(List<Object> values) {
        return values.get(NAME) == null || values.get(GROUP) == null
                ? null
                : List.of(values.get(NAME), values.get(GROUP));
    }

    private void put(List<Object> values, long row) {
        Long id = (Long) values.get(ID);
        model.put(id, values);
        addresses.put(id, row);
        written.add(id);
        if (nameInGroup(values) != null) {
            namesInGroups.put(nameInGroup(values), id);
        }
        journal.add(() -> forget(id));
    }

    private void remove(Long id) {
        List<Object> values = model.get(id);
        long row = addresses.get(id);
        forget(id);
        journal.add(() -> {
            put(values, row);
            journal.removeLast();
        });
    }

    private void forget(Long id) {
        List<Object> values = model.remove(id);
        addresses.remove(id);
        if (nameInGroup(values) != null) {
            namesInGroups.remove(nameInGroup(values));
        }
    }

    private void write(Random random, int number, int keys) {
        int dice = random.nextInt(1000);
        long id = random.nextInt(keys) - keys / 2L;
        if (dice < 450) {
            List<Object> values = new ArrayList<>(Arrays.asList(
                    id, value(random, GROUP), value(random, NAME), value(random, NOTE), value(random, AMOUNT)));
            insert(values);
        } else if (dice < 750 && addresses.containsKey(id)) {
            int column = random.nextInt(10) == 0 ? ID : 1 + random.nextInt(4);
            update(id, column, column == ID ? (Long) (long) (random.nextInt(keys) - keys / 2) : value(random, column));
        } else if (dice < 780 && model.size() > 1) {
            updateSeveral(random);
        } else if (dice < 998 && addresses.containsKey(id)) {
            table.delete(addresses.get(id));
            remove(id);
        } else if (dice >= 998 && number % 7 == 0) {
            table.truncate();
            List.copyOf(model.keySet()).forEach(this::remove);
        }
    }

    private void insert(List<Object> values) {
        boolean refused = conflicts(values, null);
        long usedBefore = table.memoryUse().stringsInUse();
        try {
            long row = access.insert((int) ((Long) values.get(ID) & 7), values);
            assertThat(refused).isFalse();
            put(values, row);
        } catch (ProcedureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
            assertThat(refused).as(e.getMessage()).isTrue();
            assertThat(table.memoryUse().stringsInUse()).isEqualTo(usedBefore);
        }
    }

    private void update(long id, int column, Object value) {
        List<Object> values = new ArrayList<>(model.get(id));
        values.set(column, value);
        boolean refused = conflicts(values, id);
        long row = addresses.get(id);
        long hash = store.writeHash();
        try {
            access.update(row, INDEXES_OF_COLUMN[column], column, value);
            assertThat(refused).isFalse();
            remove(id);
            put(values, row);
        } catch (ProcedureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
            assertThat(refused).as(e.getMessage()).isTrue();
            assertThat(access.read(row)).isEqualTo(model.get(id));
            assertThat(store.writeHash()).isEqualTo(hash);
        }
    }

    /** As a statement that changes unique keys: several rows get each other's values, or values of others, which is refused. */
    private void updateSeveral(Random random) {
        Saved before = save();
        int column = random.nextInt(2) == 0 ? ID : 1 + random.nextInt(4);
        List<Long> all = new ArrayList<>(model.keySet());
        List<Long> ids = new ArrayList<>();
        for (int i = Math.min(all.size(), 2 + random.nextInt(5)); i > 0; i--) {
            ids.add(all.remove(random.nextInt(all.size())));
        }
        List<Long> rows = ids.stream().map(addresses::get).toList();
        List<List<Object>> changed = new ArrayList<>();
        for (int i = 0; i < ids.size(); i++) {
            List<Object> values = new ArrayList<>(model.get(ids.get(i)));
            values.set(column, model.get(ids.get((i + 1) % ids.size())).get(column));
            changed.add(values);
        }
        if (random.nextInt(4) == 0) {
            changed.getLast()
                    .set(
                            column,
                            new ArrayList<>(model.values())
                                    .get(random.nextInt(model.size()))
                                    .get(column));
        }
        ids.forEach(this::remove);
        boolean refused = false;
        for (int i = 0; i < ids.size() && !refused; i++) {
            refused = conflicts(changed.get(i), null);
            if (!refused) {
                put(changed.get(i), rows.get(i));
            }
        }
        long touched = INDEXES_OF_COLUMN[column];
        try {
            rows.forEach(row -> table.unindex(row, touched));
            for (int i = 0; i < rows.size(); i++) {
                access.update(rows.get(i), 0, column, changed.get(i).get(column));
            }
            rows.forEach(row -> table.index(row, touched));
            assertThat(refused).isFalse();
        } catch (ProcedureException e) {
            assertThat(e.code()).isEqualTo(ErrorCode.CONSTRAINT_VIOLATION);
            assertThat(refused).as(e.getMessage()).isTrue();
            store.rollbackTo(before.savepoint);
            restore(before);
        }
    }

    private boolean conflicts(List<Object> values, Long except) {
        Long id = (Long) values.get(ID);
        Long sameName = nameInGroup(values) == null ? null : namesInGroups.get(nameInGroup(values));
        return model.containsKey(id) && !id.equals(except) || sameName != null && !sameName.equals(except);
    }

    private static Object value(Random random, int column) {
        if (random.nextInt(10) == 0) {
            return null;
        }
        return switch (column) {
            case GROUP -> (long) random.nextInt(20) - 10;
            case AMOUNT -> Double.doubleToRawLongBits(random.nextInt(5) - 2 + 0.25 * random.nextInt(2));
            case NAME -> Bytes.of(text(random, 20));
            default -> Bytes.of(text(random, random.nextInt(4) == 0 ? 500 : 30));
        };
    }

    private static String text(Random random, int most) {
        String prefix = random.nextBoolean() ? "" : "a common prefix of 16 and more";
        String alphabet = "ab\0\u00e4\u65e5z";
        StringBuilder text = new StringBuilder(prefix.substring(0, Math.min(prefix.length(), most / 2)));
        int length = random.nextInt(most + 1);
        while (text.length() < length) {
            text.append(alphabet.charAt(random.nextInt(alphabet.length())));
        }
        return text.toString();
    }

    private void checkIndexes(Random random, int keys) {
        model.forEach((id, values) -> assertThat(access.read(addresses.get(id))).isEqualTo(values));
        checkOrdered(random, 1, GROUP, AMOUNT);
        checkOrdered(random, 3, NAME, GROUP);
        checkOrdered(random, 4, NOTE, ID);
        checkOrdered(random, 6, ID);
        checkHash(random);
        IndexKey key = new IndexKey(table.hashIndex(0).layout());
        for (long id = -keys / 2; id < keys / 2; id++) {
            table.hashIndex(0).layout().clear(key);
            table.hashIndex(0).layout().put(key, 0, id);
            assertThat(table.hashIndex(0).find(key)).isEqualTo(addresses.getOrDefault(id, 0L));
            assertThat(table.orderedIndex(6).find(key.words[0])).isEqualTo(addresses.getOrDefault(id, 0L));
        }
    }

    private void checkHash(Random random) {
        for (Object group : Arrays.asList(value(random, GROUP), value(random, GROUP), null)) {
            KeyLayout layout = table.hashIndex(2).layout();
            IndexKey key = new IndexKey(layout);
            layout.clear(key);
            put(layout, key, 0, group);
            IndexCursor cursor = new IndexCursor();
            table.hashIndex(2).open(key, cursor);
            List<List<Object>> expected = model.values().stream()
                    .filter(v -> java.util.Objects.equals(v.get(GROUP), group))
                    .sorted(Comparator.comparingLong(v -> table.rowId(addresses.get(v.get(ID)))))
                    .toList();
            assertThat(drain(cursor)).isEqualTo(expected);
        }
    }

    private void put(KeyLayout layout, IndexKey key, int keyColumn, Object value) {
        if (value == null) {
            layout.putNull(key, keyColumn);
        } else if (value instanceof Bytes bytes) {
            layout.putString(store.memory(), key, keyColumn, access.ref(bytes));
        } else {
            layout.put(key, keyColumn, (Long) value);
        }
    }

    private void checkOrdered(Random random, int position, int... columns) {
        for (int i = 0; i < 12; i++) {
            List<Object> low = bound(random, columns, i == 0 ? 0 : random.nextInt(columns.length + 1));
            List<Object> high = bound(random, columns, i == 0 ? 0 : random.nextInt(columns.length + 1));
            boolean lowInclusive = random.nextBoolean();
            boolean highInclusive = random.nextBoolean();
            boolean descending = random.nextBoolean();
            Comparator<List<Object>> byKey = (a, b) -> comparePrefix(a, keyOf(b, columns), columns, columns.length);
            Comparator<List<Object>> order = byKey.thenComparingLong(v -> table.rowId(addresses.get(v.get(ID))));
            List<List<Object>> expected = model.values().stream()
                    .filter(v -> comparePrefix(v, low, columns, low.size()) >= (lowInclusive || low.isEmpty() ? 0 : 1))
                    .filter(v ->
                            comparePrefix(v, high, columns, high.size()) <= (highInclusive || high.isEmpty() ? 0 : -1))
                    .sorted(descending ? order.reversed() : order)
                    .toList();
            IndexCursor cursor = new IndexCursor();
            table.orderedIndex(position)
                    .open(
                            key(position, low),
                            low.size(),
                            lowInclusive,
                            key(position, high),
                            high.size(),
                            highInclusive,
                            descending,
                            cursor);
            assertThat(drain(cursor)).isEqualTo(expected);
        }
    }

    private static List<Object> keyOf(List<Object> row, int[] columns) {
        List<Object> key = new ArrayList<>();
        for (int column : columns) {
            key.add(row.get(column));
        }
        return key;
    }

    private IndexKey key(int position, List<Object> bound) {
        KeyLayout layout = table.orderedIndex(position).layout();
        IndexKey key = new IndexKey(layout);
        layout.clear(key);
        for (int i = 0; i < bound.size(); i++) {
            put(layout, key, i, bound.get(i));
        }
        return key;
    }

    private List<Object> bound(Random random, int[] columns, int length) {
        List<Object> bound = new ArrayList<>();
        List<Object> like = model.isEmpty() || random.nextInt(3) == 0
                ? null
                : new ArrayList<>(model.values()).get(random.nextInt(model.size()));
        for (int i = 0; i < length; i++) {
            bound.add(
                    like != null
                            ? like.get(columns[i])
                            : columns[i] == ID
                                    ? (Object) (long) (random.nextInt(100) - 50)
                                    : value(random, columns[i]));
        }
        return bound;
    }

    /** Compares a row's first key columns with a bound's, NULL first. */
    private static int comparePrefix(List<Object> row, List<Object> bound, int[] columns, int length) {
        for (int i = 0; i < length; i++) {
            Object a = row.get(columns[i]);
            Object b = bound.get(i);
            int order;
            if (a == null || b == null) {
                order = Boolean.compare(a != null, b != null);
            } else if (a instanceof Bytes bytes) {
                order = bytes.compareTo((Bytes) b);
            } else if (columns[i] == AMOUNT) {
                order = Double.compare(
                        Double.longBitsToDouble((Long) a) + 0.0, Double.longBitsToDouble((Long) b) + 0.0);
            } else {
                order = Long.compare((Long) a, (Long) b);
            }
            if (order != 0) {
                return Integer.signum(order);
            }
        }
        return 0;
    }

    private List<List<Object>> drain(IndexCursor cursor) {
        List<List<Object>> rows = new ArrayList<>();
        for (long row = cursor.next(); row != 0; row = cursor.next()) {
            rows.add(access.read(row));
        }
        return rows;
    }
}
