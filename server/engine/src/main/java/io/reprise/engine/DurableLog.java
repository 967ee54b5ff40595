package io.reprise.engine;

import io.reprise.id.DatabaseId;
import io.reprise.log.FrameSource;
import io.reprise.log.LogFrame;
import io.reprise.log.LogReader;
import io.reprise.log.LogSettings;
import io.reprise.runtime.file.FileStore;

/**
 * The durable part of a log at which an engine may be at work, as a source that grows: up to the position that the directory's file
 * {@code database.durable} names, which lags by up to a second while the engine works. Confined to one thread.
 */
final class DurableLog implements FrameSource, AutoCloseable {
    private final FileStore files;
    private final LogSettings settings;
    private final DatabaseId database;
    private long position;
    private long end;
    private LogReader reader;

    DurableLog(FileStore files, LogSettings settings, DatabaseId database, long from) {
        this.files = files;
        this.settings = settings;
        this.database = database;
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

    /** Looks for the durable position; opens a reader if it has risen. */
    private boolean grows() {
        DurablePosition.Found found = DurablePosition.read(files);
        if (!found.database().equals(database)) {
            throw new IllegalStateException("the data directory is that of another database now, " + found.database()
                    + " instead of " + database);
        }
        if (found.position() <= position) {
            return false;
        }
        end = found.position();
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
