package io.reprise.log;

import io.reprise.runtime.time.Clock;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Factory;

/**
 * Compresses frames where that pays. {@link Compression#MEASURED} weighs the time that compressing takes against the
 * time that writing the saved bytes would take, both measured while running; a disk that keeps up is left alone,
 * because the cores that compressing takes are the executors' too. Owned by the log writer.
 */
final class FrameCompressor {
    /** Small frames have little that repeats, and their force takes longer than their bytes. */
    private static final int LEAST_BYTES = 1024;

    /** Flushes below this say more about the force than about the bytes. */
    private static final int LEAST_FLUSH = 256 << 10;

    /** While it doesn't pay, one frame in so many is tried, because the records may have become others. */
    private static final int TRIAL = 64;

    private static final double WEIGHT = 0.1;

    private final Compression mode;
    private final Clock clock;
    private final LZ4Compressor lz4 = LZ4Factory.fastestInstance().fastCompressor();
    private ByteBuffer scratch = ByteBuffer.allocateDirect(64 << 10);

    private double compressNsPerByte = 1.5;
    private double savedFraction = 0.3;
    private double writeNsPerByte;
    private int sinceTrial;

    FrameCompressor(Compression mode, Clock clock) {
        this.mode = mode;
        this.clock = clock;
    }

    /** Tells how long a write and its force took. */
    void flushed(int bytes, long ns) {
        if (bytes >= LEAST_FLUSH) {
            writeNsPerByte += WEIGHT * ((double) ns / bytes - writeNsPerByte);
        }
    }

    /** Compresses in place. Returns the number of bytes that are left; as many as before if it was left alone. */
    int compress(ByteBuffer buffer, int from, int bytes) {
        if (mode == Compression.NONE || bytes < LEAST_BYTES) {
            return bytes;
        }
        if (mode == Compression.ALWAYS) {
            return tryOn(buffer, from, bytes);
        }
        boolean pays = writeNsPerByte * savedFraction > 2 * compressNsPerByte;
        if (!pays && (writeNsPerByte == 0 || sinceTrial++ % TRIAL != 0)) {
            return bytes;
        }
        long begin = clock.nanoTime();
        int stored = tryOn(buffer, from, bytes);
        compressNsPerByte += WEIGHT * ((double) (clock.nanoTime() - begin) / bytes - compressNsPerByte);
        savedFraction += WEIGHT * ((double) (bytes - stored) / bytes - savedFraction);
        return stored;
    }

    private int tryOn(ByteBuffer buffer, int from, int bytes) {
        int most = bytes - bytes / 8;
        int needed = lz4.maxCompressedLength(bytes);
        if (scratch.capacity() < needed) {
            scratch = ByteBuffer.allocateDirect(needed);
        }
        int stored = lz4.compress(buffer.clear(), from, bytes, scratch.clear(), 0, needed);
        if (stored > most) {
            return bytes;
        }
        buffer.put(from, scratch, 0, stored);
        return stored;
    }
}
