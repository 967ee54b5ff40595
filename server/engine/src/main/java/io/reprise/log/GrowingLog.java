package io.reprise.log;

import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.FileStore;
import java.util.function.LongSupplier;

/**
 * The durable part of a log at which an engine may be at work, as a source that grows with the durable position. Confined to one
 * thread.
 */
public final class GrowingLog implements FrameSource, AutoCloseable {
    private final FileStore files;
    private final LogSettings settings;
    private final DatabaseId database;
    private final LongSupplier durable;
    private long position;
    private long end;
    private LogReader reader;

    /**
     * A log from a position on.
     *
     * @param from the position of a frame, or of a segment
     * @param durable tells a position that is durable, and never falls
     */
    public GrowingLog(FileStore files, LogSettings settings, DatabaseId database, long from, LongSupplier durable) {
        this.files = files;
        this.settings = settings;
        this.database = database;
        this.durable = durable;
        position = from;
        end = from;
    }

    @Override
    public boolean next(LogFrame frame) {
        if (reader == null && !grows()) {
            return false;
        }
        if (reader.next(frame)) {
            position = reader.position();
            return true;
        }
        position = Math.max(position, reader.position());
        close();
        return grows() && next(frame);
    }

    private boolean grows() {
        long now = durable.getAsLong();
        if (now <= position) {
            return false;
        }
        end = now;
        reader = LogReader.upTo(files, settings, database, position, end);
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
        if (reader != null) {
            reader.close();
            reader = null;
        }
    }
}
