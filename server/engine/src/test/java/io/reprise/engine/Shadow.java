package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.execution.work.StatementCollector;
import io.reprise.footprint.FootprintBuffer;
import io.reprise.footprint.FootprintReader;
import io.reprise.log.LogRecords;
import io.reprise.log.WriteHash;
import io.reprise.recovery.closure.LoggedTransaction;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.simulation.SimulatedClock;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowMasks;
import io.reprise.storage.TableStore;
import io.reprise.storage.row.RowLayout;
import io.reprise.txn.coordinator.Coordinator;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.LongPredicate;

/**
 * A store that holds only rows that some transactions of a log need, and runs these again. Of the others only deletions
 * are applied, by row id. A row whose indexed columns one of them has changed goes too: nobody needs it any more, and a search must not find
 * it by its old key.
 */
final class Shadow implements AutoCloseable {
    private static final FootprintBuffer.Settings FOOTPRINTS = new FootprintBuffer.Settings(2, 1 << 14, 1 << 13, 1);

    private final PartitionStore store = new PartitionStore(PartitionStore.Options.single(256L << 20));
    private final BucketMap map = BucketMap.dealt(1);
    private final List<Partition> partitions;
    private final ReplayedSchema schema;
    private final SpscRing<Execution> ring = new SpscRing<>(4);
    private final PartitionExecutor executor;
    private final SimulatedClock clock = new SimulatedClock();
    private final CommandReplayer commands = new CommandReplayer();

    Shadow() {
        store.collectFootprints(FOOTPRINTS);
        store.footprint().turnOn();
        partitions = Partition.over(List.of(store));
        schema = new ReplayedSchema(partitions, new StatementCollector(true));
        SiteMeter meter = SiteMeter.unread(1, clock).getFirst();
        meter.measure(map.buckets());
        executor = new PartitionExecutor(
                partitions.getFirst(),
                new TransactionQueue(List.of(ring), List.of(new InitiatorClock(0)), -1, null),
                new Coordinator(CommitGate.open(meter), meter, new Waker[1]),
                new Gate(CommitGate.open(meter)),
                meter,
                4);
    }

    /** Keeps the footprint of what commits. */
    private record Gate(CommitGate open) implements CommitGate {
        @Override
        public boolean hasRoom(Partition at) {
            return true;
        }

        @Override
        public int mostLent(Partition at) {
            return 1;
        }

        @Override
        public void commit(Partition at, Execution execution) {
            if (!execution.work().tellsReads()) {
                at.store().footprint().makeCoarse();
            }
            at.store().tellWrites();
            at.store().footprint().commit(execution.id(), 0, false, false, false);
        }

        @Override
        public void leaving(int participant, Execution execution) {}

        @Override
        public void finished(Partition at, Execution execution) {
            open.finished(at, execution);
        }
    }

    /** A change of the schema. */
    void change(byte[] record, long transactionId) {
        schema.change(record, transactionId);
    }

    /** Runs a command again; null, or the difference from the first run. */
    String run(LogRecords record, LoggedTransaction logged) {
        raiseRowIds(logged);
        Execution execution = new Execution();
        Work work = commands.read(
                record,
                schema::procedure,
                schema::statement,
                execution.request().arguments());
        execution.prepare(work, finished -> {}, 0);
        work.checkArguments(execution);
        work.route(execution, map);
        execution.stamp(record.transactionId());
        assertThat(ring.offer(execution)).isTrue();
        executor.doWork(clock.nanoTime());
        if (!execution.outcome().succeeded()) {
            return work.name() + " fails: " + execution.outcome().message();
        }
        TreeSet<String> told = told();
        if (WriteHash.folded(execution.outcome().writeHash()) != record.writeHash()) {
            return work.name() + " writes something else: it tells " + told + ", and the log has " + rows(logged);
        }
        return logged.isCoarse() || told.equals(rows(logged))
                ? null
                : work.name() + " tells " + told + ", and the log has " + rows(logged);
    }

