package io.reprise.recovery.run;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import java.util.List;

/** A folder of a data directory as a store of its own. The directory's lock covers it. Any thread. */
final class SubFolder implements FileStore {
    private final FileStore files;
    private final String folder;

    SubFolder(FileStore files, String folder) {
        this.files = files;
        this.folder = folder;
    }

    private String real(String path) {
        return path.isEmpty() ? folder : folder + "/" + path;
    }

    /** Makes the folder if it is missing. */
    void make() {
        if (!files.exists(folder)) {
            files.createDirectory(folder);
            files.forceDirectory("");
        }
    }

    @Override
    public DataFile create(String path) {
        return files.create(real(path));
    }

    @Override
    public DataFile open(String path) {
        return files.open(real(path));
    }

    @Override
    public DataFile openReadOnly(String path) {
        return files.openReadOnly(real(path));
    }

    @Override
    public boolean exists(String path) {
        return files.exists(real(path));
    }

    @Override
    public void rename(String from, String to) {
        files.rename(real(from), real(to));
    }

    @Override
    public void delete(String path) {
        files.delete(real(path));
    }

    @Override
    public List<String> list(String directory) {
        return files.list(real(directory));
    }

    @Override
    public void createDirectory(String path) {
        files.createDirectory(real(path));
    }

    @Override
    public void forceDirectory(String directory) {
        files.forceDirectory(real(directory));
    }

    @Override
    public void lock() {}

    @Override
    public long usableBytes(String directory) {
        return files.usableBytes(real(directory));
    }

    @Override
    public void close() {}
}
