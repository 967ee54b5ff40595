package io.reprise.engine.replication;

import io.reprise.catalog.Catalog;
import io.reprise.execution.Partition;
import io.reprise.storage.BucketPass;
import io.reprise.storage.TableStore;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * The rows of buckets that are to leave a partition, listed while calls run. The transactions that move these buckets read and delete
 * the listed rows only.
 *
 * <p>Owned by the partition's thread.
 */
final class LeavingRows {
    /** Some tens of microseconds in each cycle. */
    private static final int PLACES_AT_ONCE = 2048;

    private final Partition partition;
    private final StreamSchema schema;
    private final BitSet buckets = new BitSet();
    private BucketPass pass;
    private Catalog catalog;
    private boolean listed;

    LeavingRows(Partition partition, StreamSchema schema) {
        this.partition = partition;
        this.schema = schema;
    }

    /** Begins to list the rows of some buckets, between two transactions. Of too many rows those of the last buckets are left out. */
    void begin(BitSet leaving, long mostRows) {
        end();
        catalog = schema.catalog();
        List<TableStore> tables = new ArrayList<>();
        catalog.tables().values().stream()
                .filter(table -> !table.replicated())
                .forEach(table -> tables.add(partition.store().table(table.id())));
        pass = new BucketPass(partition.store(), tables, leaving, mostRows);
        buckets.or(leaving);
    }

    /** Goes on, between two transactions. Returns how much was done. */
    int step() {
        if (pass == null) {
            return 0;
        }
        if (listed) {
            return pass.trim() ? 1 : 0;
        }
        if (!isCurrent()) {
            end();
            return 0;
        }
        listed = pass.step(PLACES_AT_ONCE);
        return 1;
    }

    /** Whether the rows of some buckets are being listed, or are. */
    boolean isActive() {
        return pass != null;
    }

    /** Whether the list is complete. */
    boolean isListed() {
        return listed;
    }

    /** Whether the rows of all these buckets are listed. */
    boolean has(BitSet some) {
        return has(some.nextSetBit(0)) && some.stream().allMatch(pass::has);
    }

    /** Whether the rows of a bucket are listed. */
    boolean has(int bucket) {
        return bucket >= 0 && listed && isCurrent() && buckets.get(bucket) && pass.has(bucket);
    }

    /** Tables that changed may have rows that are not listed. */
    private boolean isCurrent() {
        return !pass.isBroken() && catalog == schema.catalog();
    }

    /** The number of a bucket's rows, roughly. */
    long count(int bucket) {
        return pass.count(bucket);
    }

    /** Gives the addresses of a table's rows in buckets that are listed. */
    Function<TableStore, LongSupplier> rowsOf(BitSet some) {
        return table -> pass.rowsOf(table, some);
    }

    /** Forgets the list. */
    void end() {
        if (pass != null) {
            pass.close();
        }
        pass = null;
        catalog = null;
        listed = false;
        buckets.clear();
    }
}
