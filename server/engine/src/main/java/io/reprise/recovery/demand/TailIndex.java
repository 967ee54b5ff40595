package io.reprise.recovery.demand;

import io.reprise.log.LogFrame;
import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.recovery.run.RunRecords;
import io.reprise.runtime.memory.Memory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.function.IntUnaryOperator;

/**
 * The commands and data records of the log behind a snapshot, in memory, with a list for each bucket. Records of a {@linkplain
 * RunRecords run} that have one bucket come into memory when a closure needs the bucket. A record that is confined to no listed
 * buckets is a barrier: it is in the list of all. In a cluster, where each record is of one partition, it is in those of the partition's
 * buckets. {@link #closure} finds the records to apply before a bucket is as it was at the log's end.
 *
 * <p>Filled by the recovering thread, then owned by the {@link BucketLoadAgent}. Partitions' threads read single records through {@link
 * #view} meanwhile.
 */
public final class TailIndex implements AutoCloseable {
    private static final long START = 64;

    /** Address space without records, the bytes of log that an index takes, and the room for each if it is compressed. */
    private static final long LEAST_ROOM = 1L << 30;

    private static final long MOST_INDEXED = 64L << 30;
    private static final long MOST_UNPACKED = 32;
    private static final int BARRIER = -1;

    /** The most entries of partitions' barriers in lists of buckets. */
    private static final long MOST_BARRIER_ENTRIES = 1L << 25;

    /** The bucket of a run's record that is not in memory. */
    private static final int UNREAD = Integer.MIN_VALUE;

    /** In the place of a part of a data record: the whole record. */
    static final int WHOLE = -1;

    private final int buckets;
    private final Memory memory;
    private long end = START;
    private long[] addresses = new long[1024];
    private long[] positions = new long[1024];
    private int count;

    /** By record: its bucket, {@link #BARRIER}, or a number of {@link #several} below that. */
    private int[] bucketOf = new int[1024];

    private int[][] several = new int[16][];
    private int severalCount;

    /** Whether each record is applied at its own partition, as in a cluster. */
    private final boolean keepsPartitions;

    private long barrierEntries;

    /** The data records that are in memory. Each bucket can apply its part of one of several buckets or none. */
    private final BitSet data = new BitSet();

    private final LogFrame kindFrame = new LogFrame();
    private final LogRecords kindRecord = new LogRecords();

    /** The number of records that are no data records. */
    private int commands;

    /** By bucket, and behind the last one the barriers. */
    private final BucketRecords[] lists;

    /** Runs, in log order. */
    private final List<Run> runs = new ArrayList<>();

    /** Records of runs that turned out to be older than the snapshot, or not to be wanted. */
    private int older;

    /** The buckets whose records of runs are in memory. */
    private final BitSet taken = new BitSet();

    /**
     * A run.
     *
     * @param base the number of its first record here
     * @param from frames below this position do not count
     * @param to frames from this position on do not count
     */
    private record Run(RunRecords records, int base, long from, long to) {
        boolean has(long position) {
            return position >= from && position < to;
        }
    }

    /**
     * Records to apply, and the buckets that they are about.
     *
     * @param parts the bucket of which the part of a record is to be applied; -1: all of the record
     */
    public record Closure(int[] records, int[] parts, BitSet buckets) {}

    /**
     * An empty index.
     *
     * @param bytes address space for the records, which take memory as they come
     */
    public TailIndex(int buckets, long bytes) {
        this(buckets, bytes, false);
    }

    /**
     * An empty index.
     *
     * @param bytes address space for the records, which take memory as they come
     * @param keepsPartitions whether each record is of one partition and is applied there, as in a cluster
     */
    public TailIndex(int buckets, long bytes, boolean keepsPartitions) {
        this.keepsPartitions = keepsPartitions;
        this.buckets = buckets;
        memory = Memory.reserve(bytes + 2L * Memory.HUGE_PAGE);
        lists = new BucketRecords[buckets + 1];
        Arrays.setAll(lists, i -> new BucketRecords());
    }

    /** The address space for an index of so many bytes of log, which may be compressed. */
    public static long room(long logBytes) {
        return LEAST_ROOM + Math.min(logBytes, MOST_INDEXED) * MOST_UNPACKED;
    }

