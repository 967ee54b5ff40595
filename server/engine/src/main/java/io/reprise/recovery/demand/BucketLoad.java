package io.reprise.recovery.demand;

import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.snapshot.file.BucketBlock;
import io.reprise.snapshot.file.BucketSources;
import io.reprise.snapshot.file.DamagedSnapshotException;
import java.util.BitSet;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;

/**
 * The loading of one bucket: the rows of all buckets in its closure, then the records of the closure in log order. It sends slices as long as
 * there is room, and never waits. Its last form ends the loading at all partitions. Owned by the agent's thread.
 */
final class BucketLoad {
    private static final int ROWS = 128;

    private final int bucket;
    private final TailIndex.Closure closure;
    private final BucketSources source;
    private final TailIndex tail;
    private final CommandSchema schema;
    private final List<Partition> partitions;
    private final SliceSender sender;
    private final LoadStats stats;
    private final IntToLongFunction loaded;

    /** The buckets whose rows are still to be read, and the one that is being read, or -1. */
    private final BitSet rowsOf = new BitSet();

    private int reading = -1;
    private BucketBlock block;
    private int nextRow;

    private int nextRecord;
    private LoadSlice unsent;
    private boolean awaitsLent;
    private int nextToEnd;
    private boolean hasArrived;
    private String problem;
    private final BitSet spoilt = new BitSet();
    private long rowCount;
    private long commandCount;
    private long dataCount;
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();
    private CommandReplayer commands;

    /** The loading of a bucket. */
    BucketLoad(
            int bucket,
            TailIndex.Closure closure,
            BucketSources source,
            TailIndex tail,
            CommandSchema schema,
            List<Partition> partitions,
            SliceSender sender,
            LoadStats stats,
            IntPredicate needsRows,
            IntToLongFunction loaded) {
        this.bucket = bucket;
        this.closure = closure;
        this.source = source;
        this.tail = tail;
        this.schema = schema;
        this.partitions = partitions;
        this.sender = sender;
        this.stats = stats;
        this.loaded = loaded;
        closure.buckets().stream().filter(needsRows).forEach(rowsOf::set);
        sender.tell(this::ran);
    }

    /** The end of loading at all partitions. */
    BucketLoad(List<Partition> partitions, SliceSender sender) {
        this.bucket = -1;
        this.closure = new TailIndex.Closure(new int[0], new int[0], new BitSet());
        this.source = null;
        this.tail = null;
        this.schema = null;
        this.partitions = partitions;
        this.sender = sender;
        this.stats = null;
        this.loaded = null;
        nextToEnd = partitions.size();
        hasArrived = true;
        sender.tell(this::ran);
    }

    /** One that has failed before it began. */
    static BucketLoad failed(int bucket, String why) {
        return new BucketLoad(bucket, why);
    }

    private BucketLoad(int bucket, String why) {
        this.bucket = bucket;
        this.closure = new TailIndex.Closure(new int[0], new int[0], new BitSet());
        this.source = null;
        this.tail = null;
        this.schema = null;
        this.partitions = List.of();
        this.sender = null;
        this.stats = null;
        this.loaded = null;
        problem = why;
        spoilt.set(bucket);
    }

    int bucket() {
        return bucket;
    }

    /** Why the bucket can't be loaded, or null. */
    String problem() {
        return problem;
    }

    /** The buckets that are lost with it: rows or records of theirs may have been half applied. */
    BitSet spoilt() {
        return spoilt;
    }

    boolean isOver() {
        return (problem != null || isAllSent()) && (sender == null || sender.underWay() == 0) && unsent == null;
    }

    private boolean isAllSent() {
        return rowsOf.isEmpty()
                && reading < 0
                && nextRecord == closure.records().length
                && nextToEnd == 0
                && hasArrived;
    }

    /** Sends what can be sent now. Returns how much that was. */
    int step() {
        int count = 0;
        if (unsent != null) {
            count += sendAgain();
        }
        while (problem == null && unsent == null && sender.hasRoom()) {
            int before = count;
            try {
                count += sendOne();
            } catch (DamagedSnapshotException e) {
                fail(e);
                spoilt.set(reading);
            } catch (RuntimeException e) {
                fail(e);
                spoilt.or(closure.buckets());
            }
            if (count == before) {
                break;
            }
        }
        return count;
    }

    private void fail(Throwable cause) {
        problem = problem == null ? String.valueOf(cause.getMessage()) : problem;
        spoilt.set(bucket);
    }

    /** Gives back what it has after a failure. Nothing is under way. */
    void release() {
        if (block != null) {
            sender.giveBack(block);
            block = null;
        }
        frame.close();
    }

    private int sendOne() {
        if (reading >= 0 || !rowsOf.isEmpty()) {
            return sendRows();
        }
        if (nextToEnd > 0) {
            nextToEnd--;
            send(sender.take(partitions.get(nextToEnd).id()).end());
            return 1;
        }
        return nextRecord < closure.records().length ? sendRecords() : sendArrival();
    }

