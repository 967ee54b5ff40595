package io.reprise.recovery.replay;

import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.execution.work.RefusedWork;
import io.reprise.log.LogRecords;
import io.reprise.procedure.ProcedureException;
import io.reprise.redo.DivergedReplayException;

/**
 * The second stage of a replay: the partitions that a record is about. A data record's header names its buckets; a command is decoded and
 * routed again, so the number of partitions may differ from that of the log. Confined to the replaying thread; allocates nothing for
 * a record.
 */
final class RecordAnalysis {
    private final BucketMap buckets;
    private final ReplaySchema schema;
    private final CommandReplayer commands = new CommandReplayer();
    private final int[] lanes;

    /** By lane, the data record that named it last. */
    private final long[] named;

    private long dataRecords;
    private boolean keepsPartitions;
    private int laneCount;

    RecordAnalysis(BucketMap buckets, ReplaySchema schema) {
        this.buckets = buckets;
        this.schema = schema;
        lanes = new int[buckets.partitions()];
        named = new long[lanes.length];
    }

    /** A record of one partition is applied there alone, wherever its buckets are now. */
    void keepPartitions() {
        keepsPartitions = true;
    }

    boolean isKeepingPartitions() {
        return keepsPartitions;
    }

    /** Finds the lanes of a data record: those that own one of its buckets, or all. */
    void data(LogRecords record) {
        dataRecords++;
        laneCount = 0;
        if (keepsPartitions && !record.isMultiPartition()) {
            add(record.partition());
            return;
        }
        for (int i = 0; i < record.bucketCount(); i++) {
            add(buckets.partition(record.bucket(i)));
        }
        if (record.bucketCount() == 0) {
            for (int lane = 0; lane < lanes.length; lane++) {
                add(lane);
            }
        }
    }

    private void add(int lane) {
        if (named[lane] != dataRecords) {
            named[lane] = dataRecords;
            lanes[laneCount++] = lane;
        }
    }

    /** The number of lanes of the last data record. */
    int laneCount() {
        return laneCount;
    }

    /** One of the lanes of the last data record. */
    int lane(int number) {
        return lanes[number];
    }

    /** Decodes and routes a command, and stamps it with its old id. */
    void command(LogRecords record, InFlight inFlight) {
        Execution execution = inFlight.execution();
        Work work = read(record, execution);
        execution.prepare(work, inFlight, 0);
        try {
            work.checkArguments(execution);
            work.route(execution, buckets);
        } catch (ProcedureException e) {
            throw notRunnable(record, work.name(), e.getMessage());
        }
        try {
            if (record.hasAnswers() && !commands.answer(record, execution, inFlight.answers())) {
                throw notRunnable(record, work.name(), CommandReplayer.OTHER_BUCKETS);
            }
        } catch (IllegalStateException e) {
            throw notRunnable(record, work.name(), "its answers from elsewhere can't be read: " + e.getMessage());
        }
        if (record.bucket() != execution.bucket()) {
            throw Divergence.of(
                    record.recordId(),
                    Divergence.at(record.framePosition()),
                    work.name(),
                    "it is routed to bucket " + execution.bucket() + " (-1: not to one), and the log has it in bucket "
                            + record.bucket());
        }
        if (keepsPartitions && !record.isMultiPartition()) {
            execution.runAtOnly(record.partition());
        }
        inFlight.expect(record.framePosition(), record.recordId(), record.writeHash());
        execution.stamp(record.transactionId());
    }

    private Work read(LogRecords record, Execution execution) {
        Work work;
        try {
            work = commands.read(
                    record,
                    schema::procedure,
                    text -> statement(record, text),
                    execution.request().arguments());
        } catch (DivergedReplayException e) {
            throw e;
        } catch (RuntimeException e) {
            throw Divergence.of(
                    record.recordId(),
                    Divergence.at(record.framePosition()),
                    "command",
                    "it can't be read: " + e.getMessage());
        }
        if (work instanceof RefusedWork refused) {
            throw notRunnable(record, "procedure " + refused.name(), refused.reason());
        }
        return work;
    }

    private Work statement(LogRecords record, String text) {
        try {
            return schema.statement(text);
        } catch (RuntimeException | StackOverflowError e) {
            throw notRunnable(record, text, e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private static DivergedReplayException notRunnable(LogRecords record, String work, String why) {
        return Divergence.notRunnable(record.recordId(), Divergence.at(record.framePosition()), work, why);
    }
}
