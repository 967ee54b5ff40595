package io.reprise.engine.replication;

import io.reprise.cluster.replica.NotedLine;
import io.reprise.cluster.replica.OlderRecords;
import io.reprise.cluster.replica.ReplicaLog;
import io.reprise.cluster.replica.ReplicaRecord;
import io.reprise.cluster.transaction.TransactionRecord;
import io.reprise.log.LogRecords;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.runtime.Invariants;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.memory.Memory;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A partition's stream over its ring of the node's log. Records of the last bytes are kept in memory for peers. A peer that lags more
 * is fed from the log's files, or loaded from an image if those do not have its records.
 *
 * <p>An image comes block by block as the ring has room. Each block is loaded before it is appended, so that the log has none without room.
 *
 * <p>Owned by the partition's thread.
 */
final class EngineLog implements ReplicaLog {
    /** A window holds so many times its usual bytes for a joiner. */
    private static final int JOINER_WINDOWS = 4;

    private final PartitionLog ring;
    private final StreamState state;
    private final NodeStreams node;
    private final StreamApplier applier;
    private final Scratch scratch = new Scratch();
    private long durable;
    private long hurried;

    /** The position behind the last line of the map that was written down. */
    private long notedAt;

    /** Reads the log's files, and wakes this partition's thread; null before the node joins its cluster. */
    private StreamFeeds feeds;

    private Waker site;

    /** Up to this index the log's files were found to have no records. */
    private long unreadable;

    /** The lowest index that an in-sync peer may still need. */
    private long neededFrom = Long.MAX_VALUE;

    /** By partition, the last transaction whose outcomes went there with buckets from here. */
    private final SortedMap<Integer, Long> outcomesAt = new TreeMap<>();

    /** The image that is arriving, or null. */
    private ArrivingImage arriving;

    /** The reason why the last image was given up, or null. */
    private String imageFailure;

    /** The pieces of the last image. An incomplete one that a recovery has found counts as one. */
    private int imagePieces;

    /** The position behind the end of an image that is not known to be durable; 0 if there is none. */
    private long loadedAt;

    EngineLog(PartitionLog ring, StreamState state, NodeStreams node, StreamApplier applier) {
        this.ring = ring;
        this.state = state;
        this.node = node;
        this.applier = applier;
        durable = state.last;
        imagePieces = state.loading ? 1 : 0;
    }

    // ---- The stream

    @Override
    public long lastIndex() {
        return state.last;
    }

    /** Whether the stream has records here, or an image in the place of some. */
    boolean holdsRecords() {
        return state.last > 0;
    }

    @Override
    public long imageIndex() {
        return state.window.first() - 1;
    }

    /** Before the first step: the reading of the log's files, for peers that lag. The waker is null if the thread polls. */
    void feedBy(StreamFeeds reading, Waker ofSite) {
        feeds = reading;
        site = ofSite;
    }

    @Override
    public long oldestIndex() {
        return Math.max(unreadable, state.imageIndex);
    }

    @Override
    public OlderRecords older(long index) {
        return feeds.open(ring.partition(), index, state.epochs, site, () -> unreadable = Math.max(unreadable, index));
    }

    @Override
    public long epochAt(long index) {
        return state.epochs.at(index);
    }

    @Override
    public ReplicaRecord record(long index) {
        return new ReplicaRecord(state.epochs.at(index), state.window.record(index));
    }

    @Override
    public long lastOf(long epoch) {
        return state.epochs.lastOf(epoch, state.last);
    }

    @Override
    public boolean hasRoom() {
        return ring.hasRoom() && !isChangeDue();
    }

    /** Whether a committed change of the schema waits for the node's other partitions. */
    boolean isChangeDue() {
        return state.changeId != 0;
    }

    /** The buckets that the partition has now. */
    OwnedBuckets buckets() {
        return state.buckets;
    }

    /** The transaction up to which another partition has the outcomes of calls that this one has; -1 if it may have none. */
    long outcomesAt(int other) {
        return outcomesAt.getOrDefault(other, -1L);
    }

    /** A move of buckets is committed: their rows go or come, and outcomes of calls with them. */
    void moved(BucketMove move, long transactionId) {
        if (move.comes()) {
            // Outcomes of former transactions have come, which no other partition got from here.
            outcomesAt.clear();
        } else {
            outcomesAt.put(move.other(), transactionId);
        }
        state.buckets.moved(move);
        applier.own(state.buckets.now());
        applier.move(move);
    }