    /** Behind all rows and records, which may have failed: transactions may touch the bucket from now on. */
    private int sendArrival() {
        if (hasArrived || sender.underWay() > 0) {
            return 0;
        }
        hasArrived = true;
        send(sender.take(partition(bucket)).arrived(bucket));
        return 1;
    }

    private int sendAgain() {
        if (!sender.send(unsent)) {
            return 0;
        }
        unsent = null;
        return 1;
    }

    private void send(LoadSlice slice) {
        if (!sender.send(slice)) {
            unsent = slice;
        }
    }

    private int sendRows() {
        if (reading < 0) {
            reading = rowsOf.nextSetBit(0);
            rowsOf.clear(reading);
            source.open(reading);
        }
        if (block == null) {
            BucketBlock free = sender.takeBlock();
            if (free == null) {
                return 0;
            }
            if (!readInto(free)) {
                endRows();
                return 1;
            }
        }
        int end = Math.min(nextRow + ROWS, block.count());
        block.sent();
        send(sender.take(partition(reading)).rows(block, nextRow, end));
        nextRow = end;
        if (nextRow == block.count()) {
            block = null;
        }
        return 1;
    }

    private boolean readInto(BucketBlock free) {
        try {
            if (source.next(free) && free.count() > 0) {
                block = free;
                nextRow = 0;
                return true;
            }
        } finally {
            if (block == null) {
                sender.giveBack(free);
            }
        }
        return false;
    }

    /** All rows of the bucket are on their way. The memory that was kept for them is given back behind them. */
    private void endRows() {
        LoadSlice slice = sender.take(partition(reading));
        slice.reserved(loaded.applyAsLong(reading));
        reading = -1;
        send(slice);
    }

    private int partition(int of) {
        return schema.buckets().partition(of);
    }

    private int sendRecords() {
        if (awaitsLent && sender.underWay() > 0) {
            return 0;
        }
        awaitsLent = false;
        int partition = partitionOfNext();
        if (partition < 0) {
            return sendWide(closure.records()[nextRecord]);
        }
        LoadSlice slice = sender.take(partition);
        boolean more = true;
        while (more) {
            more = slice.record(closure.records()[nextRecord], closure.parts()[nextRecord]);
            nextRecord++;
            more &= nextRecord < closure.records().length && partitionOfNext() == partition;
        }
        send(slice);
        return 1;
    }

    /** The partition of the next record, or of the part of it; -1 if it concerns several buckets as a whole, or all. */
    private int partitionOfNext() {
        int part = closure.parts()[nextRecord];
        if (part != TailIndex.WHOLE) {
            return partition(part);
        }
        tail.view(closure.records()[nextRecord], frame, records);
        if (tail.keepsPartitions()) {
            return records.partition();
        }
        return records.bucketCount() == 1 ? partition(records.bucket()) : -1;
    }

    /** A command of several buckets, or a record of none in particular: alone, because it may have several participants. */
    private int sendWide(int record) {
        if (sender.underWay() > 0) {
            return 0;
        }
        if (records.kind() == RecordKind.DATA) {
            return sendData(record);
        }
        Execution routed = new Execution();
        if (commands == null) {
            commands = new CommandReplayer();
        }
        commands.prepare(records, schema, routed);
        BitSet at = new BitSet();
        for (int i = 0; i < routed.participantCount(); i++) {
            at.set(routed.participant(i));
        }
        return sendWide(record, false, at);
    }

    private int sendWide(int record, boolean data, BitSet at) {
        LoadSlice slice = sender.take(at.nextSetBit(0));
        if (at.cardinality() == 1) {
            slice.record(record, TailIndex.WHOLE);
        } else {
            slice.wideRecord(record, data, schema.buckets(), at);
        }
        nextRecord++;
        awaitsLent = true;
        send(slice);
        return 1;
    }

    /** Each partition applies its part of a data record that is confined to no buckets. */
    private int sendData(int record) {
        BitSet at = new BitSet();
        partitions.forEach(partition -> at.set(partition.id()));
        return sendWide(record, true, at);
    }

    private void count(int record, int part) {
        boolean whole = tail.applied(record, part);
        boolean isData = tail.isData(record);
        stats.records.add(whole ? 1 : 0);
        stats.commands.add(whole && !isData ? 1 : 0);
        dataCount += isData ? 1 : 0;
        commandCount += isData ? 0 : 1;
    }

    /** Its work, when it is over. */
    LoadSample sample(long tookNs) {
        return new LoadSample(rowCount, commandCount, dataCount, tail.runs(), tookNs);
    }

    /** A slice has run. */
    private void ran(LoadSlice slice) {
        BucketBlock of = slice.block();
        if (of != null && of.cameBack() && of != block) {
            sender.giveBack(of);
        }
        if (slice.failure() != null) {
            fail(slice.failure());
            spoilt.or(closure.buckets());
            return;
        }
        if (stats != null) {
            stats.rows.add(slice.rowCount());
            rowCount += slice.rowCount();
            for (int i = 0; i < slice.recordCount(); i++) {
                count(slice.recordNumber(i), slice.part(i));
            }
        }
    }
}
