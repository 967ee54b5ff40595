package io.reprise.log;

import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.memory.Varint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/**
 * Frames that follow each other, decompressed into one memory: enough of the log to be worth handing to another thread. Filled by {@link
 * LogReader#next(LogStretch, long)}, read like single frames, filled again.
 */
public final class LogStretch implements AutoCloseable {
    private static final long START = 64;
    private static final long LEAST_BYTES = 1 << 20;

    /** However little is in them. */
    private static final int MOST_FRAMES = 64;

    /** Behind the last byte, for who reads words. */
    private static final long SLACK = Memory.HUGE_PAGE;

    private final List<LogFrame> frames = new ArrayList<>();
    private int count;
    private Memory memory;
    private long capacity;
    private long end = START;

    /** An empty stretch, which takes its memory when it is filled. */
    public LogStretch() {}

    /** The frames, in their order. */
    public List<LogFrame> frames() {
        return Collections.unmodifiableList(frames.subList(0, count));
    }

    /** What kinds of records it has, as far as these make sense: who reads them finds out what is wrong with one, if anything is. */
    public Set<RecordKind> kinds() {
        Set<RecordKind> kinds = EnumSet.noneOf(RecordKind.class);
        for (int i = 0; i < count; i++) {
            addKinds(frames.get(i), kinds);
        }
        return kinds;
    }

    /** The log position behind it. */
    public long endPosition() {
        return frames.get(count - 1).endPosition();
    }

    Memory memory() {
        return memory;
    }

    /** Whether nothing more goes into it. */
    boolean isFull(long enough) {
        return end - START >= enough || count == MOST_FRAMES;
    }

    /** The next frame, to be filled. */
    LogFrame next() {
        if (count == frames.size()) {
            frames.add(new LogFrame(this));
        }
        return frames.get(count);
    }

    /** The next frame has been filled. */
    void add() {
        count++;
    }

    /** Goes through the records by their lengths alone. */
    private void addKinds(LogFrame frame, Set<RecordKind> kinds) {
        long at = frame.start();
        long frameEnd = at + frame.bytes();
        while (at < frameEnd) {
            RecordKind kind = RecordKind.ofCode(memory.getByte(at) & LogFormat.RECORD_KIND_MASK);
            long word = memory.getLong(at + 1);
            int size = Varint.sizeInWord(word);
            if (kind == null || size > Integer.BYTES + 1) {
                return;
            }
            kinds.add(kind);
            at += 1 + size + Varint.ofWord(word, size);
        }
    }

    /** Room for so many bytes behind what there is: returns where. */
    long take(int bytes) {
        if (end + bytes > capacity) {
            grow(end + bytes);
        }
        long at = end;
        end += bytes;
        return at;
    }

    private void grow(long atLeast) {
        Memory before = memory;
        capacity = Math.max(LEAST_BYTES, Long.highestOneBit(atLeast) * 2);
        memory = Memory.reserve(capacity + 2 * SLACK);
        if (before != null) {
            memory.copyFrom(before, START, START, end - START);
            before.close();
        }
    }

    /** Makes it empty. */
    public void clear() {
        count = 0;
        end = START;
    }

    @Override
    public void close() {
        clear();
        if (memory != null) {
            memory.close();
            memory = null;
            capacity = 0;
        }
    }
}