    /** Whether the record has room. */
    public boolean hasRoom(LogRecords record) {
        return end + record.copyBytes() + Memory.HUGE_PAGE < memory.size() && count < Integer.MAX_VALUE - 8;
    }

    /**
     * Adds a copy of the record at the cursor.
     *
     * @param crosses whether it may read rows of other buckets than those of its header
     */
    public void add(LogRecords record, boolean crosses) {
        int number = copy(record);
        bucketOf[number] = enter(number, record, crosses);
        boolean isData = record.kind() == RecordKind.DATA;
        data.set(number, isData);
        commands += isData ? 0 : 1;
    }

    /** Whether a partition with so many buckets may have another barrier. */
    public boolean hasRoomForBarrier(int bucketsOfPartition) {
        return barrierEntries + bucketsOfPartition <= MOST_BARRIER_ENTRIES;
    }

    /** Adds a copy of the record at the cursor, which is a barrier for the buckets of its partition and is applied as a whole. */
    public void addBarrier(LogRecords record, int[] bucketsOfPartition) {
        int number = copy(record);
        for (int bucket : bucketsOfPartition) {
            lists[bucket].add(number);
        }
        barrierEntries += bucketsOfPartition.length;
        bucketOf[number] = enterSeveral(bucketsOfPartition);
        commands++;
    }

    /** Copies a record. Returns its number. */
    private int copy(LogRecords record) {
        if (count == addresses.length) {
            int capacity = count + (count >> 1);
            addresses = Arrays.copyOf(addresses, capacity);
            positions = Arrays.copyOf(positions, capacity);
            bucketOf = Arrays.copyOf(bucketOf, capacity);
        }
        addresses[count] = end;
        positions[count] = record.framePosition();
        int length = record.copyTo(memory, end + Integer.BYTES);
        memory.putInt(end, length);
        end += Integer.BYTES + length + 7 & -8;
        return count++;
    }

    /**
     * Adds a run behind all records, and takes those of its records that have several buckets or none. The run's commands reach no
     * farther than their buckets.
     *
     * @param from frames below this position do not count
     * @param to frames from this position on do not count
     */
    public void add(RunRecords records, long from, long to) {
        // Throws before anything is added if a block is damaged.
        records.shared((number, position, memoryOf, address, length) -> {});
        Run run = new Run(records, count, from, to);
        runs.add(run);
        int before = count;
        count += records.run().records();
        commands += records.run().commands();
        if (count > addresses.length) {
            addresses = Arrays.copyOf(addresses, count);
            positions = Arrays.copyOf(positions, count);
            bucketOf = Arrays.copyOf(bucketOf, count);
        }
        Arrays.fill(bucketOf, before, count, UNREAD);
        LogFrame frame = new LogFrame();
        LogRecords record = new LogRecords();
        records.shared((number, position, memoryOf, address, length) -> {
            older += run.has(position) ? 0 : 1;
            if (run.has(position)) {
                int at = run.base + number;
                put(at, position, memoryOf, address, length);
                view(at, frame, record);
                bucketOf[at] = enter(at, record, false);
                data.set(at, record.kind() == RecordKind.DATA);
            }
        });
        frame.close();
    }

    private boolean isDataRecord(int number) {
        view(number, kindFrame, kindRecord);
        return kindRecord.kind() == RecordKind.DATA;
    }

    private void put(int number, long position, Memory from, long address, int length) {
        if (end + length + Memory.HUGE_PAGE > memory.size()) {
            throw new IllegalStateException("the log behind the snapshot does not fit into the memory of its index");
        }
        addresses[number] = end;
        positions[number] = position;
        memory.putInt(end, length);
        memory.copyFrom(from, address, end + Integer.BYTES, length);
        end += Integer.BYTES + length + 7 & -8;
    }

    /** Has all records of a bucket in memory. */
    private void take(int bucket) {
        if (runs.isEmpty() || bucket == buckets || taken.get(bucket)) {
            return;
        }
        BucketRecords list = lists[bucket];
        for (Run run : runs) {
            run.records.of(bucket, (number, position, from, address, length) -> {
                int at = run.base + number;
                older += run.has(position) ? 0 : 1;
                if (run.has(position) && addresses[at] == 0) {
                    put(at, position, from, address, length);
                    bucketOf[at] = bucket;
                    list.add(at);
                    data.set(at, run.records.run().isData() || isDataRecord(at));
                }
            });
        }
        list.sort();
        taken.set(bucket);
    }

