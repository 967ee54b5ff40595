package io.reprise.runtime.file;

import java.util.List;

/**
 * A data directory. Paths are relative to it, with {@code /} between names, such as {@code log/000001.segment}; the
 * empty path is the directory itself. All methods throw {@link StorageException} or one of its subclasses. Any thread.
 *
 * <p>A change of names is durable when {@link #forceDirectory} of the directory that holds the name has returned (for a
 * rename, of the directory that it moves into).
 */
public interface FileStore extends AutoCloseable {
    /** Makes an empty file, which must not exist, and opens it for reading and writing. */
    DataFile create(String path);

    /** Opens an existing file for reading and writing. */
    DataFile open(String path);

    /** Opens an existing file for reading; works on a read-only file system. */
    DataFile openReadOnly(String path);

    /** Whether there is a file or directory of that name. */
    boolean exists(String path);

    /**
     * Tells whether a directory lies elsewhere: it is a symbolic link or a mount point of another file system, made
     * by the operator.
     */
    default boolean leadsElsewhere(String directory) {
        return false;
    }

    /** Gives a file or directory another name, in one step; a file of the new name is replaced. */
    void rename(String from, String to);

    /** Removes a file or an empty directory. */
    void delete(String path);

    /** The names (not paths) of the files and directories in a directory, sorted. */
    List<String> list(String directory);

    /** Makes a directory in an existing one; it may exist already. */
    void createDirectory(String path);

    /** Returns when all changes of names in the directory are on stable storage. */
    void forceDirectory(String directory);

    /**
     * Claims the data directory for this store until it is closed; a second process (or store) is refused with
     * {@link StoreLockedException}.
     */
    void lock();

    /**
     * Claims a folder of the locked data directory too, if it is there. It may be a link, or where a disk is mounted, and another
     * data directory may lead to it as well; then this is refused with {@link StoreLockedException}. One that leads elsewhere and
     * can't be claimed, because its disk is full or read-only, is refused too, with {@link StorageFullException} or {@link
     * StorageReadOnlyException}: another process could claim it later. The claim ends with the directory's, or when the folder is
     * removed. A store that nothing else leads into has nothing to do.
     */
    default void lockFolder(String directory) {}

    /** The number of bytes that could still be written to files in a directory, as far as known. */
    long usableBytes(String directory);

    /** Gives up the lock. Open files are their owners' to close. */
    @Override
    void close();
}
