package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.execution.Work;
import io.reprise.execution.work.StatementWork;
import io.reprise.execution.work.WorkFactory;
import io.reprise.redo.DataRedo;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.simulation.SimulatedClock;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import io.reprise.txn.coordinator.Coordinator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** Partitions with lanes, each of which applies when the test says so, on the test's thread. */
final class HandDrivenPartitions implements ReplaySchema, AutoCloseable {
    final BucketMap buckets;
    final List<Partition> partitions;
    final ReplayLane[] lanes;
    final List<Long> schemaChanges = new ArrayList<>();
    private final List<PartitionStore> stores = new ArrayList<>();
    private final PartitionExecutor[] executors;
    private final SimulatedClock clock = new SimulatedClock();

    HandDrivenPartitions(int count, long patience) {
        buckets = BucketMap.dealt(count);
        for (int i = 0; i < count; i++) {
            BitSet owned = new BitSet();
            for (int bucket : buckets.buckets(i)) {
                owned.set(bucket);
            }
            PartitionStore store = new PartitionStore(new PartitionStore.Options(i, 64L << 20, owned));
            store.createTable(LiveTable.CATALOG.table("T").orElseThrow());
            stores.add(store);
        }
        partitions = Partition.over(stores);
        lanes = new ReplayLane[count];
        executors = new PartitionExecutor[count];
        List<SiteMeter> meters = SiteMeter.unread(count, clock);
        meters.forEach(meter -> meter.measure(buckets.buckets()));
        for (int i = 0; i < count; i++) {
            lanes[i] = new ReplayLane(
                    null,
                    new DataRedo(stores.get(i), patience),
                    partitions.get(i).outcomes());
            executors[i] = new PartitionExecutor(
                    partitions.get(i),
                    new TransactionQueue(List.of(lanes[i].toRun()), List.of(new InitiatorClock(0)), -1, null),
                    new Coordinator(CommitGate.open(meters.get(i)), meters.get(i), new Waker[count]),
                    CommitGate.open(meters.get(i)),
                    meters.get(i),
                    16);
        }
    }

    /** Lets one partition apply something. */
    void apply(int partition) {
        executors[partition].doWork(clock.nanoTime());
    }

    void applyAnywhere() {
        for (int i = 0; i < executors.length; i++) {
            apply(i);
        }
    }

    /** The work that waits in a lane. */
    int waiting(int lane) {
        return lanes[lane].toRun().size();
    }

    TreeMap<Long, Long> rows() {
        TreeMap<Long, Long> rows = new TreeMap<>();
        for (int i = 0; i < stores.size(); i++) {
            rows.putAll(rows(i));
        }
        return rows;
    }

    TreeMap<Long, Long> rows(int partition) {
        TreeMap<Long, Long> rows = new TreeMap<>();
        TableStore table = stores.get(partition).table(LiveTable.TABLE);
        RowAccess access = new RowAccess(stores.get(partition), table);
        for (long row = table.first(); row != 0; row = table.next(row)) {
            List<Object> values = access.read(row);
            rows.put((Long) values.get(0), (Long) values.get(1));
        }
        return rows;
    }

    void verify() {
        stores.forEach(PartitionStore::verify);
    }

    @Override
    public Work procedure(int version) {
        return null;
    }

    @Override
    public Work statement(String text) {
        StatementWork work = WorkFactory.adHoc(LiveTable.CATALOG, text);
        work.bind(partitions);
        return work;
    }

    @Override
    public void image(int partition, ImageRecord record) {
        throw new UnsupportedOperationException("the log has no images");
    }

    @Override
    public void move(int partition, BucketMove move) {
        throw new UnsupportedOperationException("the log moves no buckets");
    }

    @Override
    public void change(byte[] record, long transactionId) {
        schemaChanges.add(transactionId);
    }

    @Override
    public void close() {
        stores.forEach(PartitionStore::close);
    }
}
