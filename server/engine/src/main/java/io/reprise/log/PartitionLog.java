package io.reprise.log;

import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.SpscRing;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.memory.Memory;

/**
 * The way from one partition to the log: a ring of bytes outside the heap, in which each transaction that wrote
 * something leaves one record when it commits. Filled by the holder of the partition (its executor, or the thread
 * that it is lent to; the hand-over orders their writes), emptied by the {@link LogWriter}.
 *
 * <p>Positions count the bytes that ever went through this ring. They order the events of this partition and mean
 * nothing to another one, nor in files.
 *
 * <p>An entry never wraps around: behind the ring's end lies room for the longest one, and the same bytes at the
 * ring's start stay unused. A record that would take more than that room, or more than is free, moves to memory of
 * its own and goes through a queue beside the ring.
 *
 * <p>It never waits. Takers of transactions ask {@link #hasRoom} first; then any record of the transaction can be
 * stored.
 */
public final class PartitionLog implements AutoCloseable {
    private static final int START = 64;
    private static final int MOST_IN_PLACE = 64 << 10;
    private static final int SPILLS = 64;
    private static final int SPARE_SPILLS = 2;

    private final int ring;
    private final int partition;
    private final Memory memory;
    private final long capacity;
    private final long longest;
    private final long spillBytes;
    private final Waker writer;
    private final long wakeEveryNs;
    private final RecordBuilder builder;

    private final PublishedLong published = new PublishedLong();
    private final PublishedLong consumed = new PublishedLong();
    private final PublishedLong durable = new PublishedLong();
    private final PublishedLong asks = new PublishedLong();
    private final SpscRing<Spill> spilled = new SpscRing<>(SPILLS);
    private final SpscRing<Spill> spare = new SpscRing<>(SPARE_SPILLS);

    /**
     * The number of bytes that have ever gone through the queue beside the ring, and the number of them that have
     * been taken.
     */
    private final PublishedLong spilledTotal = new PublishedLong();

    private final PublishedLong unspilledTotal = new PublishedLong();

    private long tail;
    private long announced;
    private long wokenNs = Long.MIN_VALUE / 2;
    private long seenConsumed;
    private long spilledBytes;
    private boolean building;

    /**
     * A log with an empty ring.
     *
     * @param ring the ring's number among those of the node's writer
     * @param partition the id of the partition, for the records
     * @param writer wakes the log writer
     */
    public PartitionLog(int ring, int partition, LogSettings settings, Waker writer) {
        this.ring = ring;
        this.partition = partition;
        this.writer = writer;
        this.wakeEveryNs = settings.longestPauseNs();
        this.capacity = settings.ringBytes();
        this.longest = Math.min(MOST_IN_PLACE, capacity / 4);
        this.spillBytes = settings.maxRecordBytes() + longest;
        this.memory = Memory.reserve(START + capacity + longest + Memory.HUGE_PAGE);
        this.builder = new RecordBuilder(this, memory, settings.maxRecordBytes(), spillBytes);
    }

    /** The ring's number among those of the node's writer. */
    int ring() {
        return ring;
    }

    /** The partition's id. */
    public int partition() {
        return partition;
    }

    /**
     * Whether the next transaction can be logged, whatever it does. To be asked before one is taken; a participant of a
     * multi-partition transaction asks too, before it is lent.
     */
    public boolean hasRoom() {
        return capacity - (tail - seenConsumed) >= longest && spilledBytes == 0 || hasRoomNow();
    }

    /** The number of marks of transactions that others log for which there is room, once it {@link #hasRoom}. */
    public int marksInRoom() {
        return (int) (longest / RingEntry.HEADER);
    }

    /** Whether the mark of a transaction can be left that another log has the record of. */
    public boolean hasRoomForMark() {
        return room() >= RingEntry.HEADER;
    }

    /** The bytes of records that did not fit into the ring and that the writer has not taken yet. */
    public long spilledBytes() {
        if (spilledBytes > 0) {
            spilledBytes = spilledTotal.get() - unspilledTotal.get();
        }
        return spilledBytes;
    }

    private boolean hasRoomNow() {
        seenConsumed = consumed.get();
        return capacity - (tail - seenConsumed) >= longest
                && spilledBytes() < spillBytes
                && spilled.size() < SPILLS - 1;
    }

