package io.reprise.log;

import io.reprise.runtime.file.DataFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;

/**
 * The content of a segment behind the end of the log: zeros, frames of the torn tail, parts of such, and, in a
 * segment that was used before, frames of that time. Valid frames are found wherever they lie. The inside of a valid
 * frame is not looked into: its checksum says that it is as it was written, so nothing else lies there. One thread.
 */
final class Remnants {
    /** A power of two. */
    private static final long STRETCH = 64 << 10;

    private static final MemorySegment ZEROS =
            Arena.global().allocate(STRETCH, Long.BYTES).asReadOnly();

    private final LogChecks checks;
    private final MemorySegment bytes;
    private final ByteBuffer view;

    /** The remnants in a segment, of which these are all bytes. */
    Remnants(LogChecks checks, MemorySegment bytes) {
        this.checks = checks;
        this.bytes = bytes;
        this.view = bytes.asByteBuffer();
    }

    /**
     * The offset of a frame, from this offset on, that says that the log was durable beyond a position; -1 if there is none.
     * It speaks wherever it lies: it may have come to a wrong place together with what it speaks for. Frames of an earlier
     * use of the segment say nothing of the kind: the log was shorter then than the position at which the segment begins.
     */
    long findWitness(long from, long position) {
        for (long frame = nextFrame(from); frame >= 0; frame = nextFrame(behind(frame))) {
            if (LogChecks.durable(bytes, frame) > position) {
                return frame;
            }
        }
        return -1;
    }

    /**
     * Overwrites everything from an offset on with zeros, in the file, but for frames of an earlier use of the segment: these
     * can't be taken for something behind the end, because their positions are below the segment's.
     */
    void clear(DataFile file, long from, long segmentPosition) {
        long at = from;
        for (long frame = nextFrame(from); frame >= 0; frame = nextFrame(behind(frame))) {
            if (LogChecks.position(bytes, frame) + LogChecks.frameBytes(bytes, frame) <= segmentPosition) {
                zero(file, at, frame);
                at = behind(frame);
            }
        }
        zero(file, at, bytes.byteSize());
    }

    private long behind(long frame) {
        return frame + LogChecks.frameBytes(bytes, frame);
    }

    private long nextFrame(long from) {
        long last = bytes.byteSize() - LogFormat.FRAME_HEADER;
        for (long offset = from + 7 & -8; offset <= last; offset += 8) {
            if ((offset & STRETCH - 1) == 0) {
                offset = behindZeros(offset);
                if (offset > last) {
                    break;
                }
            }
            if (bytes.get(LogFormat.INT, offset) == LogFormat.FRAME_MAGIC
                    && checks.problemOfFrame(bytes, view, offset, bytes.byteSize(), LogChecks.position(bytes, offset))
                            == null) {
                return offset;
            }
        }
        return -1;
    }

    /** Most of what lies behind a log's end was never written; word by word this would take most of an opening's time. */
    private long behindZeros(long from) {
        long at = from;
        while (at + STRETCH <= bytes.byteSize() && isZero(at, STRETCH)) {
            at += STRETCH;
        }
        return at;
    }

    private boolean isZero(long at, long length) {
        return MemorySegment.mismatch(bytes, at, at + length, ZEROS, 0, length) < 0;
    }

    private void zero(DataFile file, long from, long to) {
        for (long at = from; at < to; at += STRETCH) {
            long length = Math.min(STRETCH, to - at);
            if (!isZero(at, length)) {
                file.write(at, ZEROS.asSlice(0, length));
            }
        }
    }
}
