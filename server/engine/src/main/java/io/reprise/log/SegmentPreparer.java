package io.reprise.log;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.TooManyOpenFilesException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Makes the next segment while the current one is written: of a spare one, if there is one, by giving it its name;
 * otherwise by filling a file with zeros in slices, each of them forced. So the log writer meets a lack of space
 * early, and never waits for a whole segment of zeros.
 *
 * <pre>
 *  ABSENT --step: create "x.prepared"--> GROWING --steps--> GROWN --step: rename to "x.log"--> NAMED --open--> READY --take--> ABSENT
 *     +----step: open a spare one-----> READING --steps--> READ  --step: rename to "x.log"-------+
 * </pre>
 *
 * <p>A segment has its name only when it has its full size, so a shorter one is damaged. A step that finds no space
 * throws, and can be tried again; so does one that may open no file. It gives back its bytes taken until then, so
 * that a snapshot, which makes room, has some; and it begins again only when there seems to be enough. Owned by the
 * log writer.
 *
 * <p>A spare segment is taken with all its content. No reader mistakes it for later frames: each frame has its
 * position in the log, which its checksum covers, and all old positions are below the new segment's. A spare segment
 * whose header does not say so was put there by another program, and is removed. It is read before it is used: a batch seldom
 * ends where a page does, and the system would have to read the rest of that page while the writer waits. An
 * unreadable segment is not used.
 */
final class SegmentPreparer {
    private static final long LEAST_SLICE = 1 << 20;
    private static final long LARGEST_SLICE = 8 << 20;

    private final LogDirectory directory;
    private final FileStore store;
    private final LogChecks checks;
    private final LogStats stats;
    private final MemorySegment piece = Arena.ofAuto().allocate(LEAST_SLICE, Long.BYTES);
    private long position;
    private long bytes;
    private DataFile growing;
    private DataFile spare;
    private long readBytes;
    private DataFile ready;

    /** It has its name, and could not be opened by that yet. */
    private boolean named;

    /** There was no space the last time. */
    private boolean failed;

    SegmentPreparer(LogTail tail, LogStats stats) {
        this.directory = tail.directory();
        this.store = directory.store();
        this.checks = new LogChecks(tail.database());
        this.stats = stats;
    }

    /** Says which is next. */
    void next(long newPosition, long newBytes) {
        position = newPosition;
        bytes = newBytes;
    }

    boolean isReady() {
        return ready != null;
    }

    /** The number of its finished bytes: they have their place on the disk, and are in the system's cache. */
    long preparedBytes() {
        if (ready != null || named) {
            return bytes;
        }
        return growing == null ? readBytes : growing.size();
    }

    /** Does one slice of what is left to do, of so many bytes if that isn't very few or very many. */
    void step(long wantedBytes) {
        String path = directory.preparedPath(position);
        long slice = Math.max(LEAST_SLICE, Math.min(LARGEST_SLICE, wantedBytes));
        if (named) {
            openNamed();
        } else if (spare != null) {
            useSpare(slice);
        } else if (growing == null) {
            if (openSpare()) {
                return;
            }
            if (failed && store.usableBytes(directory.path()) < bytes) {
                throw new StorageFullException("preallocate " + bytes + " bytes", path, null);
            }
            if (store.exists(path)) {
                store.delete(path);
            }
            growing = store.create(path);
        } else if (growing.size() < bytes) {
            grow(path, slice);
        } else {
            failed = false;
            growing.close();
            growing = null;
            begin(path);
        }
    }

    /** Gives a file of the full size the next segment's name. */
    private void begin(String path) {
        store.rename(path, directory.path(position));
        named = true;
        openNamed();
    }

    private void openNamed() {
        directory.forceNames();
        ready = store.open(directory.path(position));
        named = false;
    }

    private boolean openSpare() {
        for (long before : directory.spares()) {
            String path = directory.sparePath(before);
            try {
                if (isUsable(path, before)) {
                    spare = store.openReadOnly(path);
                    return true;
                }
                store.delete(path);
            } catch (MissingFileException e) {
                // A snapshot has needed the room.
            }
        }
        return false;
    }

    private void useSpare(long slice) {
        if (readBytes < bytes && readsSpare(slice)) {
            return;
        }
        String path = spare.path();
        boolean usable = readBytes == bytes;
        closeSpare();
        try {
            if (usable) {
                begin(path);
                failed = false;
                stats.reusedSegment();
            } else {
                store.delete(path);
            }
        } catch (MissingFileException e) {
            // A snapshot has needed the room.
        }
    }

    /** Returns whether a slice could be read. */
    private boolean readsSpare(long slice) {
        try {
            long to = Math.min(bytes, readBytes + slice);
            while (readBytes < to) {
                MemorySegment part = piece.asSlice(0, Math.min(piece.byteSize(), to - readBytes));
                if (spare.read(readBytes, part) < part.byteSize()) {
                    return false;
                }
                readBytes += part.byteSize();
            }
            return true;
        } catch (StorageException e) {
            return false;
        }
    }

    private void closeSpare() {
        spare.close();
        spare = null;
        readBytes = 0;
    }

    private boolean isUsable(String spare, long before) {
        try (Arena arena = Arena.ofConfined();
                DataFile file = store.openReadOnly(spare)) {
            MemorySegment block = arena.allocate(LogFormat.BLOCK, Long.BYTES);
            return file.size() == bytes
                    && file.read(0, block) == LogFormat.BLOCK
                    && checks.problemOfHeader(block, block.asByteBuffer(), before) == null
                    && before + LogChecks.header(block).bytes() <= position;
        } catch (TooManyOpenFilesException e) {
            throw e;
        } catch (StorageException e) {
            return false;
        }
    }

    private void grow(String path, long slice) {
        try {
            long size = growing.size();
            growing.preallocate(Math.min(bytes, size + slice));
            stats.zeroed(growing.size() - size);
        } catch (StorageFullException e) {
            failed = true;
            try {
                growing.close();
                growing = null;
                store.delete(path);
            } catch (StorageException notGivenBack) {
                e.addSuppressed(notGivenBack);
            }
            throw e;
        }
        growing.force();
    }

    /** Does all that is left. */
    void finish() {
        while (!isReady()) {
            step(LARGEST_SLICE);
        }
    }

    /** The segment's file, which is the caller's from now on. */
    DataFile take() {
        DataFile taken = ready;
        ready = null;
        return taken;
    }

    void close() {
        if (spare != null) {
            closeSpare();
        }
        if (growing != null) {
            growing.close();
        }
        if (ready != null) {
            ready.close();
        }
    }
}
