package io.reprise.recovery.closure;

import io.reprise.footprint.FootprintReader;
import io.reprise.log.Confinement;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
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
    public static final long BLOCK_BYTES = 16 << 20;

    /** A visitor of transactions and catalog changes, the last one first. */
    public interface Visitor {
        /** A transaction. */
        void transaction(LoggedTransaction transaction);

        /** A change of the catalog. */
        void catalogChange();
    }

    /** The entry of a catalog change in a block. */
    private static final Object CATALOG_CHANGE = new Object();

    private final LongFunction<LogReader> log;
    private final long from;
    private final long blockBytes;
    private final LogRecords records = new LogRecords();
    private final FootprintReader reader = new FootprintReader();

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
        List<Long> starts = blocks();
        for (int i = starts.size() - 2; i >= 0; i--) {
            List<Object> block = read(starts.get(i), starts.get(i + 1));
            for (Object entry : block.reversed()) {
                if (entry instanceof LoggedTransaction transaction) {
                    visitor.transaction(transaction);
                } else {
                    visitor.catalogChange();
                }
            }
        }
    }

    /** The positions of blocks, and the end. */
    private List<Long> blocks() {
        List<Long> starts = new ArrayList<>();
        try (LogReader frames = log.apply(from);
                LogFrame frame = new LogFrame()) {
            long next = from;
            long end = from;
            while (frames.next(frame)) {
                if (frame.position() >= next) {
                    starts.add(frame.position());
                    next = frame.position() + blockBytes;
                }
                end = frame.endPosition();
            }
            starts.add(end);
        }
        return starts;
    }

    private List<Object> read(long start, long end) {
        List<Object> block = new ArrayList<>();
        TreeMap<Long, LoggedTransaction> byId = new TreeMap<>();
        List<byte[]> footprints = waiting;
        waiting = new ArrayList<>();
        try (LogReader frames = log.apply(start);
                LogFrame frame = new LogFrame()) {
            while (frames.position() < end && frames.next(frame)) {
                records.wrap(frame);
                while (records.next()) {
                    switch (records.kind()) {
                        case COMMAND, DATA -> {
                            LoggedTransaction transaction = transaction();
                            block.add(transaction);
                            byId.put(transaction.id(), transaction);
                        }
                        case FOOTPRINT -> footprints.add(records.payloadCopy());
                        case CATALOG -> block.add(CATALOG_CHANGE);
                        default -> {}
                    }
                }
            }
        }
        for (byte[] payload : footprints) {
            attach(payload, byId);
        }
        return block;
    }

    private LoggedTransaction transaction() {
        int[] buckets = null;
        if (records.confinement() == Confinement.BUCKETS) {
            buckets = new int[records.bucketCount()];
            for (int i = 0; i < buckets.length; i++) {
                buckets[i] = records.bucket(i);
            }
        }
        return new LoggedTransaction(records.transactionId(), records.kind() == RecordKind.DATA, buckets);
    }

    /** Adds the footprints to their transactions. A payload with one of an earlier transaction waits for the block before. */
    private void attach(byte[] payload, TreeMap<Long, LoggedTransaction> byId) {
        long first = byId.isEmpty() ? Long.MAX_VALUE : byId.firstKey();
        boolean waits = false;
        reader.over(payload);
        while (reader.next()) {
            long id = reader.footprint().transactionId();
            LoggedTransaction transaction = byId.get(id);
            if (transaction != null) {
                transaction.add(reader.footprint());
            } else if (id < first) {
                waits = true;
            }
        }
        if (waits) {
            waiting.add(payload);
        }
    }
}
