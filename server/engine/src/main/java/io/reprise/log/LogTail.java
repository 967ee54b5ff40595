package io.reprise.log;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The end of a log, found when it is opened. {@link #find} only reads; {@link #makeDurable} keeps the end in its
 * place; {@link #settle} prepares it for writing behind it. One thread.
 *
 * <p>Behind the last batch that was forced there may be parts of later ones, in any state: the torn tail, of which
 * nothing was acknowledged. The frames themselves tell it from damage: each has the durable position at its writing.
 * If anything valid behind the first bad place says that this place was durable, acknowledged transactions are
 * damaged, and {@link DamagedLogException} is thrown; otherwise the log ends at the bad place.
 */
public final class LogTail {
    private final LogDirectory directory;
    private final LogSettings settings;
    private final DatabaseId database;

    /** Of the segment that the last valid frame is in. */
    private long lastSegment;

    private long segmentPosition;
    private long segmentBytes;
    private long position;
    private int previousCrc;
    private long durable;
    private boolean sealed;

    private boolean settled;

    /**
     * The frames that no later one calls durable, as they were when they were found and checked, up to the end in the last
     * segment; null when they have been made durable.
     */
    private byte[] unconfirmed;

    private long unconfirmedOffset;

    /** This has made the log itself, so that nothing of it can be torn, or not durable. */
    private boolean isNew;

    LogTail(LogDirectory directory, LogSettings settings, DatabaseId database) {
        this.directory = directory;
        this.settings = settings;
        this.database = database;
    }

    /** Whether there is a log, whole or damaged. */
    public static boolean exists(FileStore store, LogSettings settings) {
        return !new LogDirectory(store, settings.directory()).positions().isEmpty();
    }

    /** Makes the first segment of a new log. */
    public static LogTail create(FileStore store, LogSettings settings, DatabaseId database) {
        LogDirectory directory = new LogDirectory(store, settings.directory());
        directory.makeAnew();
        LogTail tail = new LogTail(directory, settings, database);
        tail.createFirst();
        tail.isNew = true;
        return tail;
    }

    /** Makes the segment, and is then at the end of what is in it: nothing. */
    private void createFirst() {
        FileStore store = directory.store();
        int crc;
        try (Arena arena = Arena.ofConfined();
                DataFile file = store.create(directory.preparedPath(0))) {
            MemorySegment block = arena.allocate(LogFormat.BLOCK, Long.BYTES);
            crc = LogFormat.putSegmentHeader(
                    block, new FrameChecksum(database), database, 0, settings.segmentBytes(), 0);
            file.preallocate(settings.segmentBytes());
            file.write(0, block);
            file.force();
        }
        store.rename(directory.preparedPath(0), directory.path(0));
        directory.forceNames();
        set(0, 0, settings.segmentBytes(), LogFormat.BLOCK, crc, 0, true);
    }

    /** Whether the log is of another database: a header says so, and none that it is of this one. Damaged headers say nothing. */
    public static boolean isOfAnother(FileStore store, LogSettings settings, DatabaseId database) {
        LogDirectory directory = new LogDirectory(store, settings.directory());
        boolean another = false;
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment block = arena.allocate(LogFormat.BLOCK, Long.BYTES);
            for (long position : directory.positions().reversed()) {
                block.fill((byte) 0);
                try (DataFile file = store.openReadOnly(directory.path(position))) {
                    file.read(0, block);
                }
                DatabaseId named = LogChecks.databaseIn(block);
                if (new LogChecks(named).problemOfHeader(block, block.asByteBuffer(), position) == null) {
                    if (named.equals(database)) {
                        return false;
                    }
                    another = true;
                }
            }
        }
        return another;
    }

    /**
     * Finds the end of a log that exists.
     *
     * @param from the position from which the log is needed: the snapshot's, or 0. The log must be there from it on
     *     and reach it; older segments don't matter
     */
    public static LogTail find(FileStore store, LogSettings settings, long from) {
        LogDirectory directory = new LogDirectory(store, settings.directory());
        return new TailFinder(directory, settings, from).find();
    }

    void set(
            long newLastSegment,
            long newSegmentPosition,
            long newSegmentBytes,
            long newPosition,
            int newPreviousCrc,
            long newDurable,
            boolean newSealed) {
        lastSegment = newLastSegment;
        segmentPosition = newSegmentPosition;
        segmentBytes = newSegmentBytes;
        position = newPosition;
        previousCrc = newPreviousCrc;
        durable = newDurable;
        sealed = newSealed;
    }

    /** The database that the log is of. */
    public DatabaseId database() {
        return database;
    }

    /** Its folder. */
    public LogDirectory directory() {
        return directory;
    }

    /** The position where it ends. */
    public long position() {
        return position;
    }

    /** The position of its beginning, the first segment which is still there. */
    public long firstPosition() {
        return directory.positions().getFirst();
    }

    /**
     * Throws {@link DamagedLogException} if the log ends before a position that was durable.
     *
     * @param witness the file that says so
     */
    public void checkReaches(long durablePosition, String witness) {
        if (position < durablePosition) {
            throw new DamagedLogException(
                    directory.path(segmentPosition),
                    position - segmentPosition,
                    "the log ends here, at position " + position + ", but it was durable up to position "
                            + durablePosition + ", as the file " + witness
                            + " says; an older copy of the file is in its place, or the disk has lost writes");
        }
    }

    /** Whether nothing was ever written to it. */
    public boolean isEmpty() {
        return segmentPosition == 0 && position == LogFormat.BLOCK;
    }

    /** Reads the log from a position up to its end; see {@link LogReader}. */
    public LogReader read(long from) {
        return new LogReader(directory, database, from, position);
    }

    /**
     * The end of the part that is known to be on stable storage: all of it once it is settled, else as far as a frame
     * says so.
     */
    long durable() {
        return isNew || settled ? position : durable;
    }

    /** Whether damage of the last batch would be noticed: a seal in a page of its own follows, or there is no frame in the segment. */
    boolean isSealed() {
        return sealed;
    }

    long segmentPosition() {
        return segmentPosition;
    }

    long segmentBytes() {
        return segmentBytes;
    }

    int previousCrc() {
        return previousCrc;
    }

    /** {@link TailFinder}: bytes to be made durable, and their offset in the last segment. */
    void unconfirmed(long offset, byte[] bytes) {
        unconfirmedOffset = offset;
        unconfirmed = bytes;
    }

    /**
     * Makes durable what is counted as part of the log; before anything of it is read, and without changing it, so that an
     * opening that fails afterwards has changed nothing. Can be repeated.
     *
     * <p>Frames that no later one calls durable are written again before they are forced: if a force failed before the
     * restart, the system takes their pages for clean, and would force nothing. They are written as they were found: a clean
     * page may be forgotten at any time, and what is read then is what the disk has.
     */
    public void makeDurable() {
        if (unconfirmed == null || isEmpty()) {
            return;
        }
        try (DataFile file = directory.store().open(directory.path(lastSegment))) {
            file.write(unconfirmedOffset, ByteBuffer.wrap(unconfirmed));
            file.force();
        }
        unconfirmed = null;
    }

    /**
     * Prepares the end for writing behind it: the log's content is made durable, the rest is overwritten with zeros
     * ({@link Remnants#clear}), and segments behind it are removed. Can be repeated, also after a crash in it. No reply
     * may leave before: recovered data are only as durable as this makes them.
     */
    public void settle() {
        if (isNew || settled) {
            return;
        }
        makeDurable();
        directory.makeReady();
        if (isEmpty()) {
            createAgain();
        } else {
            settleEnd(directory.store());
        }
        settled = true;
    }

    private void settleEnd(FileStore store) {
        if (lastSegment == segmentPosition) {
            try (DataFile file = store.open(directory.path(segmentPosition))) {
                clear(file, position - segmentPosition);
                file.force();
            }
        } else {
            clearNextSegment(store);
        }
        removeBehind(store);
    }

    /**
     * The log is empty. Its making may have failed at the force of a directory, and such names never become durable:
     * make new ones.
     */
    private void createAgain() {
        removeBehind(directory.store());
        directory.store().delete(directory.path(0));
        directory.makeAnew();
        createFirst();
    }

    /** The next segment exists, but nothing in it counts. It may be from a time with other settings. */
    private void clearNextSegment(FileStore store) {
        try (DataFile file = store.open(directory.path(segmentPosition))) {
            clear(file, 0);
            long size = file.size();
            if (size < settings.segmentBytes()) {
                file.preallocate(settings.segmentBytes());
            } else if (size > settings.segmentBytes()) {
                file.truncate(settings.segmentBytes());
            }
            segmentBytes = settings.segmentBytes();
            file.force();
        }
    }

    private void removeBehind(FileStore store) {
        List<Long> positions = directory.positions();
        boolean removed = false;
        for (int i = positions.size() - 1; i >= 0 && positions.get(i) > segmentPosition; i--) {
            store.delete(directory.path(positions.get(i)));
            removed = true;
        }
        if (removed) {
            directory.forceNames();
        }
    }

    private void clear(DataFile file, long from) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(file.size(), Long.BYTES);
            long count = file.read(0, bytes);
            new Remnants(new LogChecks(database), bytes.asSlice(0, count)).clear(file, from, segmentPosition);
        }
    }
}