    /**
     * Begins the record of a transaction. One at a time; it must be ended or abandoned.
     *
     * @param bucketOrMinusOne the bucket to which the transaction was confined, or -1
     * @param writeHash the hash of what it wrote; only COMMAND and DATA records keep it
     */
    public RecordBuilder begin(RecordKind kind, long transactionId, int bucketOrMinusOne, int writeHash) {
        Invariants.check(!building, "a log record is begun before the last one has ended, partition", partition);
        building = true;
        seenConsumed = consumed.get();
        long free = capacity - (tail - seenConsumed);
        Invariants.check(
                free >= 2L * RingEntry.HEADER, "no room in the log's ring; was it asked? partition", partition);
        long entry = address(tail);
        builder.start(entry, entry + Math.min(free, longest), kind, transactionId, bucketOrMinusOne, writeHash);
        return builder;
    }

    /**
     * Appends the record of another replica of the partition as it is. The log has room.
     *
     * @param record stands at the record
     */
    public void append(LogRecords record) {
        begin(record.kind(), record.transactionId(), record.bucket(), record.writeHash());
        builder.putBody(record).end();
    }

    /**
     * Wakes the log writer if anything was published since it was last woken, unless that was within its longest pause: a
     * writer at work wakes by itself, and waking takes some microseconds.
     */
    public void wakeWriter(long nowNs) {
        if (announced != tail && nowNs - wokenNs >= wakeEveryNs) {
            wokenNs = nowNs;
            announced = tail;
            writer.wake();
        }
    }

    /** Asks the log writer not to wait for more, but to write and force what all partitions have published. */
    public void hurryWriter() {
        asks.set(asks.get() + 1);
        announced = tail;
        writer.wake();
    }

    /** The position behind everything published so far. */
    public long position() {
        return tail;
    }

    /** Everything published at positions up to this one is on stable storage. Any thread. */
    public long durable() {
        return durable.get();
    }

    /** Whether everything published is on stable storage. */
    public boolean isAllDurable() {
        return durable.get() == tail;
    }

    /** Only when neither side uses it any more. */
    @Override
    public void close() {
        for (Spill spill = spilled.poll(); spill != null; spill = spilled.poll()) {
            spill.close();
        }
        for (Spill spill = spare.poll(); spill != null; spill = spare.poll()) {
            spill.close();
        }
        builder.close();
        memory.close();
    }

    /** Says that what follows in this ring comes behind the transaction, whose record is in another ring. */
    void mark(long transactionId, int home) {
        Invariants.check(hasRoomForMark(), "no room in the log's ring; was it asked? partition", partition);
        long entry = address(tail);
        memory.putLong(entry + RingEntry.BYTES, RingEntry.firstWord(RingEntry.HEADER, RingEntry.JOIN, 0, 0));
        memory.putLong(entry + RingEntry.TRANSACTION, transactionId);
        memory.putLong(entry + RingEntry.HOME, home);
        memory.putLong(entry + RingEntry.PAYLOAD_BYTES, 0);
        publish(RingEntry.HEADER);
    }

    /** Publishes what was built at the tail. */
    long publish(int bytes) {
        building = false;
        tail += bytes;
        published.set(tail);
        return tail;
    }

    /** Leaves a record to the queue; its entry, which is published next, stands for it. */
    void spill(Spill spill) {
        // The sum rises before the writer can take the spill.
        spilledTotal.set(spilledTotal.get() + spill.used());
        boolean accepted = spilled.offer(spill);
        Invariants.check(accepted, "no room in the log's overflow queue; was it asked? partition", partition);
        spilledBytes += spill.used();
    }

    void abandoned() {
        building = false;
    }

    Spill newSpill() {
        Spill spill = spare.poll();
        return spill == null ? new Spill(spillBytes) : spill;
    }

    private long room() {
        seenConsumed = consumed.get();
        return Math.min(longest, capacity - (tail - seenConsumed));
    }

    private long address(long position) {
        return START + (position & capacity - 1);
    }

    /** The consumer's side; one, for the log writer's thread. */
    RingCursor cursor() {
        return new RingCursor(ring, partition, memory, START, capacity - 1, published, consumed, durable, asks, this);
    }

    /** Consumer: the payload of the next spilled record. */
    Spill pollSpill() {
        return spilled.poll();
    }

    /** Consumer: the number of bytes that have ever been left beside the ring. */
    long spilled() {
        return spilledTotal.get();
    }

    /** Consumer: the memory of a record that has been copied out. */
    void giveBack(Spill spill, long bytesSoFar) {
        spill.clear();
        if (!spare.offer(spill)) {
            spill.close();
        }
        unspilledTotal.set(bytesSoFar);
    }
}