    void changeIsDue(long transactionId, byte[] content) {
        state.changeIsDue(transactionId, content);
    }

    /** The node has carried out a change. Returns false if the stream is not there yet, so that it counts no more. */
    boolean changed(long transactionId) {
        boolean isAt = state.isAtChange(transactionId);
        state.changed(transactionId);
        return isAt;
    }

    @Override
    public void append(ReplicaRecord record) {
        if (record.beginsEpoch()) {
            byte[] payload = ByteBuffer.allocate(16)
                    .putLong(record.epoch())
                    .putLong(state.last + 1)
                    .array();
            RecordBuilder builder = ring.begin(RecordKind.EPOCH, state.lastId, -1, 0);
            builder.putBytes(payload).end();
            state.epochs.begin(record.epoch(), state.last + 1);
        } else {
            LogRecords decoded = applier.decoded(record.payload());
            if (decoded.kind() != RecordKind.TRANSACTION) {
                requireAscending(decoded.transactionId());
                state.lastId = decoded.transactionId();
            }
            ring.append(decoded);
        }
        state.window.add(record.payload(), ring.position());
        state.last++;
    }

    /** Publishes a record that a transaction of this leader has left; it is the stream's next. */
    void publish(RecordBuilder record, long transactionId) {
        requireAscending(transactionId);
        Memory copy = scratch.memory(record.copyBytes());
        long end = record.copyTo(copy, Scratch.START);
        record.end();
        state.window.add(copy, Scratch.START, (int) (end - Scratch.START), ring.position());
        state.last++;
        state.lastId = transactionId;
    }

    /** I5. */
    private void requireAscending(long transactionId) {
        Invariants.check(
                transactionId > state.lastId, "a stream's transaction ids must ascend, transaction", transactionId);
    }

    /** The highest transaction id of the stream. */
    long lastId() {
        return state.lastId;
    }

    // ---- The line of the map

    @Override
    public void note(NotedLine line) {
        if (line.equals(state.noted)) {
            return;
        }
        ring.begin(RecordKind.START, state.lastId, -1, 0)
                .putBytes(NodeStreams.lineRecord(line))
                .end();
        ring.hurryWriter();
        state.noted = line;
        notedAt = ring.position();
    }

    @Override
    public NotedLine noted() {
        return state.noted;
    }

    @Override
    public boolean isNoted() {
        return ring.durable() >= notedAt;
    }

    @Override
    public SortedMap<Integer, Integer> movedBuckets() {
        SortedMap<Integer, Integer> moved = state.buckets.gone();
        BitSet came = state.buckets.now();
        came.andNot(node.dealt(ring.partition()));
        came.stream().forEach(bucket -> moved.put(bucket, ring.partition()));
        return moved;
    }

    // ---- Durability

    @Override
    public long durableIndex() {
        long position = ring.durable();
        durable = Math.max(durable, state.window.first() - 1);
        while (durable < state.last && state.window.end(durable + 1) <= position) {
            durable++;
        }
        return durable;
    }

    /** The position in the ring up to which everything is stable if the stream is up to an index. */
    long position(long index) {
        if (index >= state.last) {
            return ring.position();
        }
        return index < state.window.first() ? 0 : state.window.end(index);
    }

    /** Bytes of this log behind the record with an index; at least the window's, if that record has left the window. */
    long bytesBehind(long index) {
        if (index >= state.last) {
            return 0;
        }
        long from = Math.max(index, state.window.first());
        return ring.position() - (from >= state.window.next() ? ring.position() : state.window.end(from));
    }

    /** Everything in the ring up to here is on this node's stable storage. */
    long durablePosition() {
        return ring.durable();
    }

    /** Forgets old records, but none that is not durable, or that a peer needs, in sync or joining. */
    void trim(long neededInSync, long keptFrom) {
        neededFrom = neededInSync;
        state.window.trim(node.mostBytes(), Math.min(durableIndex() + 1, keptFrom));
    }

    /** Asks the log's writer to force what was appended, if there is something that it was not asked for. */
    void hurry() {
        hurry(state.last);
    }

    /** Asks the log's writer to force all records, unless it was asked behind the record with an index. */
    void hurry(long index) {
        if (hurried < index) {
            hurried = state.last;
            ring.hurryWriter();
        }
    }

