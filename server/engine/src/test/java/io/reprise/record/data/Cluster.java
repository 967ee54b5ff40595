package io.reprise.record.data;

import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** A few partitions with the same tables. Bucket b is in partition b modulo their number. */
public final class Cluster implements AutoCloseable {
    public final List<PartitionStore> stores = new ArrayList<>();
    public final List<Table> tables;

    public Cluster(int partitions, List<Table> tables) {
        this.tables = tables;
        for (int i = 0; i < partitions; i++) {
            BitSet buckets = new BitSet();
            for (int bucket = i; bucket < Buckets.DEFAULT.count(); bucket += partitions) {
                buckets.set(bucket);
            }
            PartitionStore store = new PartitionStore(new PartitionStore.Options(i, 1L << 30, buckets));
            tables.forEach(store::createTable);
            stores.add(store);
        }
    }

    public int partitionOf(int bucket) {
        return bucket % stores.size();
    }

    public TableStore table(int partition, Table table) {
        return stores.get(partition).table(table.id());
    }

    public RowAccess access(int partition, Table table) {
        return new RowAccess(stores.get(partition), table(partition, table));
    }

    /** Row ids with values of a partitioned table's rows in all partitions, or of a replicated table in one of them. */
    public TreeMap<Long, List<Object>> content(Table table, int partitionOfReplicated) {
        TreeMap<Long, List<Object>> content = new TreeMap<>();
        for (int i = 0; i < stores.size(); i++) {
            if (!table.replicated() || i == partitionOfReplicated) {
                TableStore rows = table(i, table);
                for (long row = rows.first(); row != 0; row = rows.next(row)) {
                    content.put(rows.rowId(row), access(i, table).read(row));
                }
            }
        }
        return content;
    }

    /** The next row id of each bucket. */
    public List<Long> nextRowIds(Table table) {
        List<Long> next = new ArrayList<>();
        for (int bucket = 0; bucket < (table.replicated() ? 1 : Buckets.DEFAULT.count()); bucket++) {
            next.add(table(table.replicated() ? 0 : partitionOf(bucket), table).nextRowId(bucket));
        }
        return next;
    }

    /** A hash of what a partitioned table holds, wherever its rows are. */
    public long contentHash(Table table) {
        long hash = 0;
        for (int i = 0; i < (table.replicated() ? 1 : stores.size()); i++) {
            hash += table(i, table).contentHash();
        }
        return hash;
    }

    public void verify() {
        stores.forEach(PartitionStore::verify);
    }

    @Override
    public void close() {
        stores.forEach(PartitionStore::close);
    }
}
