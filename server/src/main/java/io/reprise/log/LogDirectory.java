package io.reprise.log;

import io.reprise.runtime.file.FileStore;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of the log's segments. A segment is named by its position as 16 hexadecimal digits; one that is still
 * being filled with zeros has another ending, and is nothing to a reader. One thread at a time.
 */
public final class LogDirectory {
    private static final String ENDING = ".log";
    private static final String PREPARED = ".prepared";
    private static final int DIGITS = 16;

    private final FileStore store;
    private final String directory;
    private long keepFrom = Long.MAX_VALUE;

    /** The folder of that name; it need not exist. */
    public LogDirectory(FileStore store, String directory) {
        this.store = store;
        this.directory = directory;
    }

    FileStore store() {
        return store;
    }

    /** Its path, relative to the data directory. */
    public String path() {
        return directory;
    }

    /** The path of the segment at the position, relative to the data directory. */
    public String path(long position) {
        return directory + "/" + String.format("%0" + DIGITS + "x", position) + ENDING;
    }

    String preparedPath(long position) {
        return directory + "/" + String.format("%0" + DIGITS + "x", position) + PREPARED;
    }

    /** The positions of all segments, lowest first. */
    public List<Long> positions() {
        List<Long> positions = new ArrayList<>();
        if (!store.exists(directory)) {
            return positions;
        }
        for (String name : store.list(directory)) {
            if (name.length() == DIGITS + ENDING.length() && name.endsWith(ENDING) && isHexadecimal(name)) {
                positions.add(Long.parseUnsignedLong(name, 0, DIGITS, 16));
            }
        }
        return positions;
    }

    /** Makes the folder if there is none, and removes what a crash has left half prepared. */
    void makeReady() {
        if (!store.exists(directory)) {
            store.createDirectory(directory);
        }
        store.forceDirectory("");
        for (String name : store.list(directory)) {
            if (name.endsWith(PREPARED)) {
                store.delete(directory + "/" + name);
            }
        }
    }

    /**
     * Makes the folder, and if there is one without segments removes it first: the force that was to make its name durable
     * may have failed, and would not be tried again.
     */
    void makeAnew() {
        if (store.exists(directory)) {
            makeReady();
            store.delete(directory);
        }
        makeReady();
    }

    /** From now on {@link #removeBelow} leaves everything from this position on; {@code Long.MAX_VALUE} for nothing. */
    public void keepFrom(long position) {
        keepFrom = position;
    }

    /**
     * Removes the segments all of whose records are below the position, lowest first, so that what is left never has a
     * gap, whenever the power fails. Returns how many.
     */
    public int removeBelow(long position) {
        long below = Math.min(position, keepFrom);
        List<Long> positions = positions();
        int removed = 0;
        while (removed + 1 < positions.size() && positions.get(removed + 1) <= below) {
            store.delete(path(positions.get(removed)));
            store.forceDirectory(directory);
            removed++;
        }
        return removed;
    }

    private static boolean isHexadecimal(String name) {
        for (int i = 0; i < DIGITS; i++) {
            char c = name.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }
}
