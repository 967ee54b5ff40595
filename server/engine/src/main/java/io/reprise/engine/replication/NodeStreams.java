package io.reprise.engine.replication;

import io.reprise.cluster.replica.NotedLine;
import io.reprise.execution.BucketMap;
import io.reprise.log.LogRecords;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.recovery.replay.RecordObserver;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The streams of a node's partitions and the numbers of its runs, as a recovery finds them in its log.
 *
 * <pre>
 *  START record, big-endian:
 *  1 byte 1 | 8 number of the run                                   the node has started
 *  1 byte 2 | 4 runs, 8 each | 4 streams, each: 4 partition, state  behind SNAPSHOT_BEGIN, all that is known at that moment
 *  1 byte 3 | line of the map, as {@link NotedLine} has it          the replica of the record's partition is in sync in an epoch
 * </pre>
 */
public final class NodeStreams implements RecordObserver, AutoCloseable {
    /** Of very many runs of a node the oldest are forgotten. */
    private static final int MOST_RUNS = 64;

    private static final byte RUN = 1;
    private static final byte ALL = 2;
    private static final byte LINE = 3;

    private final long mostBytes;
    private final BucketMap dealt;

    /** The last change of the schema that the node has carried out, as a transaction of the cluster. */
    private long changed;

    private final List<Long> starts = new ArrayList<>();
    private final SortedMap<Integer, StreamState> streams = new TreeMap<>();
    private final Scratch scratch = new Scratch();

    /**
     * Streams without records.
     *
     * @param mostBytes the bytes of records that each stream keeps in memory for peers that lag
     * @param dealt the partition of each bucket before the first record
     */
    public NodeStreams(long mostBytes, BucketMap dealt) {
        this.dealt = dealt;
        this.mostBytes = mostBytes;
    }

    /** The bytes of records that each stream keeps. */
    long mostBytes() {
        return mostBytes;
    }

    /** The runs of this node, the oldest first. */
    public List<Long> starts() {
        return List.copyOf(starts);
    }

    /** The node starts once more. */
    public void start(long incarnation) {
        starts.add(incarnation);
        if (starts.size() > MOST_RUNS) {
            starts.removeFirst();
        }
    }

    /** The buckets that a partition has before the first record. */
    BitSet dealt(int partition) {
        return dealt.bucketSet(partition);
    }

    /** The stream of a partition. */
    StreamState of(int partition) {
        return streams.computeIfAbsent(partition, key -> new StreamState(key, dealt.bucketSet(key)));
    }

    /** The buckets that a partition has behind the last record. */
    public BitSet buckets(int partition) {
        StreamState stream = streams.get(partition);
        return stream == null ? dealt.bucketSet(partition) : stream.buckets.now();
    }

    /** Whether a partition has records here. */
    public boolean holds(int partition) {
        StreamState stream = streams.get(partition);
        return stream != null && stream.last > 0;
    }

    /** The node has carried out a change of the schema that a transaction of the cluster has made. */
    public void changed(long transactionId) {
        changed = Math.max(changed, transactionId);
        streams.values().forEach(each -> each.changed(changed));
    }

    /** The stream with a committed change of the schema that the node has not carried out; empty if there is none. */
    private Optional<StreamState> behind() {
        return streams.values().stream().filter(each -> each.changeId != 0).findFirst();
    }

    /** The transaction of a committed change of the schema that the node has not carried out; 0 if there is none. */
    public long dueChange() {
        return behind().map(each -> each.changeId).orElse(0L);
    }

    /** The content of that change. */
    public byte[] dueContent() {
        return behind().orElseThrow().change;
    }

    @Override
    public void record(LogRecords records) {
        switch (records.kind()) {
            case START -> started(records.partition(), ByteBuffer.wrap(records.payloadCopy()));
            case EPOCH -> {
                ByteBuffer payload = ByteBuffer.wrap(records.payloadCopy());
                of(records.partition()).recoveredEpoch(payload.getLong(), payload.getLong());
            }
            case COMMAND, DATA, CALLS, TRANSACTION, SCHEMA, MOVE -> {
                if (!records.isMultiPartition()) {
                    of(records.partition()).recovered(StreamState.copy(records, scratch), records, mostBytes);
                    of(records.partition()).changed(changed);
                }
            }
            case IMAGE -> {
                ImageRecord image = ImageRecord.decode(records.payloadCopy());
                switch (image.part()) {
                    case BEGIN -> of(records.partition()).beginImage();
                    case BLOCK -> {}
                    case END ->
                        of(records.partition()).endImage(image.index(), image.epoch(), image.lastId(), image.state());
                }
            }
            default -> {}
        }
    }

    /** All of it at this moment, for a snapshot. While all partitions are held. */
    public byte[] encode() {
        int bytes = 9 + 8 * starts.size();
        for (StreamState each : streams.values()) {
            bytes += 4 + each.bytes();
        }
        ByteBuffer to = ByteBuffer.allocate(bytes).put(ALL).putInt(starts.size());
        starts.forEach(to::putLong);
        to.putInt(streams.size());
        streams.forEach((partition, state) -> {
            to.putInt(partition);
            state.encode(to);
        });
        return to.array();
    }

    /** The payload of the record of this node's start. */
    public static byte[] startRecord(long incarnation) {
        return ByteBuffer.allocate(9).put(RUN).putLong(incarnation).array();
    }

    /** The payload of the record by which a replica writes down its partition's line of the map. */
    static byte[] lineRecord(NotedLine line) {
        ByteBuffer to = ByteBuffer.allocate(1 + line.bytes()).put(LINE);
        line.encode(to);
        return to.array();
    }

    /** The last index of a partition's stream in a START record; -1 if the record does not have it, or an image was under way. */
    static long lastIndex(ByteBuffer from, int partition) {
        if (from.get() != ALL) {
            return -1;
        }
        from.position(from.position() + Integer.BYTES + Long.BYTES * from.getInt(from.position()));
        for (int left = from.getInt(); left > 0; left--) {
            int found = from.getInt();
            StreamState state = new StreamState(found, new BitSet());
            state.decode(from);
            if (found == partition) {
                return state.loading ? -1 : state.last;
            }
        }
        return 0;
    }

    private void started(int partition, ByteBuffer from) {
        switch (from.get()) {
            case RUN -> start(from.getLong());
            case LINE -> of(partition).noted = NotedLine.decode(from);
            default -> decode(from);
        }
    }

    private void decode(ByteBuffer from) {
        starts.clear();
        for (int left = from.getInt(); left > 0; left--) {
            starts.add(from.getLong());
        }
        for (int left = from.getInt(); left > 0; left--) {
            of(from.getInt()).decode(from);
        }
    }

    @Override
    public void close() {
        scratch.close();
    }
}
