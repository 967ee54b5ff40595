package io.reprise.snapshot;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.ColumnSource;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.PartitionTables;
import io.reprise.storage.RowAccess;
import io.reprise.storage.RowAccess.Bytes;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.IntConsumer;

/** Transactions of every kind on the tables of a {@link SnapshotRig}, many of them rolled back wholly or in part. */
final class RandomLoad {
    private static final List<String> PARTITIONED = List.of("ITEM", "EVENT");

    private final SnapshotRig rig;
    private final Random random;

    /** Told of the partition, before a transaction commits there. */
    private IntConsumer beforeCommit = partition -> {};

    RandomLoad(SnapshotRig rig, Random random) {
        this.rig = rig;
        this.random = random;
    }

    /** Sets who is told of a partition before a transaction commits there. */
    void beforeCommit(IntConsumer listener) {
        beforeCommit = listener;
    }

    /** Rows to begin with. */
    void fill(int rowsOfEachTable) {
        for (int partition = 0; partition < rig.stores.size(); partition++) {
            PartitionStore store = rig.stores.get(partition);
            store.begin(++rig.transactionId);
            for (int i = 0; i < rowsOfEachTable; i++) {
                insert(partition, "ITEM");
                insert(partition, "EVENT");
            }
            end(partition, true);
        }
        for (int i = 0; i < rowsOfEachTable / 4; i++) {
            replicated(true);
        }
    }

    /** One transaction at one partition, or a change of a replicated table at all of them. */
    void transaction() {
        int dice = random.nextInt(100);
        if (dice < 12) {
            replicated(random.nextInt(4) != 0);
        } else {
            single(random.nextInt(rig.stores.size()));
        }
    }

    private void single(int partition) {
        PartitionStore store = rig.stores.get(partition);
        store.begin(++rig.transactionId);
        List<Integer> savepoints = new ArrayList<>(List.of(0));
        for (int step = random.nextInt(25); step > 0; step--) {
            int dice = random.nextInt(200);
            if (dice < 10) {
                savepoints.add(store.savepoint());
            } else if (dice < 18) {
                int to = random.nextInt(savepoints.size());
                store.rollbackTo(savepoints.get(to));
                savepoints.subList(to + 1, savepoints.size()).clear();
            } else if (dice < 20) {
                rig.table(partition, any()).truncate();
            } else {
                change(partition, any());
            }
        }
        end(partition, random.nextInt(3) != 0);
    }

    private void end(int partition, boolean commit) {
        PartitionStore store = rig.stores.get(partition);
        if (commit) {
            beforeCommit.accept(partition);
            store.commit();
        } else {
            store.rollback();
        }
    }

    private String any() {
        return PARTITIONED.get(random.nextInt(PARTITIONED.size()));
    }

    private void change(int partition, String name) {
        TableStore table = rig.table(partition, name);
        int dice = random.nextInt(100);
        long row = dice < 40 ? 0 : anyRow(table);
        if (row == 0) {
            insert(partition, name);
        } else if (dice < 60) {
            table.delete(row);
        } else if (dice < 70 && name.equals("ITEM")) {
            updateSeveral(rig.access(partition, name), table);
        } else {
            update(rig.access(partition, name), name, row);
        }
    }

    /** Some live row, most often one near the beginning, where places are used again. */
    private long anyRow(TableStore table) {
        long places = (table.scanEnd() - table.scanStart()) / table.layout().size();
        for (int attempt = 0; attempt < 10 && places > 0; attempt++) {
            long row =
                    table.scanStart() + random.nextLong(places) * table.layout().size();
            if (table.isLive(row)) {
                return row;
            }
        }
        return table.first();
    }

    private void insert(int partition, String name) {
        int bucket = partition + rig.stores.size() * random.nextInt(1024 / rig.stores.size());
        List<?> values = name.equals("ITEM")
                ? Arrays.asList(rig.nextId++, text(20), note(), Double.doubleToRawLongBits(random.nextInt(100) / 4.0))
                : Arrays.asList(rig.nextId++, random.nextBoolean() ? null : random.nextLong(1L << 50), text(100));
        rig.access(partition, name).insert(bucket, values);
    }