    /** Has all records of some buckets in memory; throws {@link io.reprise.recovery.run.DamagedRunException}. */
    public void take(BitSet of) {
        of.stream().forEach(this::take);
    }

    /** Has all records of runs in memory. */
    public void takeAll() {
        for (int bucket = 0; bucket < buckets; bucket++) {
            take(bucket);
        }
    }

    private int enter(int number, LogRecords record, boolean crosses) {
        if (crosses || record.bucketCount() == 0) {
            lists[buckets].add(number);
            return BARRIER;
        }
        if (record.bucketCount() == 1) {
            lists[record.bucket()].add(number);
            return record.bucket();
        }
        int[] named = new int[record.bucketCount()];
        for (int i = 0; i < named.length; i++) {
            named[i] = record.bucket(i);
            lists[named[i]].add(number);
        }
        return enterSeveral(named);
    }

    private int enterSeveral(int[] named) {
        if (severalCount == several.length) {
            several = Arrays.copyOf(several, 2 * severalCount);
        }
        several[severalCount] = named;
        return BARRIER - 1 - severalCount++;
    }

    /** Whether each record is applied at its own partition. */
    boolean keepsPartitions() {
        return keepsPartitions;
    }

    /** Whether the bucket has records in memory, or there are barriers for all buckets. */
    boolean concerns(int bucket) {
        return lists[bucket].count() > 0 || lists[buckets].count() > 0;
    }

    /** The number of records. */
    public int count() {
        return count;
    }

    /** The number of records that are no data records. */
    public int commands() {
        return commands;
    }

    /** Whether a record is a data record. */
    boolean isData(int record) {
        return data.get(record);
    }

    /** The number of runs. */
    int runs() {
        return runs.size();
    }

    /** The number of records that turned out to be older than the snapshot until now. */
    int older() {
        return older;
    }

    /** Whether a record is in memory. Those of a run that are older than the snapshot never are. */
    public boolean holds(int record) {
        return addresses[record] != 0;
    }

    /** Shows a record in a frame. Any thread, with a frame of its own. */
    public void view(int record, LogFrame frame) {
        long at = addresses[record];
        frame.viewRecord(memory, at + Integer.BYTES, memory.getInt(at), positions[record]);
    }

    /** Shows a record through a cursor: its only part. Any thread, with a frame and a cursor of its own. */
    public void view(int record, LogFrame frame, LogRecords cursor) {
        view(record, frame);
        cursor.wrap(frame);
        cursor.next();
        cursor.showPart(0);
    }

    /** The position of a record's frame in the log. */
    long position(int record) {
        return positions[record];
    }

    /**
     * The records that have to be applied, in ascending order, for a bucket to be as it was at the end of the log: its own ones, and what
     * they and barriers depend on.
     */
    Closure closure(int bucket) {
        return closure(bucket, false);
    }

    /** The same for a partition that has these buckets only, so that it applies only their parts of data records. */
    public Closure closureOfCommands(int bucket) {
        return closure(bucket, true);
    }

    /** All records of a bucket, and all barriers, have been applied: closures leave them out from now on. */
    public void allApplied(int bucket) {
        lists[bucket].allApplied();
        lists[buckets].allApplied();
    }

    /** Applied records are lost: closures have all records again. */
    public void forgetApplied() {
        for (BucketRecords list : lists) {
            list.forgetApplied();
        }
    }

    /** The records that concern any of these buckets, in ascending order. */
    public int[] recordsOf(BitSet of) {
        int[] found = new int[count];
        int size = 0;
        for (int record = 0; record < count; record++) {
            if (concerns(record, of)) {
                found[size++] = record;
            }
        }
        return Arrays.copyOf(found, size);
    }

    private boolean concerns(int record, BitSet of) {
        int bucket = bucketOf[record];
        if (bucket >= BARRIER || bucket == UNREAD) {
            return bucket == BARRIER || bucket != UNREAD && of.get(bucket);
        }
        for (int each : several[BARRIER - 1 - bucket]) {
            if (of.get(each)) {
                return true;
            }
        }
        return false;
    }

