package io.reprise.recovery.demand;

import io.reprise.execution.Execution;
import io.reprise.execution.Part;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.run.ReplayedImages;
import io.reprise.redo.DivergedReplayException;
import io.reprise.redo.SingleRedo;

/**
 * Applies records of a {@link TailIndex} to one partition, or to several that it is lent, with their old ids, and compares the write hash of
 * each command. Runs inside of a {@link LoadSlice}, so the partition is between two transactions of clients. Owned by the partition's
 * thread.
 */
public final class TailApplier implements AutoCloseable {
    private final Partition partition;
    private final TailIndex tail;
    private final CommandSchema schema;
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();
    private final CommandReplayer commands = new CommandReplayer();
    private final Execution single = new Execution().withoutResult();
    private final SingleRedo redo;

    /** Null if runs have no images of commands. */
    private final ReplayedImages images;

    /** An applier to a partition. */
    public TailApplier(Partition partition, TailIndex tail, CommandSchema schema) {
        this(partition, tail, schema, null);
    }

    /**
     * The same, which keeps images of the commands.
     *
     * @param images null: it keeps none
     */
    TailApplier(Partition partition, TailIndex tail, CommandSchema schema, ReplayedImages images) {
        this.images = images;
        this.partition = partition;
        this.tail = tail;
        this.schema = schema;
        redo = new SingleRedo(partition.store());
    }

    /**
     * Applies a command whose only participant this partition is, or the partition's part of a data record.
     *
     * @param part the only bucket of which the data record's part is applied; -1: all buckets of the partition
     */
    public void apply(int record, int part) {
        partition.store().beginLoad();
        try {
            if (moveTo(record) == RecordKind.COMMAND) {
                command();
            } else {
                redo.confineTo(part);
                data();
            }
        } finally {
            partition.store().endLoad();
        }
    }

    /** Applies data records, from one place to another in an array of records in log order. */
    public void applyData(int[] numbers, int from, int to) {
        partition.store().beginLoad();
        redo.confineTo(TailIndex.WHOLE);
        try {
            for (int i = from; i < to; i++) {
                moveTo(numbers[i]);
                redo.append(records.transactionId(), records.memory(), records.payload(), records.payloadBytes());
            }
            redo.flush();
        } finally {
            partition.store().endLoad();
        }
    }

    private RecordKind moveTo(int record) {
        tail.view(record, frame, records);
        return records.kind();
    }

    private void command() {
        prepare(single);
        if (tail.keepsPartitions()) {
            single.runAtOnly(partition.id());
        }
        partition.begin(single);
        try {
            single.work().run(partition, single);
            compare(single, partition.store().writeHash());
            if (keepsImage()) {
                images.keep(partition, records.transactionId(), records.framePosition());
            }
        } catch (RuntimeException | StackOverflowError e) {
            partition.store().rollback();
            throw asDivergence(single.work(), e);
        }
        partition.store().commit();
    }

    /** Applies a command with several participants, all of which this partition's thread has been lent. */
    void applyLent(int record, Execution holder) {
        moveTo(record);
        for (int i = 0; i < holder.participantCount(); i++) {
            partition.peers().withId(holder.participant(i)).store().beginLoad();
        }
        try {
            lentCommand();
        } finally {
            for (int i = 0; i < holder.participantCount(); i++) {
                partition.peers().withId(holder.participant(i)).store().endLoad();
            }
            partition.lent().begin(holder);
        }
    }

    private void lentCommand() {
        Execution execution = new Execution().withoutResult();
        prepare(execution);
        partition.lent().begin(execution);
        try {
            if (execution.work().splits()) {
                runParts(execution);
            } else {
                execution.work().runLent(partition, execution);
            }
            compare(execution, partition.lent().writeHash());
            if (keepsImage()) {
                images.keepLent(partition, execution, records.transactionId(), records.framePosition());
            }
        } catch (RuntimeException | StackOverflowError e) {
            partition.lent().rollback();
            throw asDivergence(execution.work(), e);
        }
        partition.lent().commit();
    }

    /** The call of a boundary record is a part of it only. */
    private boolean keepsImage() {
        return images != null && !records.hasAnswers();
    }

    private void runParts(Execution execution) {
        for (int i = 0; i < execution.participantCount(); i++) {
            Part part = execution.part(i);
            execution.work().runPart(partition.peers().withId(execution.participant(i)), execution, part);
            if (part.error() != null) {
                throw new ProcedureException(part.error(), part.message());
            }
        }
        execution.work().merge(partition, execution);
        execution.emptyParts();
    }

    private void prepare(Execution execution) {
        try {
            commands.prepare(records, schema, execution);
        } catch (ProcedureException e) {
            throw asDivergence(execution.work(), e);
        }
    }

    private void compare(Execution execution, long writeHash) {
        if (!execution.outcome().succeeded()) {
            throw new ProcedureException(
                    execution.outcome().error(), execution.outcome().message());
        }
        int hash = WriteHash.folded(writeHash);
        if (hash != records.writeHash()) {
            throw diverged(
                    execution.work(),
                    "it wrote something else (hash " + Integer.toHexString(hash) + ", the log has "
                            + Integer.toHexString(records.writeHash()) + ")");
        }
    }

    private DivergedReplayException asDivergence(Work work, Throwable cause) {
        return cause instanceof DivergedReplayException diverged
                ? diverged
                : diverged(work, "it failed: " + cause.getMessage());
    }

    private DivergedReplayException diverged(Work work, String how) {
        return new DivergedReplayException(
                records.transactionId(),
                "The replay of transaction 0x" + Long.toHexString(records.transactionId()) + " (" + work.name()
                        + ", in the log's frame at position " + records.framePosition()
                        + ") differs from the first time: " + how);
    }

    private void data() {
        redo.apply(records.transactionId(), records.memory(), records.payload(), records.payloadBytes());
    }

    @Override
    public void close() {
        frame.close();
        redo.close();
    }
}