    /** As a statement that changes primary keys: some rows get each other's, with other columns beside. */
    private void updateSeveral(RowAccess access, TableStore table) {
        Set<Long> rows = new LinkedHashSet<>();
        for (int i = 2 + random.nextInt(4); i > 0; i--) {
            rows.add(anyRow(table));
        }
        List<Object> ids = new ArrayList<>();
        rows.forEach(row -> ids.add(access.read(row).getFirst()));
        Collections.rotate(ids, 1);
        rows.forEach(row -> table.unindex(row, 1));
        Iterator<Object> next = ids.iterator();
        for (long row : rows) {
            access.update(row, 0, 0, next.next());
            if (random.nextBoolean()) {
                access.update(row, 0, 2, note());
            }
        }
        rows.forEach(row -> table.index(row, 1));
    }

    private void update(RowAccess access, String name, long row) {
        if (name.equals("ITEM")) {
            switch (random.nextInt(4)) {
                case 0 -> access.update(row, 1, 0, rig.nextId++);
                case 1 -> access.update(row, 0, 1, text(20));
                case 2 -> access.update(row, 0, 2, note());
                default -> access.update(row, 0, 3, null);
            }
        } else {
            access.update(row, 0, 1, random.nextLong(1L << 40));
        }
    }

    private Bytes note() {
        return switch (random.nextInt(40)) {
            case 0 -> text(5000);
            case 1, 2, 3, 4 -> text(200);
            case 5, 6, 7 -> null;
            default -> text(30);
        };
    }

    private Bytes text(int most) {
        byte[] bytes = new byte[random.nextInt(most + 1)];
        Arrays.fill(bytes, (byte) ('a' + random.nextInt(26)));
        return new Bytes(bytes);
    }

    /** The same change of a replicated table in all partitions. */
    private void replicated(boolean commit) {
        long seed = random.nextLong();
        long id = rig.nextId++;
        rig.transactionId++;
        for (int partition = 0; partition < rig.stores.size(); partition++) {
            Random same = new Random(seed);
            PartitionStore store = rig.stores.get(partition);
            store.begin(rig.transactionId);
            boolean setting = rig.catalog.table("SETTING").isPresent() && same.nextBoolean();
            String name = setting ? "SETTING" : "COUNTRY";
            TableStore table = rig.table(partition, name);
            RowAccess access = rig.access(partition, name);
            int dice = same.nextInt(100);
            Object value = setting ? (Object) same.nextLong(1000) : Bytes.of("country " + same.nextInt(1000));
            if (dice < 60 || table.count() == 0) {
                access.insert(0, Arrays.asList(id, value));
            } else if (dice < 75) {
                table.delete(table.first());
            } else {
                access.update(table.first(), 0, 1, value);
            }
            end(partition, commit);
        }
    }

    /** Changes the schema: makes a table anew, drops one, creates one, in all partitions. */
    void changeSchema() {
        switch (random.nextInt(3)) {
            case 0 -> rebuild("ITEM");
            case 1 -> rebuild("COUNTRY");
            default -> dropOrCreate();
        }
    }

    private void rebuild(String name) {
        Table table = rig.catalog.table(name).orElseThrow();
        List<ColumnSource> sources = new ArrayList<>();
        table.columns().forEach(column -> sources.add(new ColumnSource.Existing(column.position())));
        rig.stores.forEach(store -> {
            PartitionTables tables = store.tables();
            tables.discard(tables.install(tables.prepareRebuild(table, sources)));
        });
    }

    private void dropOrCreate() {
        Catalog before = rig.catalog;
        if (before.table("SETTING").isPresent()) {
            int id = before.table("SETTING").get().id();
            rig.catalog = CatalogScript.apply(before, "DROP TABLE SETTING");
            rig.stores.forEach(store -> store.dropTable(id));
        } else {
            rig.catalog = CatalogScript.apply(
                    before, "CREATE TABLE SETTING (ID BIGINT NOT NULL, PART DECIMAL(10,2), PRIMARY KEY (ID))");
            Table table = rig.catalog.table("SETTING").orElseThrow();
            rig.stores.forEach(store -> store.createTable(table));
        }
    }
}
