package io.reprise.log;

import io.reprise.runtime.agent.Waker;
import io.reprise.simulation.SimulatedClock;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;

/** A source of frames that never were in a file: records of one partition's ring, framed whenever {@link #cut} is called. */
public final class FramesInMemory implements FrameSource, AutoCloseable {
    private static final LogSettings SETTINGS = LogSettings.DEFAULTS.withCompression(Compression.NONE);

    private final PartitionLog log = new PartitionLog(0, 0, SETTINGS, new Waker());
    private final RingCursor cursor = log.cursor();
    private final LogBatch batch = new LogBatch(
            SETTINGS,
            new FrameChecksum(LogFixture.DATABASE),
            new FrameCompressor(Compression.NONE, new SimulatedClock()));
    private final Deque<byte[]> frames = new ArrayDeque<>();
    private long position = LogFormat.BLOCK;
    private long end = LogFormat.BLOCK;

    /** The ring whose records the next frame has. */
    public PartitionLog log() {
        return log;
    }

    /** Makes a frame of the records that came since the last one, if there are any. */
    public void cut() {
        batch.begin(0, end, 1L << 30, end, 0);
        while (cursor.hasEntry()) {
            batch.append(cursor);
            cursor.pass();
        }
        cursor.release();
        if (!batch.isEmpty()) {
            batch.finish();
            byte[] bytes = new byte[batch.size()];
            batch.bytes().get(bytes);
            frames.add(bytes);
            end += bytes.length;
        }
    }

    @Override
    public boolean next(LogFrame frame) {
        byte[] bytes = frames.poll();
        if (bytes == null) {
            return false;
        }
        MemorySegment segment = MemorySegment.ofArray(bytes);
        String problem = new LogChecks(LogFixture.DATABASE)
                .problemOfFrame(segment, ByteBuffer.wrap(bytes), 0, bytes.length, position);
        if (problem != null) {
            throw new DamagedLogException("memory", position, problem);
        }
        int size = LogChecks.frameBytes(segment, 0);
        int raw = LogChecks.rawBytes(segment, 0);
        frame.fill(
                "memory",
                0,
                position,
                position + size,
                LogChecks.firstTransaction(segment, 0),
                LogChecks.records(segment, 0),
                raw);
        frame.memory().copyIn(segment, LogFormat.FRAME_HEADER, frame.start(), raw);
        position += size;
        return true;
    }

    @Override
    public long position() {
        return position;
    }

    @Override
    public long end() {
        return end;
    }

    @Override
    public void close() {
        log.close();
        batch.close();
    }
}
