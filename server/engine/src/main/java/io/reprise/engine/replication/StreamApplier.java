package io.reprise.engine.replication;

import io.reprise.cluster.replica.DivergedReplicaException;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.Result;
import io.reprise.execution.Work;
import io.reprise.execution.durable.CommandReplayer;
import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.RowSum;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.redo.DivergedReplayException;
import io.reprise.redo.SingleRedo;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.DamagedImageException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.Function;
import java.util.function.LongSupplier;

/**
 * Applies the records of a leader to a follower's partition, with their old ids, and compares the hash of each.
 *
 * <p>Owned by the partition's thread.
 */
final class StreamApplier implements AutoCloseable {
    private final Partition partition;
    private final StreamSchema schema;
    private final LogFrame frame = new LogFrame();
    private final LogRecords records = new LogRecords();
    private final CommandReplayer commands = new CommandReplayer();
    private final Execution execution = new Execution().withoutResult();
    private final RowSum rows = new RowSum(true);
    private final SingleRedo redo;
    private final PartitionImage images;
    private final LeavingRows leaving;
    private byte[] decoded;

    StreamApplier(Partition partition, StreamSchema schema) {
        this.partition = partition;
        this.schema = schema;
        redo = new SingleRedo(partition.store(), rows);
        images = new PartitionImage(partition);
        leaving = new LeavingRows(partition, schema);
    }

    /** A cursor at the only record of these bytes. */
    LogRecords decoded(byte[] record) {
        if (decoded != record) {
            decoded = record;
            frame.holdRecord(record);
            records.wrap(frame);
            records.next();
        }
        return records;
    }

    /** Whether the rows are here that a record changes. */
    boolean isReadyFor(byte[] record, LoadedRows rows) {
        boolean ready = rows.suffice(decoded(record));
        // The cursor is left at a part.
        decoded = null;
        return ready;
    }

    /** Applies a record. After a divergence the partition holds what must not count. */
    void apply(byte[] record) {
        decoded(record);
        try {
            switch (records.kind()) {
                case COMMAND -> command();
                case CALLS -> calls();
                default -> data();
            }
        } catch (DivergedReplayException | DamagedImageException e) {
            throw new DivergedReplicaException(e.getMessage(), e);
        }
        if (records.hasCaller()) {
            do {
                remember();
            } while (records.nextCaller());
        }
    }

    private void remember() {
        partition
                .outcomes()
                .remember(
                        records.client(),
                        records.sequence(),
                        Result.Kind.of(records.resultKind()),
                        records.resultWord(),
                        records.recordId());
    }

    /** Runs the calls of a transaction over nodes, which the leader ran at its home, with the answers that they got. */
    private void calls() {
        // The cursor is left at a part.
        decoded = null;
        int parts = records.parts();
        for (int part = 0; part < parts; part++) {
            records.showPart(part);
            command();
        }
    }

    private void command() {
        try {
            commands.prepare(records, schema, execution);
        } catch (ProcedureException e) {
            throw diverged(execution.work(), "it is refused: " + e.getMessage(), lacksMemory(e));
        }
        if (records.hasAnswers()) {
            execution.runAtOnly(partition.id());
        }
        Work work = execution.work();
        partition.begin(execution);
        try {
            work.run(partition, execution);
        } catch (RuntimeException | StackOverflowError e) {
            partition.store().rollback();
            throw diverged(work, "it failed: " + e, lacksMemory(e));
        }
        int hash = WriteHash.folded(partition.store().writeHash());
        if (!execution.outcome().succeeded() || hash != records.writeHash()) {
            partition.store().rollback();
            throw diverged(
                    work,
                    execution.outcome().succeeded()
                            ? "it wrote something else (hash " + Integer.toHexString(hash) + ", the leader has "
                                    + Integer.toHexString(records.writeHash()) + ")"
                            : "it failed: " + execution.outcome().message(),
                    execution.outcome().error() == ErrorCode.MEMORY_LIMIT);
        }
        partition.store().commit();
    }

    private DivergedReplicaException diverged(Work work, String how, boolean lacksMemory) {
        return new DivergedReplicaException(
                "Transaction " + records.recordId() + ", " + work.name() + " in partition " + partition.id()
                        + ", committed at the leader, and here " + how,
                null,
                lacksMemory);
    }

    private static boolean lacksMemory(Throwable failure) {
        return failure instanceof ProcedureException refusal && refusal.code() == ErrorCode.MEMORY_LIMIT;
    }

    private void data() {
        rows.clear();
        try {
            redo.apply(records.transactionId(), records.memory(), records.payload(), records.payloadBytes());
        } catch (ProcedureException e) {
            throw new DivergedReplicaException(
                    "Transaction " + records.recordId() + " can't be applied in partition " + partition.id() + ": "
                            + e.getMessage(),
                    e,
                    lacksMemory(e));
        }
        int hash = WriteHash.folded(rows.sum());
        if (hash != records.writeHash()) {
            throw new DivergedReplicaException(
                    "Transaction " + records.recordId() + ", applied in partition " + partition.id()
                            + ", left other rows here than at the leader (hash " + Integer.toHexString(hash)
                            + ", the leader has " + Integer.toHexString(records.writeHash()) + ")",
                    null);
        }
    }

    // ---- Moves

    /** The partition has these buckets from now on. */
    void own(BitSet buckets) {
        partition.store().own(buckets);
    }

    /** The rows of buckets that are to leave. */
    LeavingRows leaving() {
        return leaving;
    }

    /** Deletes or adds rows of buckets. Rows that find no room leave the partition with some of them. */
    void move(BucketMove move) {
        try {
            moveRows(move);
        } catch (ProcedureException e) {
            throw new DivergedReplicaException(
                    "Buckets " + move.buckets() + " can't be moved in partition " + partition.id() + ": "
                            + e.getMessage(),
                    e,
                    lacksMemory(e));
        }
    }

    private void moveRows(BucketMove move) {
        BitSet buckets = move.buckets();
        if (!move.comes() && leaving.has(buckets)) {
            images.remove(schema.catalog().tables().values(), buckets, leaving.rowsOf(buckets));
        } else {
            images.move(schema.catalog().tables().values(), move);
        }
    }

    /** The rows of buckets, and the outcomes of clients with calls behind a transaction, in blocks of about so many bytes. */
    List<byte[]> rowsOf(BitSet buckets, long since, int blockBytes) {
        Function<TableStore, LongSupplier> rows =
                leaving.has(buckets) ? leaving.rowsOf(buckets) : table -> PartitionImage.rowsOf(table, buckets);
        List<byte[]> blocks = new ArrayList<>();
        images.write(schema.catalog().tables().values(), buckets, rows, since, blockBytes, blocks::add);
        return blocks;
    }

    // ---- Images

    /** Empties the partition. */
    void clear() {
        images.clear(schema.catalog().tables().values());
    }

    /** Loads a block of an image. Throws MEMORY_LIMIT if there is no room for it; the partition has to be emptied then. */
    void load(byte[] block) {
        images.load(block);
    }

    /** An image of all that the partition holds at this moment, between two transactions. */
    ImageSweep sweep(ImageHead head, int pieceBytes) {
        return new ImageSweep(partition, schema, head, pieceBytes);
    }

    @Override
    public void close() {
        leaving.end();
        frame.close();
        redo.close();
    }
}