    /** Whether there are data records only. */
    public boolean holdsDataOnly() {
        return commands == 0;
    }

    /** The bytes of all records. */
    public long bytes() {
        return end - START;
    }

    /** Whether each command is confined to buckets of one group. */
    public boolean areCommandsWithin(IntUnaryOperator groupOf) {
        for (int record = 0; record < count; record++) {
            int bucket = bucketOf[record];
            if (data.get(record) || bucket > BARRIER || bucket == UNREAD) {
                continue;
            }
            if (bucket == BARRIER) {
                return false;
            }
            int[] named = several[BARRIER - 1 - bucket];
            for (int each : named) {
                if (groupOf.applyAsInt(each) != groupOf.applyAsInt(named[0])) {
                    return false;
                }
            }
        }
        return true;
    }

    private Closure closure(int bucket, boolean barriersInParts) {
        BitSet needed = new BitSet(buckets + 1);
        PriorityQueue<BucketRecords.Cursor> latest =
                new PriorityQueue<>((a, b) -> Integer.compare(b.record(), a.record()));
        need(bucket, count, needed, latest);
        need(buckets, count, needed, latest);
        int[] found = new int[16];
        int[] parts = new int[16];
        int size = 0;
        int last = -1;
        while (!latest.isEmpty()) {
            BucketRecords.Cursor cursor = latest.poll();
            int record = cursor.record();
            cursor.back();
            if (cursor.hasMore()) {
                latest.add(cursor);
            }
            boolean inParts = bucketOf[record] < BARRIER && data.get(record);
            if (record == last && !inParts) {
                continue;
            }
            last = record;
            if (size == found.length) {
                found = Arrays.copyOf(found, 2 * size);
                parts = Arrays.copyOf(parts, 2 * size);
            }
            found[size] = record;
            parts[size++] = inParts ? cursor.bucket() : WHOLE;
            if (!inParts && !(barriersInParts && data.get(record))) {
                needAll(record, needed, latest);
            }
        }
        needed.clear(buckets);
        return new Closure(reversed(found, size), reversed(parts, size), needed);
    }

    private static int[] reversed(int[] values, int size) {
        int[] reversed = new int[size];
        for (int i = 0; i < size; i++) {
            reversed[i] = values[size - 1 - i];
        }
        return reversed;
    }

    private void needAll(int record, BitSet needed, PriorityQueue<BucketRecords.Cursor> latest) {
        int of = bucketOf[record];
        if (of == BARRIER) {
            for (int bucket = needed.nextClearBit(0); bucket < buckets; bucket = needed.nextClearBit(bucket)) {
                need(bucket, record, needed, latest);
            }
        } else if (of < BARRIER) {
            for (int bucket : several[BARRIER - 1 - of]) {
                need(bucket, record, needed, latest);
            }
        }
    }

    private void need(int list, int limit, BitSet needed, PriorityQueue<BucketRecords.Cursor> latest) {
        if (needed.get(list)) {
            return;
        }
        needed.set(list);
        take(list);
        BucketRecords.Cursor cursor = new BucketRecords.Cursor(list, lists[list], lists[list].below(limit));
        if (cursor.hasMore()) {
            latest.add(cursor);
        }
    }

    /**
     * A record has been applied, and all on which it depends before it.
     *
     * @param part the bucket whose part was applied; -1: all of the record
     * @return whether that counts as a record: one part of each does
     */
    boolean applied(int record, int part) {
        int of = bucketOf[record];
        if (part != WHOLE) {
            lists[part].applied();
            return several[BARRIER - 1 - of][0] == part;
        }
        if (of >= 0) {
            lists[of].applied();
        } else if (of == BARRIER) {
            lists[buckets].applied();
        } else {
            for (int bucket : several[BARRIER - 1 - of]) {
                lists[bucket].applied();
            }
        }
        return true;
    }

    /** Gives the memory back, and closes the runs. */
    @Override
    public void close() {
        runs.forEach(run -> run.records.close());
        kindFrame.close();
        memory.close();
    }
}