    /** Whether the ring has room for the records of any transaction. */
    boolean hasRingRoom() {
        return ring.hasRoom();
    }

    /** The form of a record of a transaction over nodes: a log record of the kind TRANSACTION, or the DATA record of a commit. */
    byte[] form(TransactionRecord record) {
        RecordBuilder builder = ring.begin(RecordKind.TRANSACTION, state.lastId, -1, 0);
        builder.putBytes(record.encode());
        return abandoned(builder);
    }

    /** Copies a record that is being built, and forgets it. */
    byte[] abandoned(RecordBuilder builder) {
        Memory copy = scratch.memory(builder.copyBytes());
        long end = builder.copyTo(copy, Scratch.START);
        byte[] bytes = new byte[(int) (end - Scratch.START)];
        MemorySegment.copy(copy.segment(), ValueLayout.JAVA_BYTE, Scratch.START, bytes, 0, bytes.length);
        builder.abandon();
        return bytes;
    }

    /** Whether in-sync peers or joiners lag so much that the leader must wait for them. */
    boolean isFull() {
        return neededFrom < state.window.first()
                || state.window.bytesFrom(neededFrom) > 2 * node.mostBytes()
                || state.window.bytes() > JOINER_WINDOWS * node.mostBytes();
    }

    @Override
    public List<Long> starts() {
        return node.starts();
    }

    // ---- Images

    @Override
    public void beginImage() {
        ring.begin(RecordKind.IMAGE, state.lastId, -1, 0)
                .putBytes(ImageRecord.begin())
                .end();
        state.beginImage();
        outcomesAt.clear();
        durable = 0;
        hurried = -1;
        arriving = new ArrivingImage();
        imageFailure = null;
        loadedAt = 0;
        applier.clear();
    }

    @Override
    public void addToImage(byte[] piece) {
        arriving.add(piece);
    }

    @Override
    public int imagePieces() {
        return arriving == null ? imagePieces : arriving.stored();
    }

    @Override
    public void completeImage(long index, long epoch) {
        arriving.complete(index, epoch);
    }

    /** The image that is arriving; null if none is. */
    ArrivingImage arriving() {
        return arriving;
    }

    /** Loads and appends blocks of an image, as there is room. Returns how much was done. */
    int step() {
        if (arriving == null) {
            return 0;
        }
        int work = 0;
        while (arriving.hasBlock() && ring.hasRoom()) {
            byte[] block = arriving.block();
            work++;
            if (!load(block)) {
                return work;
            }
            ring.begin(RecordKind.IMAGE, state.lastId, -1, 0)
                    .putBytes(ImageRecord.block(block))
                    .end();
        }
        if (arriving.isWhole() && ring.hasRoom()) {
            endImage(arriving.index(), arriving.epoch(), arriving.head());
            work++;
        }
        return work;
    }

    /** Returns false if the image has no room here: it is given up. */
    private boolean load(byte[] block) {
        try {
            applier.load(block);
            return true;
        } catch (ProcedureException full) {
            if (full.code() != ErrorCode.MEMORY_LIMIT) {
                throw full;
            }
            arriving = null;
            imageFailure = full.getMessage();
            applier.clear();
            return false;
        }
    }

    @Override
    public String imageFailure() {
        return imageFailure;
    }

    private void endImage(long index, long epoch, ImageHead head) {
        imagePieces = arriving.stored();
        arriving = null;
        ring.begin(RecordKind.IMAGE, head.lastId(), -1, 0)
                .putBytes(ImageRecord.end(index, epoch, head.lastId(), head.state()))
                .end();
        state.endImage(index, epoch, head.lastId(), head.state());
        applier.own(state.buckets.now());
        durable = index;
        loadedAt = ring.position();
    }

    @Override
    public boolean isLoading() {
        if (loadedAt > 0 && ring.durable() >= loadedAt) {
            loadedAt = 0;
        }
        return state.loading || loadedAt > 0;
    }

    /** The rows of this moment, while calls run, in pieces of about so many bytes. */
    ImageSweep image(int pieceBytes, long changed, long schemaHash, byte[] schema) {
        return applier.sweep(new ImageHead(state.lastId, changed, schemaHash, schema, state.imageState()), pieceBytes);
    }

    void close() {
        scratch.close();
    }
}
