package io.reprise.footprint;

import io.reprise.id.TransactionId;
import io.reprise.runtime.agent.SpscRing;

/**
 * Collects the footprint of a partition's running transaction as raw words, and hands full chunks to the footprint agent. Nothing waits:
 * when the agent lags, footprints are dropped and counted, and a transaction with too many rows becomes coarse.
 *
 * <p>Owned by the holder of the partition. {@link #poll} and {@link #giveBack} are the agent's.
 */
public final class FootprintBuffer {
    /** The size of a buffer in words. */
    public record Settings(int chunks, int chunkWords, int mostWords, int passWords) {
        /** Eight chunks of 256 KiB; a transaction has at most 8,192 words; a chunk of 32 KiB is handed over. */
        public static final Settings DEFAULTS = new Settings(8, 1 << 15, 1 << 13, 1 << 12);
    }

    /** A chunk whose first transaction is older is handed over. */
    private static final long PASS_AFTER_MICROS = 50_000;

    private static final long[] NOWHERE = new long[0];

    private final Settings settings;
    private final SpscRing<FootprintChunk> full;
    private final SpscRing<FootprintChunk> free;

    private final AccessNumbers accesses = new AccessNumbers();
    private FootprintChunk chunk;
    private long[] words = NOWHERE;
    private int start;
    private int at;
    private int limit;
    private boolean overflown;
    private boolean on;
    private long dropped;
    private long coarse;
    private long passed;

    /** A buffer that is off. */
    public FootprintBuffer(Settings settings) {
        this.settings = settings;
        full = new SpscRing<>(settings.chunks());
        free = new SpscRing<>(settings.chunks());
        for (int i = 0; i < settings.chunks(); i++) {
            free.offerQuietly(new FootprintChunk(settings.chunkWords()));
        }
    }

    /** Collects from the next transaction on. A recovery that runs old transactions leaves the buffer off. */
    public void turnOn() {
        on = true;
    }

    /** Begins a transaction. Words of one that did not commit are forgotten. */
    public void begin() {
        if (chunk == null && on) {
            take();
        }
        overflown = false;
        at = start + FootprintChunk.HEADER;
        limit = Math.min(words.length, start + settings.mostWords()) - FootprintWords.MOST;
    }

    private void take() {
        chunk = free.poll();
        words = chunk == null ? NOWHERE : chunk.words;
        start = 0;
    }

    /** An access, for {@link #touch}. It stays the same as long as the buffer. */
    public long access(int table, int flags, long read, long written) {
        return FootprintWords.access(accesses.number(table, flags, read, written));
    }

    /** Adds a row, by its id with its bucket. */
    public void touch(long access, long row) {
        int to = at;
        if (to >= limit) {
            overflown = true;
            return;
        }
        at = FootprintWords.put(words, to, access, row);
    }

    /** The place behind the rows so far, for {@link #visit}. */
    public int mark() {
        return at;
    }

    /** Visits the running transaction's rows of partitioned tables behind a mark, in the order in which they were told. */
    public void visit(int mark, FootprintChunk.Visitor visitor) {
        FootprintWords.visit(accesses.accesses(), words, mark, at, FootprintChunk.NO_ROWS, visitor);
    }

    /** Visits all elements of the running transaction, for tests and checks; none if its footprint is coarse. */
    public void visitAll(FootprintChunk.Visitor visitor) {
        if (!overflown) {
            FootprintWords.visit(accesses.accesses(), words, start + FootprintChunk.HEADER, at, 0, visitor);
        }
    }

    /** Forgets the rows so far: the transaction's reads do not matter. */
    public void forget() {
        at = start + FootprintChunk.HEADER;
        overflown = false;
    }

    /** Says that so many partitions have a footprint of the transaction. */
    public void parts(int count) {
        touch(access(AccessTable.tableOfParts(count), AccessTable.PARTS, 0, 0), 0);
    }

    /** Makes the transaction's footprint coarse. */
    public void makeCoarse() {
        overflown = true;
    }

    /**
     * Keeps the footprint of a transaction that is logged, and hands a full chunk over.
     *
     * @param elsewhere whether the partition is not the transaction's home
     */
    public void commit(long transactionId, int version, boolean distributed, boolean elsewhere, boolean data) {
        commit(transactionId, FootprintChunk.tag(version, distributed, elsewhere, data));
    }

    /** Keeps the footprint of a part of a transaction over nodes for the choice of later records. The log does not get it. */
    public void advise(long transactionId, int version, boolean elsewhere, boolean data) {
        commit(transactionId, FootprintChunk.advice(version, elsewhere, data));
    }

    private void commit(long transactionId, long tag) {
        if (!on) {
            return;
        }
        if (limit < start + FootprintChunk.HEADER) {
            dropped++;
            passOn();
            return;
        }
        int header = start;
        words[header] = transactionId;
        if (overflown) {
            coarse++;
            words[header + 1] = tag | FootprintChunk.COARSE & 0xFFFFFFFFL;
            start = header + FootprintChunk.HEADER;
        } else {
            int used = at - header - FootprintChunk.HEADER;
            words[header + 1] = tag | used;
            start = at;
        }
        if (start >= settings.passWords()
                || TransactionId.epochMicros(transactionId) - TransactionId.epochMicros(words[0]) > PASS_AFTER_MICROS) {
            passOn();
        }
        // A second commit without begin() must not repeat the rows.
        begin();
    }

    /** Hands over what there is. */
    public void passOn() {
        if (chunk == null || start == 0) {
            return;
        }
        chunk.used = start;
        chunk.accesses = accesses.accesses();
        passed++;
        boolean accepted = full.offer(chunk);
        if (!accepted) {
            throw new IllegalStateException("a ring with room for all chunks refused one");
        }
        chunk = null;
        words = NOWHERE;
        start = 0;
    }

    /** The agent: the next chunk, or null. */
    public FootprintChunk poll() {
        return full.poll();
    }

    /** The agent: the chunk was used. */
    public void giveBack(FootprintChunk used) {
        free.offer(used);
    }

    /** Transactions without a footprint because no chunk was free. */
    public long dropped() {
        return dropped;
    }

    /** Chunks that were handed over. */
    public long passed() {
        return passed;
    }

    /** Transactions with a coarse footprint. */
    public long coarse() {
        return coarse;
    }
}
