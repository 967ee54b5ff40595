package io.reprise.log;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import java.nio.ByteBuffer;

/**
 * The content of the next write: frames, built one behind the other in the memory from which they are written. All of
 * it goes to one place in one segment. Owned by the log writer.
 */
final class LogBatch implements AutoCloseable {
    /** Offset 0 of the batch; a memory's address 0 is never used. */
    private static final long BASE = LogFormat.BLOCK;

    private static final int FRAME_ALIGNMENT = 8;

    private final Memory memory;
    private final ByteBuffer view;
    private final FrameChecksum checksum;
    private final FrameCompressor compressor;
    private final int frameBytes;
    private final int batchBytes;

    private long segment;
    private long position;
    private long room;
    private long durable;
    private int previousCrc;

    private int frame;
    private int at;
    private int records;
    private long recordBytes;
    private int recordsInFrame;
    private long lastTransaction;
    private boolean finished;

    LogBatch(LogSettings settings, FrameChecksum checksum, FrameCompressor compressor) {
        long capacity = (long) settings.batchBytes()
                + settings.maxRecordBytes()
                + LogFormat.LEAST_BESIDE_RECORD
                + LogFormat.PAGE
                + BASE;
        this.memory = Memory.reserve(capacity + Memory.HUGE_PAGE);
        this.view = memory.segment().asSlice(BASE, capacity - BASE).asByteBuffer();
        this.checksum = checksum;
        this.compressor = compressor;
        this.frameBytes = settings.frameBytes();
        this.batchBytes = settings.batchBytes();
    }

    /**
     * Begins an empty batch.
     *
     * @param newSegment the position of the segment that it will be in
     * @param newPosition its position in the log
     * @param newRoom the number of bytes it may have
     * @param newDurable the log is durable up to here
     * @param newPreviousCrc the checksum of the frame or header before it
     */
    void begin(long newSegment, long newPosition, long newRoom, long newDurable, int newPreviousCrc) {
        segment = newSegment;
        position = newPosition;
        room = newRoom;
        durable = newDurable;
        previousCrc = newPreviousCrc;
        frame = 0;
        at = 0;
        records = 0;
        recordBytes = 0;
        recordsInFrame = 0;
        finished = false;
    }

    boolean isEmpty() {
        return at == 0;
    }

    /** Whether nothing can be added any more. */
    boolean isFinished() {
        return finished;
    }

    /** Whether a record with such a payload can be added. */
    boolean fits(int payloadBytes) {
        long needed = (long) payloadBytes + LogFormat.MOST_RECORD_HEADER + LogFormat.FRAME_HEADER + Long.BYTES;
        return LogFormat.alignToBlock(position + at + needed) - position <= room && (at == 0 || at < batchBytes);
    }

    /** Adds the record that the cursor is at. */
    void append(RingCursor cursor) {
        if (recordsInFrame > 0 && at - frame >= frameBytes) {
            closeFrame(0, FRAME_ALIGNMENT);
        }
        long transaction = cursor.transactionId();
        if (recordsInFrame == 0) {
            openFrame(transaction);
        }
        long to = BASE + at;
        int payload = cursor.payloadBytes();
        to = RecordHeader.put(
                memory,
                to,
                cursor.kind() & 0xFF,
                cursor.participants() > 0 ? -1 : cursor.partition(),
                cursor.bucket(),
                cursor.writeHash(),
                Varint.fold(transaction - lastTransaction),
                payload);
        memory.copyFrom(cursor.payloadMemory(), cursor.payload(), to, payload);
        recordBytes += to + payload - BASE - at;
        at = (int) (to + payload - BASE);
        lastTransaction = transaction;
        recordsInFrame++;
        records++;
    }

    /** Ends the frame, so that the next record begins another. Returns the position between the two. */
    long cutFrame() {
        closeFrame(0, LogFormat.BLOCK);
        return position + at;
    }

    /** Adds an end mark. Behind frames only that were cut. */
    void appendEndMark() {
        openFrame(0);
        closeFrame(LogFormat.FLAG_END, LogFormat.BLOCK);
    }

    /** Whether there is room for a seal. */
    boolean fitsSeal() {
        long offset = position - segment;
        return LogFormat.align(offset, LogFormat.PAGE) + LogFormat.BLOCK - offset <= room;
    }

    /**
     * Adds a seal, to an empty batch: in a page of the file of its own, because it is a witness of what stands before it, and of no use if it goes
     * when that goes. A first one fills up the page that is shared with that.
     */
    void appendSeal() {
        if (!LogFormat.beginsPage(position - segment)) {
            openFrame(0);
            closeFrame(LogFormat.FLAG_SEAL, LogFormat.PAGE);
        }
        openFrame(0);
        closeFrame(LogFormat.FLAG_SEAL, LogFormat.BLOCK);
    }

    /** Makes it ready to be written. */
    void finish() {
        if (recordsInFrame > 0) {
            closeFrame(0, LogFormat.BLOCK);
        }
        finished = true;
    }

    /** The bytes to write. */
    ByteBuffer bytes() {
        return view.clear().limit(at);
    }

    long position() {
        return position;
    }

    /** The number of its bytes; of a finished one, a whole number of blocks. */
    int size() {
        return at;
    }

    int records() {
        return records;
    }

    /** The number of bytes of its records, before compression. */
    long recordBytes() {
        return recordBytes;
    }

    /** The checksum of the last frame. */
    int lastCrc() {
        return previousCrc;
    }

    /** Gives memory back that only an unusually large record has needed. */
    void trim() {
        long usual = BASE + 2L * batchBytes;
        if (BASE + at > usual) {
            memory.discard(usual, BASE + at - usual);
        }
    }

    private void openFrame(long firstTransaction) {
        frame = at;
        at += LogFormat.FRAME_HEADER;
        lastTransaction = firstTransaction;
        memory.putLong(BASE + frame + LogFormat.FRAME_FIRST_TRANSACTION, firstTransaction);
    }

    /** Ends the frame; if the next one may come with a later write, its padding fills up the block, or more. */
    private void closeFrame(int flag, int alignment) {
        int payload = frame + LogFormat.FRAME_HEADER;
        int rawBytes = at - payload;
        int storedBytes = compressor.compress(view, payload, rawBytes);
        int flags = storedBytes < rawBytes ? flag | LogFormat.FLAG_LZ4 : flag;
        long offset = position - segment;
        int end = (int) (LogFormat.align(offset + payload + storedBytes, alignment) - offset);
        long header = BASE + frame;
        memory.zero(BASE + payload + storedBytes, end - payload - storedBytes);
        memory.putInt(header, LogFormat.FRAME_MAGIC);
        memory.putInt(header + LogFormat.FRAME_BYTES, end - frame);
        memory.putInt(header + LogFormat.FRAME_STORED_BYTES, storedBytes);
        memory.putInt(header + LogFormat.FRAME_RAW_BYTES, rawBytes);
        memory.putInt(header + LogFormat.FRAME_RECORDS, recordsInFrame);
        memory.putLong(header + LogFormat.FRAME_POSITION, position + frame);
        memory.putLong(header + LogFormat.FRAME_DURABLE, durable);
        memory.putInt(header + LogFormat.FRAME_PREVIOUS_CRC, previousCrc);
        memory.putInt(header + LogFormat.FRAME_FLAGS, flags);
        previousCrc = checksum.of(view, frame + LogFormat.FRAME_BYTES, end);
        memory.putInt(header + LogFormat.FRAME_CRC, previousCrc);
        at = end;
        recordsInFrame = 0;
    }

    @Override
    public void close() {
        memory.close();
    }
}
