package io.reprise.log;

import io.reprise.runtime.file.DataFile;
import io.reprise.simulation.SimulatedFileStore;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/** Makes of a log, which is not compressed, one that another version could have written: whole, with all checksums. */
public final class LogRewriting {
    private final SimulatedFileStore disk;
    private final LogDirectory directory;
    private int previousCrc;

    private LogRewriting(SimulatedFileStore disk) {
        this.disk = disk;
        directory = new LogDirectory(disk, LogSettings.DEFAULTS.directory());
    }

    /** Gives all of its segments another format version. */
    public static void toVersion(SimulatedFileStore disk, int version) {
        new LogRewriting(disk)
                .rewrite(bytes -> MemorySegment.ofArray(bytes).set(LogFormat.INT, LogFormat.SEGMENT_VERSION, version));
    }

    /** A text in its records is another one of that length. Returns how often it was there. */
    public static int replace(SimulatedFileStore disk, String text, String by) {
        return replace(disk, text.getBytes(StandardCharsets.UTF_8), by.getBytes(StandardCharsets.UTF_8));
    }

    /** Bytes in its records are others of that length. Returns how often they were there. */
    public static int replace(SimulatedFileStore disk, byte[] from, byte[] to) {
        if (from.length != to.length) {
            throw new IllegalArgumentException(from.length + " bytes can't be replaced by " + to.length);
        }
        int[] count = new int[1];
        new LogRewriting(disk).rewrite(bytes -> {
            for (int at = 0; at + from.length <= bytes.length; at++) {
                if (java.util.Arrays.equals(bytes, at, at + from.length, from, 0, from.length)) {
                    System.arraycopy(to, 0, bytes, at, to.length);
                    count[0]++;
                }
            }
        });
        return count[0];
    }

    private interface Change {
        void of(byte[] segment);
    }

    private void rewrite(Change change) {
        boolean first = true;
        for (long position : directory.positions()) {
            try (DataFile file = disk.open(directory.path(position))) {
                byte[] bytes = new byte[(int) file.size()];
                file.read(0, ByteBuffer.wrap(bytes));
                MemorySegment segment = MemorySegment.ofArray(bytes);
                if (segment.get(LogFormat.LONG, 0) != LogFormat.SEGMENT_MAGIC) {
                    return;
                }
                change.of(bytes);
                if (!first) {
                    segment.set(LogFormat.INT, LogFormat.SEGMENT_PREVIOUS_CRC, previousCrc);
                }
                first = false;
                checkAnew(segment, bytes, position);
                file.write(0, ByteBuffer.wrap(bytes));
                file.force();
            }
        }
    }

    private void checkAnew(MemorySegment segment, byte[] bytes, long position) {
        FrameChecksum checksum = new FrameChecksum(LogChecks.databaseIn(segment));
        previousCrc = checksum.of(ByteBuffer.wrap(bytes), 0, LogFormat.SEGMENT_CRC);
        segment.set(LogFormat.INT, LogFormat.SEGMENT_CRC, previousCrc);
        int at = LogFormat.BLOCK;
        while (at + LogFormat.FRAME_HEADER <= bytes.length
                && segment.get(LogFormat.INT, at) == LogFormat.FRAME_MAGIC
                && LogChecks.position(segment, at) == position + at) {
            int size = LogChecks.frameBytes(segment, at);
            segment.set(LogFormat.INT, at + LogFormat.FRAME_PREVIOUS_CRC, previousCrc);
            previousCrc = checksum.of(ByteBuffer.wrap(bytes), at + LogFormat.FRAME_BYTES, at + size);
            segment.set(LogFormat.INT, at + LogFormat.FRAME_CRC, previousCrc);
            at += size;
        }
    }
}
