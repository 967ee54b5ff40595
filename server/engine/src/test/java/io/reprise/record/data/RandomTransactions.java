package io.reprise.record.data;

import io.reprise.catalog.Column;
import io.reprise.catalog.Index;
import io.reprise.catalog.Table;
import io.reprise.procedure.ProcedureException;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.RandomTables;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;

/** Writes at random to some or all partitions of a cluster, as statements would: each is done or, if refused, undone. */
public final class RandomTransactions {
    private final Random random;
    private final RandomTables values;
    private final Cluster cluster;
    private List<Integer> participants = List.of();

    public RandomTransactions(Random random, Cluster cluster) {
        this.random = random;
        this.cluster = cluster;
        values = new RandomTables(random);
    }

    /** Runs a transaction up to its commit. Returns the partitions that take part. */
    public List<Integer> run(long transactionId, int mostSteps) {
        List<Integer> all = new ArrayList<>();
        for (int i = 0; i < cluster.stores.size(); i++) {
            all.add(i);
        }
        participants = random.nextBoolean() ? all : List.of(random.nextInt(all.size()));
        each(store -> store.begin(transactionId));
        List<int[]> savepoints = new ArrayList<>();
        int steps = random.nextInt(mostSteps);
        for (int i = 0; i < steps; i++) {
            int dice = random.nextInt(20);
            if (dice == 0) {
                savepoints.add(savepoint());
            } else if (dice == 1 && !savepoints.isEmpty()) {
                int to = random.nextInt(savepoints.size());
                rollbackTo(savepoints.get(to));
                savepoints.subList(to, savepoints.size()).clear();
            } else {
                statement();
            }
        }
        return participants;
    }

    private void each(java.util.function.Consumer<PartitionStore> action) {
        participants.forEach(i -> action.accept(cluster.stores.get(i)));
    }

    private int[] savepoint() {
        return participants.stream()
                .mapToInt(i -> cluster.stores.get(i).savepoint())
                .toArray();
    }

    private void rollbackTo(int[] savepoint) {
        for (int i = 0; i < savepoint.length; i++) {
            cluster.stores.get(participants.get(i)).rollbackTo(savepoint[i]);
        }
    }

    private void statement() {
        Table table = cluster.tables.get(random.nextInt(cluster.tables.size()));
        if (table.replicated() && participants.size() < cluster.stores.size()) {
            return;
        }
        int[] before = savepoint();
        try {
            write(table);
        } catch (ProcedureException e) {
            rollbackTo(before);
        }
    }

    private void write(Table table) {
        int dice = random.nextInt(100);
        if (dice < 35) {
            insert(table);
        } else if (dice < 75) {
            update(table);
        } else if (dice < 84) {
            swapKeys(table);
        } else if (dice < 98) {
            forSameRow(
                    table, (partition, row) -> cluster.table(partition, table).delete(row));
        } else if (dice == 98) {
            participants.forEach(i -> cluster.table(i, table).truncate());
        } else if (random.nextInt(8) == 0) {
            for (int i = 0; i < 2500; i++) {
                insert(table);
            }
        }
    }

    private void insert(Table table) {
        List<Object> row = values.row(table);
        if (table.replicated()) {
            participants.forEach(i -> cluster.access(i, table).insert(0, row));
            return;
        }
        int bucket = RandomTables.bucket(table, row);
        int partition = cluster.partitionOf(bucket);
        if (participants.contains(partition)) {
            cluster.access(partition, table).insert(bucket, row);
        }
    }

    /** Something done to a row of a partition. */
    private interface RowAction {
        void accept(int partition, long row);
    }

    /** Does it to a random row of a participant; to all copies, if the table is replicated. */
    private void forSameRow(Table table, RowAction action) {
        int partition = participants.get(random.nextInt(participants.size()));
        TableStore rows = cluster.table(partition, table);
        if (rows.count() == 0) {
            return;
        }
        long row = randomRow(rows);
        if (!table.replicated()) {
            action.accept(partition, row);
            return;
        }
        long rowId = rows.rowId(row);
        participants.forEach(i -> action.accept(i, withId(cluster.table(i, table), rowId)));
    }

    private long randomRow(TableStore rows) {
        long row = rows.first();
        for (int skipped = random.nextInt((int) Math.min(rows.count(), 60)); skipped > 0; skipped--) {
            row = rows.next(row);
        }
        return row;
    }

    private static long withId(TableStore rows, long rowId) {
        long row = rows.first();
        while (rows.rowId(row) != rowId) {
            row = rows.next(row);
        }
        return row;
    }

    private void update(Table table) {
        TreeSet<Integer> columns = new TreeSet<>();
        int count = 1 + random.nextInt(3);
        for (int i = 0; i < count; i++) {
            int column = random.nextInt(table.columns().size());
            if (table.replicated() || column != table.partitionColumn().getAsInt()) {
                columns.add(column);
            }
        }
        List<Object> row = values.row(table);
        if (!columns.isEmpty()) {
            forSameRow(table, (partition, address) -> change(table, partition, address, columns, row, false));
        }
    }

    /** Exchanges all columns of unique indexes of two rows, so that each has for a moment what the other has. */
    private void swapKeys(Table table) {
        int partition = participants.get(random.nextInt(participants.size()));
        TableStore rows = cluster.table(partition, table);
        if (table.replicated() || rows.count() < 2) {
            return;
        }
        long first = randomRow(rows);
        long second = randomRow(rows);
        TreeSet<Integer> columns = new TreeSet<>();
        table.indexes().stream().filter(Index::unique).forEach(index -> columns.addAll(index.columns()));
        columns.remove(table.partitionColumn().getAsInt());
        RowAccess access = cluster.access(partition, table);
        List<Object> ofFirst = access.read(first);
        List<Object> ofSecond = access.read(second);
        if (first == second || columns.isEmpty()) {
            return;
        }
        long touched = indexesOf(table, columns);
        rows.unindex(first, touched);
        rows.unindex(second, touched);
        change(table, partition, first, columns, ofSecond, true);
        change(table, partition, second, columns, ofFirst, true);
        rows.index(first, touched);
        rows.index(second, touched);
    }

    private static long indexesOf(Table table, TreeSet<Integer> columns) {
        long touched = 0;
        for (Index index : table.indexes()) {
            touched |= index.columns().stream().anyMatch(columns::contains) ? 1L << index.position() : 0;
        }
        return touched;
    }

    private void change(
            Table table, int partition, long row, TreeSet<Integer> columns, List<Object> to, boolean unindexed) {
        TableStore rows = cluster.table(partition, table);
        RowLayout layout = rows.layout();
        int from = Integer.MAX_VALUE;
        int end = 0;
        for (int column : columns) {
            Column definition = table.columns().get(column);
            from = Math.min(from, definition.nullable() ? layout.nullByte(column) : layout.offset(column));
            end = Math.max(end, layout.offset(column) + layout.width(column));
        }
        long touched = unindexed ? 0 : indexesOf(table, columns);
        rows.beginUpdate(row, from, end - from, touched);
        RowAccess access = cluster.access(partition, table);
        columns.forEach(column -> access.write(row, column, to.get(column)));
        rows.endUpdate(row, touched);
    }
}