    private TreeSet<String> told() {
        TreeSet<String> rows = new TreeSet<>();
        FootprintReader reader = new FootprintReader();
        FootprintDecoding.decode(store.footprint(), reader, footprint -> {
            for (int i = 0; i < footprint.size(); i++) {
                if (footprint.flags(i) < 8) {
                    rows.add(text(
                            footprint.table(i),
                            footprint.flags(i),
                            footprint.row(i),
                            footprint.read(i),
                            footprint.written(i)));
                }
            }
        });
        return rows;
    }

    /** The rows of a logged transaction. */
    static TreeSet<String> rows(LoggedTransaction logged) {
        TreeSet<String> rows = new TreeSet<>();
        for (int i = 0; i < logged.size(); i++) {
            rows.add(text(logged.table(i), logged.flags(i), logged.row(i), logged.read(i), logged.written(i)));
        }
        return rows;
    }

    private static String text(int table, int flags, long row, long read, long written) {
        return table + "/" + flags + "@" + Long.toHexString(row) + ":" + Long.toHexString(read) + ":"
                + Long.toHexString(written);
    }

    /** Inserts of skipped transactions must not shift row ids. */
    private void raiseRowIds(LoggedTransaction logged) {
        for (int i = 0; i < logged.size(); i++) {
            if (logged.inserted(i) && isFirst(logged, i)) {
                long row = logged.row(i);
                int bucket = (int) (row >>> RowLayout.SEQUENCE_BITS);
                store.table(logged.table(i))
                        .directWrites()
                        .raiseNextRowId(bucket, row & (1L << RowLayout.SEQUENCE_BITS) - 1);
            }
        }
    }

    /** Whether no other insert of the transaction into the table and bucket has a lower id. */
    private static boolean isFirst(LoggedTransaction logged, int element) {
        for (int i = 0; i < logged.size(); i++) {
            if (logged.inserted(i)
                    && logged.table(i) == logged.table(element)
                    && logged.row(i) >>> RowLayout.SEQUENCE_BITS == logged.row(element) >>> RowLayout.SEQUENCE_BITS
                    && logged.row(i) < logged.row(element)) {
                return false;
            }
        }
        return true;
    }

    /**
     * A skipped transaction: rows that it deleted go, and those whose indexed columns it changed; of a coarse one, all rows of its buckets.
     * Nobody needs them any more.
     */
    void skip(LoggedTransaction logged) {
        if (logged.isCoarse()) {
            schema.schema().catalog().tables().values().stream()
                    .filter(table -> !table.replicated())
                    .forEach(table -> delete(store.table(table.id()), row -> isIn(row, logged)));
            return;
        }
        for (int i = 0; i < logged.size(); i++) {
            if (store.hasTable(logged.table(i))) {
                TableStore table = store.table(logged.table(i));
                long gone = logged.row(i);
                if (logged.deleted(i)
                        || (logged.written(i) & RowMasks.of(table.table()).indexed()) != 0) {
                    delete(table, row -> row == gone);
                }
            }
        }
    }

    private static boolean isIn(long row, LoggedTransaction logged) {
        if (!logged.isConfined()) {
            return true;
        }
        for (int i = 0; i < logged.bucketCount(); i++) {
            if (row >>> RowLayout.SEQUENCE_BITS == logged.bucket(i)) {
                return true;
            }
        }
        return false;
    }

    private void delete(TableStore table, LongPredicate ids) {
        List<Long> found = new ArrayList<>();
        for (long row = table.first(); row != 0; row = table.next(row)) {
            if (ids.test(table.rowId(row))) {
                found.add(row);
            }
        }
        if (!found.isEmpty()) {
            store.begin(store.transactionId() + 1);
            found.forEach(table::delete);
            store.commit();
        }
    }

    @Override
    public void close() {
        store.close();
    }
}
