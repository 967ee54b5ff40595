package io.reprise.log;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.StorageFullException;

/**
 * Makes the next segment while the current one is written, in slices, each of them forced: so the log writer meets a
 * lack of space early, and never waits for a whole segment of zeros.
 *
 * <pre>
 *  ABSENT --step: create "x.prepared"--> GROWING --steps--> GROWN --step: rename to "x.log"--> READY --take--> ABSENT
 * </pre>
 *
 * <p>A segment has its name only when it has its full size, so a shorter one is damaged. A step that finds no space
 * throws, and can be tried again. It gives back what it had taken until then, so that a snapshot, which makes room, has some;
 * and it begins again only when there seems to be enough. Owned by the log writer.
 */
final class SegmentPreparer {
    private static final long LEAST_SLICE = 1 << 20;
    private static final long LARGEST_SLICE = 8 << 20;

    private final LogDirectory directory;
    private final FileStore store;
    private long position;
    private long bytes;
    private DataFile growing;
    private DataFile ready;

    /** There was no space the last time. */
    private boolean failed;

    SegmentPreparer(LogDirectory directory) {
        this.directory = directory;
        this.store = directory.store();
    }

    /** Says which is next. */
    void next(long newPosition, long newBytes) {
        position = newPosition;
        bytes = newBytes;
    }

    long position() {
        return position;
    }

    long bytes() {
        return bytes;
    }

    boolean isReady() {
        return ready != null;
    }

    /** How many bytes have their place on the disk. */
    long preparedBytes() {
        if (ready != null) {
            return bytes;
        }
        return growing == null ? 0 : growing.size();
    }

    /** Does one slice of what is left to do, with so many zeros if that isn't very few or very many. */
    void step(long wantedBytes) {
        String path = directory.preparedPath(position);
        if (growing == null) {
            if (failed && store.usableBytes() < bytes) {
                throw new StorageFullException("preallocate " + bytes + " bytes", path, null);
            }
            if (store.exists(path)) {
                store.delete(path);
            }
            growing = store.create(path);
        } else if (growing.size() < bytes) {
            grow(path, Math.max(LEAST_SLICE, Math.min(LARGEST_SLICE, wantedBytes)));
        } else {
            failed = false;
            growing.close();
            growing = null;
            store.rename(path, directory.path(position));
            store.forceDirectory(directory.path());
            ready = store.open(directory.path(position));
        }
    }

    private void grow(String path, long slice) {
        try {
            growing.preallocate(Math.min(bytes, growing.size() + slice));
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
        if (growing != null) {
            growing.close();
        }
        if (ready != null) {
            ready.close();
        }
    }
}
