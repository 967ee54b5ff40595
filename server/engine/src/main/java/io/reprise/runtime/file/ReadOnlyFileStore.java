package io.reprise.runtime.file;

import java.util.List;

/**
 * A store that is only looked at: whatever would change it is refused, also by mistake. It can show a folder as if it
 * were a part of a data directory: a path that begins with the folder's place there is looked up in the folder.
 *
 * <p>It doesn't lock, so an engine may be working on the same directory.
 */
public final class ReadOnlyFileStore implements FileStore {
    private final FileStore store;

    /** The folder of the store that is shown, as {@code name/name/}; empty if it is all of it. */
    private final String folder;

    /** The apparent place of this folder, in the same form; empty for the data directory itself. */
    private final String place;

    /** The same directory, to be read. */
    public ReadOnlyFileStore(FileStore store) {
        this.store = store;
        this.folder = "";
        this.place = "";
    }

    /** A data directory in which there is nothing but a folder of the store, which there is at the given path. */
    public ReadOnlyFileStore(FileStore store, String folder, String path) {
        this.store = store;
        this.folder = StorePaths.check(folder).isEmpty() ? "" : folder + "/";
        this.place = StorePaths.checkInside(path) + "/";
    }

    @Override
    public DataFile openReadOnly(String path) {
        if (!path.startsWith(place)) {
            throw new MissingFileException("open a file to read", path, null);
        }
        return store.openReadOnly(real(path));
    }

    @Override
    public boolean exists(String path) {
        return isAbove(path) || path.startsWith(place) && store.exists(real(path));
    }

    @Override
    public List<String> list(String directory) {
        String above = directory.isEmpty() ? "" : directory + "/";
        if (above.length() < place.length() && place.startsWith(above)) {
            return List.of(place.substring(above.length(), place.indexOf('/', above.length())));
        }
        if (!above.startsWith(place)) {
            throw new MissingFileException("list a directory", directory, null);
        }
        String real = real(above);
        return store.list(real.isEmpty() ? "" : real.substring(0, real.length() - 1));
    }

    private String real(String path) {
        return folder + path.substring(place.length());
    }

    private boolean isAbove(String path) {
        return !place.isEmpty() && place.startsWith(path.isEmpty() ? "" : path + "/");
    }

    @Override
    public long usableBytes(String directory) {
        return store.usableBytes(real(directory));
    }

    @Override
    public void close() {
        store.close();
    }

    @Override
    public DataFile create(String path) {
        throw refusal("create a file", path);
    }

    @Override
    public DataFile open(String path) {
        throw refusal("open a file to write", path);
    }

    @Override
    public void rename(String from, String to) {
        throw refusal("rename to " + to, from);
    }

    @Override
    public void delete(String path) {
        throw refusal("delete", path);
    }

    @Override
    public void createDirectory(String path) {
        throw refusal("create a directory", path);
    }

    @Override
    public void forceDirectory(String directory) {
        throw refusal("force a directory", directory);
    }

    @Override
    public void lock() {
        throw refusal("lock the data directory", "");
    }

    private static StorageException refusal(String operation, String path) {
        return new StorageException(operation, path, "it is opened for reading only", null);
    }
}
