package io.reprise.recovery.closure;

import io.reprise.footprint.FootprintReader;
import io.reprise.id.BucketSet;
import io.reprise.log.Confinement;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;

/**
 * The transactions of a log, from the last to the first. The log is read block by block, so that memory is bounded by a block: first all
 * frames for their positions, then each block forward. Confined to one thread.
 *
 * <p>A footprint stands near its transaction, mostly behind it. Footprints whose transactions are not in their block wait for the block
 * before. One that stands before its transaction, in another block, is missing; the transaction is coarse then.
 */
public final class LogHistory {
    /** Frames of a block have so many bytes together, or a little more. */
    public static final long BLOCK_BYTES = 4 << 20;

    /** A visitor of transactions and catalog changes, the last one first. */
    public interface Visitor {
        /** A transaction, which changes afterwards: {@link LoggedTransaction#copy} keeps it. */
        void transaction(LoggedTransaction transaction);

        /** A change of the catalog. */
        void catalogChange();
    }

    private final LongFunction<LogReader> log;
    private final long from;
    private final long blockBytes;
    private final LogRecords records = new LogRecords();
    private final FootprintReader reader = new FootprintReader();
    private final LoggedTransactions block = new LoggedTransactions();
    private final int[] buckets = new int[BucketSet.MOST_LISTED];

    /** Payloads of FOOTPRINT records with transactions of the blocks before. */
    private List<byte[]> waiting = new ArrayList<>();

    /**
     * A history.
     *
     * @param log reads the log from a position
     * @param from the position of the first frame
     */
    public LogHistory(LongFunction<LogReader> log, long from, long blockBytes) {
        this.log = log;
        this.from = from;
        this.blockBytes = blockBytes;
    }

    /** Visits all transactions, the last one first. */
    public void backward(Visitor visitor) {
        long[] starts = blocks();
        for (int i = starts.length - 2; i >= 0; i--) {
            read(starts[i], starts[i + 1]);
            for (int entry = block.size() - 1; entry >= 0; entry--) {
                LoggedTransaction transaction = block.at(entry);
                if (transaction != null) {
                    visitor.transaction(transaction);
                } else {
                    visitor.catalogChange();
                }
            }
        }
        block.clear();
    }

    /** The positions of blocks, and the end. */
    private long[] blocks() {
        long[] starts = new long[16];
        int count = 0;
        try (LogReader frames = log.apply(from)) {
            long next = from;
            for (long at = frames.skip(); at >= 0; at = frames.skip()) {
                if (at >= next) {
                    starts = count + 1 < starts.length ? starts : Arrays.copyOf(starts, 2 * starts.length);
                    starts[count++] = at;
                    next = at + blockBytes;
                }
            }
            starts[count++] = frames.position();
        }
        return Arrays.copyOf(starts, count);
    }

    private void read(long start, long end) {
        block.clear();
        List<byte[]> footprints = waiting;
        waiting = new ArrayList<>();
        try (LogReader frames = log.apply(start);
                LogFrame frame = new LogFrame()) {
            while (frames.position() < end && frames.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    switch (records.kind()) {
                        case COMMAND, DATA, BOUNDARY, CALLS -> addParts();
                        case FOOTPRINT -> footprints.add(records.payloadCopy());
                        case CATALOG -> block.addCatalogChange();
                        default -> {}
                    }
                }
            }
        }
        for (byte[] payload : footprints) {
            attach(payload);
        }
    }

    /** The call of a boundary record and its rows are transactions of their own: neither depends on the other. */
    private void addParts() {
        int parts = records.parts();
        for (int part = 0; part < parts; part++) {
            records.showPart(part);
            addTransaction();
        }
    }

    private void addTransaction() {
        boolean data = records.kind() == RecordKind.DATA;
        if (records.confinement() != Confinement.BUCKETS) {
            block.add(records.transactionId(), data, null, 0);
            return;
        }
        int count = records.bucketCount();
        for (int i = 0; i < count; i++) {
            buckets[i] = records.bucket(i);
        }
        block.add(records.transactionId(), data, buckets, count);
    }

    /** Adds the footprints to their transactions. A payload with one of an earlier transaction waits for the block before. */
    private void attach(byte[] payload) {
        boolean waits = false;
        reader.over(payload);
        while (reader.next()) {
            long id = reader.footprint().transactionId();
            int entry = block.find(id);
            if (entry >= 0) {
                block.tell(entry, reader.footprint());
            } else if (id < block.least()) {
                waits = true;
            }
        }
        if (waits) {
            waiting.add(payload);
        }
    }
}
