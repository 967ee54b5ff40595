package io.reprise.log;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Finds the end of a log: the last segment that was begun is walked frame by frame to the first bad place, and all that
 * is behind this place is searched for anything that says it was durable. {@link LogTail} says what that means.
 */
final class TailFinder {
    private final LogDirectory directory;
    private final LogSettings settings;
    private final long from;
    private final List<Long> positions;
    private final LogChecks.SegmentHeader[] headers;
    private final String[] problems;
    private final long[] sizes;

    private LogChecks checks;

    /** Of the last segment, as it was when it was checked. */
    private final byte[] header = new byte[LogFormat.BLOCK];

    private byte[] unconfirmed;
    private long end;
    private int lastCrc;
    private long durable;
    private boolean endMark;
    private boolean sealed = true;
    private String reason;

    TailFinder(LogDirectory directory, LogSettings settings, long from) {
        this.directory = directory;
        this.settings = settings;
        this.from = from;
        this.positions = needed(directory.positions(), from);
        this.headers = new LogChecks.SegmentHeader[positions.size()];
        this.problems = new String[positions.size()];
        this.sizes = new long[positions.size()];
    }

    /** Without the segments that end below the position: of these some may be missing. */
    private static List<Long> needed(List<Long> all, long from) {
        int first = 0;
        while (first + 1 < all.size() && all.get(first + 1) <= from) {
            first++;
        }
        return all.subList(first, all.size());
    }

