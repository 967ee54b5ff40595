package io.reprise.archive;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ReadOnlyFileStore;
import java.util.List;

/** The objects of a store as files that are only read, for readers of data directories. */
final class ObjectFiles implements FileStore {
    private final ObjectStore objects;

    private ObjectFiles(ObjectStore objects) {
        this.objects = objects;
    }

    /** A data directory in which there is nothing but a folder of the store, at the given path. */
    static FileStore of(ObjectStore objects, String folder, String path) {
        return new ReadOnlyFileStore(new ObjectFiles(objects), folder, path);
    }

    @Override
    public DataFile openReadOnly(String path) {
        return objects.open(path);
    }

    @Override
    public boolean exists(String path) {
        return objects.exists(path);
    }

    @Override
    public List<String> list(String directory) {
        return objects.list(directory);
    }

    @Override
    public DataFile create(String path) {
        throw readOnly();
    }

    @Override
    public DataFile open(String path) {
        throw readOnly();
    }

    @Override
    public void rename(String from, String to) {
        throw readOnly();
    }

    @Override
    public void delete(String path) {
        throw readOnly();
    }

    @Override
    public void createDirectory(String path) {
        throw readOnly();
    }

    @Override
    public void forceDirectory(String directory) {
        throw readOnly();
    }

    @Override
    public void lock() {
        throw readOnly();
    }

    @Override
    public long usableBytes(String directory) {
        return 0;
    }

    @Override
    public void close() {}

    private static UnsupportedOperationException readOnly() {
        return new UnsupportedOperationException("objects of an archive are only read");
    }
}
