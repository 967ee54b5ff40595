package io.reprise.log;

import io.reprise.runtime.file.DirectoryForce;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.MissingFileException;
import io.reprise.runtime.file.StorageException;
import java.util.ArrayList;
import java.util.List;

/**
 * The folder of the log's segments. A segment is named by its position as 16 hexadecimal digits. Readers ignore two
 * other endings: the one of a segment which is still being filled with zeros, and the one of a spare segment, which
 * is not needed any more and is going to be used again.
 *
 * <p>While an engine is at work, one thread removes segments and another one makes them, with the same instance. They
 * meet in the folder, and in its forces: when one of them fails the other's names are not durable either.
 */
public final class LogDirectory {
    private static final String ENDING = ".log";
    private static final String PREPARED = ".prepared";
    private static final String SPARE = ".spare";
    private static final int DIGITS = 16;

    private final FileStore store;
    private final String directory;
    private final DirectoryForce names;

    /** The folder of that name; it need not exist. */
    public LogDirectory(FileStore store, String directory) {
        this.store = store;
        this.directory = directory;
        names = new DirectoryForce(store, directory);
    }

    FileStore store() {
        return store;
    }

    /** Its path, relative to the data directory. */
    public String path() {
        return directory;
    }

    /** Makes all changes of names in the folder durable. Any thread. */
    void forceNames() {
        names.force();
    }

    /** The path of the segment at the position, relative to the data directory. */
    public String path(long position) {
        return path(position, ENDING);
    }

    String preparedPath(long position) {
        return path(position, PREPARED);
    }

    /** The path of a spare segment, which was at the position. */
    String sparePath(long position) {
        return path(position, SPARE);
    }

    private String path(long position, String ending) {
        return directory + "/" + String.format("%0" + DIGITS + "x", position) + ending;
    }

    /** The positions of all segments, lowest first. */
    public List<Long> positions() {
        return positions(ENDING);
    }

    /** The positions at which spare segments were, lowest first. */
    List<Long> spares() {
        return positions(SPARE);
    }

    private List<Long> positions(String ending) {
        List<Long> positions = new ArrayList<>();
        if (!store.exists(directory)) {
            return positions;
        }
        for (String name : store.list(directory)) {
            if (name.length() == DIGITS + ending.length() && name.endsWith(ending) && isHexadecimal(name)) {
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
     * may have failed, and would not be tried again. A name that leads elsewhere is not the log's own, and stays; so does a folder
     * that can't be removed although it is empty, as one of the same disk that is mounted there.
     */
    void makeAnew() {
        if (store.exists(directory)) {
            makeReady();
            removeSpares(0);
            if (!store.leadsElsewhere(directory)) {
                removeIfThatCanBeDone();
            }
        }
        makeReady();
    }

    private void removeIfThatCanBeDone() {
        try {
            store.delete(directory);
        } catch (StorageException kept) {
            if (!store.list(directory).isEmpty()) {
                throw kept;
            }
            store.lockFolder(directory);
        }
    }

    /**
     * Removes the segments all of whose records are below the position, lowest first, so that what is left never has a
     * gap, whenever the power fails. Some are kept as spare ones: as many as have become needless now, because the log will
     * need as many again until the next time; then the log with them is never larger than it has been. Returns how many
     * were removed from the log.
     *
     * @param mostSpares so many spare ones there are at most
     */
    public int removeBelow(long position, int mostSpares) {
        List<Long> positions = positions();
        int needless = 0;
        while (needless + 1 < positions.size() && positions.get(needless + 1) <= position) {
            needless++;
        }
        if (needless == 0) {
            return 0;
        }
        int most = Math.min(needless, mostSpares);
        int spares = removeSpares(most);
        for (int i = 0; i < needless; i++) {
            String path = path(positions.get(i));
            if (spares + i < most) {
                store.rename(path, sparePath(positions.get(i)));
            } else {
                store.delete(path);
            }
            forceNames();
        }
        return needless;
    }

    /** Removes spare segments until there are so many at most. Returns the number that are left. */
    public int removeSpares(int most) {
        List<Long> spares = spares();
        for (int i = most; i < spares.size(); i++) {
            try {
                store.delete(sparePath(spares.get(i)));
            } catch (MissingFileException e) {
                // It is used again just now.
            }
        }
        return Math.min(most, spares.size());
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