    LogTail find() {
        if (positions.isEmpty() || positions.getFirst() > from) {
            throw new DamagedLogException(
                    directory.path(from), 0, "the segment from which the log is needed is missing");
        }
        int last = readHeaders();
        checkSegments(last);
        DatabaseId database = headers[last].database();
        int current;
        // One room for all segments: the system takes longer to give memory, page by page, than to read a file into it.
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment room = arena.allocate(Arrays.stream(sizes).max().orElseThrow(), Long.BYTES);
            walk(last, room);
            current = endMark ? last + 1 : last;
            if (current == positions.size()) {
                throw new DamagedLogException(directory.path(end), 0, "the segment is missing");
            }
            checkNotDurable(current, room);
        }
        LogTail tail = new LogTail(directory, settings, database);
        tail.set(positions.get(last), positions.get(current), sizes[current], end, lastCrc, durable, sealed);
        tail.unconfirmed(durable - positions.get(last), unconfirmed);
        return tail;
    }

    /** Returns the last segment that has a valid header: those behind it are prepared, or torn. */
    private int readHeaders() {
        int last = -1;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment blocks = arena.allocate((long) positions.size() * LogFormat.BLOCK, Long.BYTES);
            for (int i = 0; i < positions.size(); i++) {
                readHeader(i, block(blocks, i));
            }
            checks = new LogChecks(databaseOfMost(blocks));
            for (int i = 0; i < positions.size(); i++) {
                MemorySegment block = block(blocks, i);
                problems[i] = problem(checks, block, i);
                if (problems[i] == null) {
                    headers[i] = LogChecks.header(block);
                    last = i;
                } else if (isForeign(block, i)) {
                    throw new DamagedLogException(path(i), 0, problems[i]);
                } else if (isOfOtherVersion(checks, block, i)) {
                    throw new UnknownLogFormatException(
                            path(i), LogChecks.header(block).version());
                }
            }
            if (last < 0) {
                throw new DamagedLogException(path(0), 0, problems[0]);
            }
            MemorySegment.copy(block(blocks, last), ValueLayout.JAVA_BYTE, 0, header, 0, header.length);
        }
        return last;
    }

    private void readHeader(int index, MemorySegment block) {
        try (DataFile file = directory.store().openReadOnly(path(index))) {
            sizes[index] = file.size();
            if (file.read(0, block) < LogFormat.BLOCK) {
                throw new DamagedLogException(path(index), sizes[index], "the file is cut off");
            }
        }
    }

    private static MemorySegment block(MemorySegment blocks, int index) {
        return blocks.asSlice((long) index * LogFormat.BLOCK, LogFormat.BLOCK);
    }

    private String problem(LogChecks of, MemorySegment block, int index) {
        return of.problemOfHeader(block, block.asByteBuffer(), positions.get(index));
    }

    /** The database of most segments, not of the first or the last: those may have been put here from elsewhere. */
    private DatabaseId databaseOfMost(MemorySegment blocks) {
        Map<DatabaseId, Integer> segments = new LinkedHashMap<>();
        for (int i = 0; i < positions.size(); i++) {
            DatabaseId named = LogChecks.databaseIn(block(blocks, i));
            if (problem(new LogChecks(named), block(blocks, i), i) == null) {
                segments.merge(named, 1, Integer::sum);
            }
        }
        return segments.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElseGet(() -> LogChecks.databaseIn(block(blocks, 0)));
    }

    /** Not even a place where nothing is expected may be taken for empty if another database's log lies there. */
    private boolean isForeign(MemorySegment block, int index) {
        DatabaseId named = LogChecks.databaseIn(block);
        LogChecks its = new LogChecks(named);
        return !named.equals(checks.database())
                && (problem(its, block, index) == null || isOfOtherVersion(its, block, index));
    }

    private boolean isOfOtherVersion(LogChecks of, MemorySegment block, int index) {
        return of.isHeaderOfOtherVersion(block, block.asByteBuffer(), positions.get(index));
    }

    private void checkSegments(int last) {
        for (int i = 0; i <= last; i++) {
            if (headers[i] == null) {
                throw new DamagedLogException(path(i), 0, problems[i]);
            }
            long expected = headers[i].bytes();
            long size = sizes[i];
            if (size != expected) {
                throw new DamagedLogException(
                        path(i), Math.min(size, expected), "the file has " + size + " bytes instead of " + expected);
            }
            long next = headers[i].position() + expected;
            if (i + 1 < positions.size() && positions.get(i + 1) != next) {
                throw new DamagedLogException(directory.path(next), 0, "the segment is missing");
            }
        }
    }

    private void walk(int last, MemorySegment room) {
        long start = positions.get(last);
        durable = start;
        lastCrc = headers[last].crc();
        MemorySegment bytes = read(last, room);
        ByteBuffer view = bytes.asByteBuffer();
        long offset = LogFormat.BLOCK;
        while (true) {
            reason = checks.problemOfFrame(bytes, view, offset, bytes.byteSize(), start + offset);
            if (reason == null && LogChecks.previousCrc(bytes, offset) != lastCrc) {
                reason = "the frame does not follow the one before it";
            }
            if (reason != null) {
                break;
            }
            lastCrc = LogChecks.crc(bytes, offset);
            durable = Math.max(durable, LogChecks.durable(bytes, offset));
            endMark = (LogChecks.flags(bytes, offset) & LogFormat.FLAG_END) != 0;
            sealed = (LogChecks.flags(bytes, offset) & LogFormat.FLAG_SEAL) != 0 && LogFormat.beginsPage(offset);
            offset += LogChecks.frameBytes(bytes, offset);
            if (endMark) {
                break;
            }
        }
        end = endMark ? start + bytes.byteSize() : start + offset;
        keepUnconfirmed(bytes, durable - start, offset);
    }

    /** Checked bytes only: between the two looks at the header the system may have forgotten what the disk does not have. */
    private void keepUnconfirmed(MemorySegment bytes, long from, long to) {
        unconfirmed = bytes.asSlice(from, to - from).toArray(ValueLayout.JAVA_BYTE);
        if (from == 0) {
            System.arraycopy(header, 0, unconfirmed, 0, header.length);
        }
    }

    /** Looks for a witness that what is at the end was durable once. */
    private void checkNotDurable(int current, MemorySegment room) {
        long offset = end - positions.get(current);
        if (endMark) {
            reason = problems[current];
        }
        if (from > end) {
            throw new DamagedLogException(
                    path(current), offset, reason + ", but a snapshot says that the log reached position " + from);
        }
        for (int i = current; i < positions.size(); i++) {
            MemorySegment bytes = read(i, room);
            long witness = new Remnants(checks, bytes).findWitness(i == current ? offset : 0, end);
            if (witness >= 0) {
                throw new DamagedLogException(
                        path(current),
                        offset,
                        reason + "; a valid frame at offset " + witness + " of " + path(i)
                                + " says that this place was durable");
            }
        }
    }

    private MemorySegment read(int index, MemorySegment room) {
        try (DataFile file = directory.store().openReadOnly(path(index))) {
            MemorySegment bytes = room.asSlice(0, sizes[index]);
            long count = file.read(0, bytes);
            return bytes.asSlice(0, count);
        }
    }

    private String path(int index) {
        return directory.path(positions.get(index));
    }
}
