package io.reprise.archive;

import io.reprise.runtime.file.DataFile;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.file.ForceFailedException;
import io.reprise.runtime.file.StorageException;
import io.reprise.runtime.file.SystemFileStore;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/**
 * Objects as files of a directory. An upload is a file that ends in {@code .partial}; it is forced, gets its name, and then the
 * folder is forced.
 */
public final class FolderObjects implements ObjectStore {
    private static final String PARTIAL = ".partial";

    private final FileStore files;
    private final String place;

    /** Folders whose names are durable. */
    private final TreeSet<String> made = new TreeSet<>();

    /** Objects in a store of files. */
    public FolderObjects(FileStore files, String place) {
        this.files = files;
        this.place = place;
    }

    /** Objects in an existing directory. A missing one is refused: perhaps its disk is not mounted. */
    public static FolderObjects at(Path directory) {
        return new FolderObjects(SystemFileStore.openExisting(directory), directory.toString());
    }

    @Override
    public String place() {
        return place;
    }

    @Override
    public List<String> list(String folder) {
        if (!folder.isEmpty() && !files.exists(folder)) {
            return List.of();
        }
        return files.list(folder).stream()
                .filter(name -> !name.endsWith(PARTIAL))
                .toList();
    }

    @Override
    public boolean exists(String name) {
        return files.exists(name);
    }

    @Override
    public DataFile open(String name) {
        return files.openReadOnly(name);
    }

    @Override
    public ObjectUpload upload(String name) {
        makeFolder(folderOf(name));
        String partial = name + PARTIAL;
        if (files.exists(partial)) {
            files.delete(partial);
        }
        return new Upload(name, partial, files.create(partial));
    }

    private void makeFolder(String folder) {
        if (folder.isEmpty() || made.contains(folder)) {
            return;
        }
        makeFolder(folderOf(folder));
        boolean isNew = !files.exists(folder);
        if (isNew) {
            files.createDirectory(folder);
        }
        try {
            files.forceDirectory(folderOf(folder));
        } catch (ForceFailedException e) {
            // A later force could succeed without the name, so the folder is made again.
            if (isNew) {
                drop(folder);
            }
            throw e;
        }
        made.add(folder);
    }

    private void drop(String path) {
        try {
            if (files.exists(path)) {
                files.delete(path);
            }
        } catch (StorageException e) {
            // The next upload of the name removes it.
        }
    }

    private static String folderOf(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    @Override
    public void delete(String name) {
        files.delete(name);
        made.remove(name);
    }

    @Override
    public void removeUnfinished(String folder) {
        if (!files.exists(folder)) {
            return;
        }
        for (String name : files.list(folder)) {
            if (name.endsWith(PARTIAL)) {
                files.delete(folder + "/" + name);
            }
        }
    }

    private final class Upload implements ObjectUpload {
        private final String name;
        private final String partial;
        private final DataFile file;
        private long position;
        private boolean complete;

        Upload(String name, String partial, DataFile file) {
            this.name = name;
            this.partial = partial;
            this.file = file;
        }

        @Override
        public void write(MemorySegment bytes) {
            file.write(position, bytes);
            position += bytes.byteSize();
        }

        @Override
        public void complete() {
            file.force();
            files.rename(partial, name);
            complete = true;
            try {
                files.forceDirectory(folderOf(name));
            } catch (ForceFailedException e) {
                // A later force could succeed without the name, so the object is made again.
                drop(name);
                throw e;
            }
        }

        @Override
        public void close() {
            file.close();
            if (!complete) {
                drop(partial);
            }
        }
    }
}
