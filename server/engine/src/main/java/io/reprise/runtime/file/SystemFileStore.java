package io.reprise.runtime.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A directory of the machine's file system, by {@link FileChannel}. */
public final class SystemFileStore implements FileStore {
    private static final String DEVICE = "unix:dev";

    private final Path root;
    private final Runnable beforeUnlock;
    /** Of folders that are locked besides the directory that they are in. */
    private final List<DirectoryLock> folderLocks = new ArrayList<>();

    /** Null while the directory is not locked. */
    private DirectoryLock lock;

    private SystemFileStore(Path root, Runnable beforeUnlock) {
        this.root = root;
        this.beforeUnlock = beforeUnlock;
    }

    /**
     * Opens a data directory and makes it if it doesn't exist. Its name is durable on return, also if an earlier
     * process made it and was killed.
     */
    public static SystemFileStore open(Path directory) {
        return open(directory, () -> {});
    }

    /**
     * Opens a data directory with an action that runs when the lock is given up, before another process can have it.
     *
     * @param beforeUnlock the action; its exception does not keep the lock
     */
    public static SystemFileStore open(Path directory, Runnable beforeUnlock) {
        try {
            Path named = directory.toAbsolutePath().normalize();
            makeDurably(named, SystemFileStore::forceDirectory);
            Path root = directory.toRealPath();
            if (!root.equals(named)) {
                // A link: it has been forced, and now that to which it leads.
                makeDurably(root, SystemFileStore::forceDirectory);
            }
            return new SystemFileStore(root, beforeUnlock);
        } catch (IOException e) {
            throw new StorageException("open the data directory", directory.toString(), IoErrors.reason(e), e);
        }
    }

    /** Opens a directory that exists; nothing is made. */
    public static SystemFileStore openExisting(Path directory) {
        try {
            Path root = directory.toRealPath();
            if (!Files.isDirectory(root)) {
                throw new StorageException("open the directory", directory.toString(), "it is a file", null);
            }
            return new SystemFileStore(root, () -> {});
        } catch (NoSuchFileException e) {
            throw new MissingFileException("open the directory", directory.toString(), e);
        } catch (IOException e) {
            throw new StorageException("open the directory", directory.toString(), IoErrors.reason(e), e);
        }
    }

    @Override
    public DataFile create(String path) {
        return open(
                "create a file",
                StorePaths.checkInside(path),
                Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public DataFile open(String path) {
        return open(
                "open a file", StorePaths.checkInside(path), Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE));
    }

    @Override
    public DataFile openReadOnly(String path) {
        return open("open a file to read", StorePaths.checkInside(path), Set.of(StandardOpenOption.READ));
    }

    /** A file that can't be looked at is not taken for missing: a missing log would be made anew. */
    @Override
    public boolean exists(String path) {
        try {
            Files.readAttributes(resolve(path), BasicFileAttributes.class);
            return true;
        } catch (NoSuchFileException e) {
            return false;
        } catch (IOException e) {
            throw translate("find out whether there is", path, e);
        }
    }

    @Override
    public void rename(String from, String to) {
        Path source = resolve(StorePaths.checkInside(from));
        Path target = resolve(StorePaths.checkInside(to));
        try {
            Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException e) {
            throw translate("rename to " + to, from, e);
        }
    }

    @Override
    public void delete(String path) {
        try {
            Path deleted = resolve(StorePaths.checkInside(path));
            removeLock(deleted);
            Files.delete(deleted);
        } catch (IOException e) {
            throw translate("delete", path, e);
        }
    }

    @Override
    public List<String> list(String directory) {
        try (Stream<Path> entries = Files.list(resolve(directory))) {
            return names(entries, root, directory);
        } catch (IOException e) {
            throw translate("list a directory", directory, e);
        }
    }

    /** Failures after the opening of the directory surface here. */
    static List<String> names(Stream<Path> entries, Path root, String directory) {
        try {
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.equals(DirectoryLock.FILE))
                    .sorted()
                    .toList();
        } catch (UncheckedIOException e) {
            throw IoErrors.translate(root, "list a directory", directory, e.getCause());
        }
    }

    @Override
    public void createDirectory(String path) {
        Path directory = resolve(StorePaths.checkInside(path));
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw new ExistingFileException("create a directory", path, e);
            }
        } catch (IOException e) {
            throw translate("create a directory", path, e);
        }
    }

    @Override
    public void forceDirectory(String directory) {
        try {
            forceDirectory(resolve(directory));
        } catch (NoSuchFileException e) {
            throw new MissingFileException("force a directory", directory, e);
        } catch (IOException e) {
            if (translate("force a directory", directory, e) instanceof TooManyOpenFilesException notBegun) {
                throw notBegun;
            }
            throw new ForceFailedException("force a directory", directory, IoErrors.reason(e), e);
        }
    }

    @Override
    public synchronized void lock() {
        if (lock != null) {
            return;
        }
        try {
            lock = DirectoryLock.take(
                    root, holder -> new StoreLockedException("lock the data directory", root.toString(), holder, null));
        } catch (IOException e) {
            throw translate("lock the data directory", root.toString(), e);
        }
    }

    @Override
    public synchronized void lockFolder(String directory) {
        Path named = resolve(StorePaths.checkInside(directory));
        if (!Files.isDirectory(named)) {
            return;
        }
        try {
            Path folder = named.toRealPath();
            if (!isLocked(folder)) {
                folderLocks.add(DirectoryLock.take(
                        folder, holder -> StoreLockedException.ofFolder(named.toString(), folder.toString(), holder)));
            }
        } catch (IOException e) {
            StorageException failure = translate("lock a folder of the data directory", directory, e);
            // The lock's holder owns the directory's own files: a full disk is no reason not to open it.
            boolean noRoom = failure instanceof StorageFullException || failure instanceof StorageReadOnlyException;
            if (!noRoom || leadsElsewhere(directory)) {
                throw failure;
            }
        }
    }

    private boolean isLocked(Path folder) throws IOException {
        if (lock != null && lock.is(folder)) {
            return true;
        }
        for (DirectoryLock each : folderLocks) {
            if (each.is(folder)) {
                return true;
            }
        }
        return false;
    }

    @Override
    public boolean leadsElsewhere(String directory) {
        Path named = resolve(directory);
        try {
            return Files.isSymbolicLink(named)
                    || !Files.getAttribute(named, DEVICE).equals(Files.getAttribute(root, DEVICE));
        } catch (IOException e) {
            throw translate("find out where a directory is", directory, e);
        }
    }

    @Override
    public long usableBytes(String directory) {
        try {
            return Files.getFileStore(resolve(directory)).getUsableSpace();
        } catch (IOException e) {
            throw translate("find out how much space is left", directory, e);
        }
    }

    @Override
    public synchronized void close() {
        try {
            if (lock != null) {
                beforeUnlock.run();
            }
        } finally {
            unlock();
        }
    }

    private void unlock() {
        List<DirectoryLock> all = new ArrayList<>(folderLocks);
        if (lock != null) {
            all.add(lock);
        }
        folderLocks.clear();
        lock = null;
        IOException failure = null;
        for (DirectoryLock each : all) {
            try {
                each.release();
            } catch (IOException e) {
                failure = e;
            }
        }
        if (failure != null) {
            throw translate("unlock the data directory", root.toString(), failure);
        }
    }

    /** A folder that is going to be removed must not have its lock's file in it. */
    private synchronized void removeLock(Path folder) throws IOException {
        for (Iterator<DirectoryLock> locks = folderLocks.iterator(); locks.hasNext(); ) {
            DirectoryLock each = locks.next();
            if (each.directory().equals(folder)) {
                Files.delete(folder.resolve(DirectoryLock.FILE));
                each.release();
                locks.remove();
            }
        }
    }

    /** Whether the failure of something else that writes into a directory of the machine's is for lack of room. */
    public static boolean isFull(Path directory, IOException e) {
        return IoErrors.translate(directory, "write", directory.toString(), e) instanceof StorageFullException;
    }

    /** Translates an {@link IOException}; files use it too. */
    StorageException translate(String operation, String path, IOException e) {
        return IoErrors.translate(root, operation, path, e);
    }

    private DataFile open(String operation, String path, Set<? extends OpenOption> options) {
        try {
            return new SystemDataFile(this, path, FileChannel.open(resolve(path), options));
        } catch (IOException e) {
            throw translate(operation, path, e);
        }
    }

    private Path resolve(String path) {
        return root.resolve(StorePaths.check(path));
    }

    /** Forces a directory of the machine's. */
    @FunctionalInterface
    interface Forcing {
        void force(Path directory) throws IOException;
    }

    /**
     * Makes the directory and its missing parents, and forces each into its parent. An existing directory is forced
     * too, because it is unknown whether that was done. Its parents were forced before it was made.
     */
    static void makeDurably(Path directory, Forcing forcing) throws IOException {
        Path parent = directory.getParent();
        if (!Files.isDirectory(directory)) {
            if (parent != null) {
                makeDurably(parent, forcing);
            }
            try {
                Files.createDirectory(directory);
            } catch (FileAlreadyExistsException e) {
                if (!Files.isDirectory(directory)) {
                    throw e;
                }
            }
        }
        if (parent != null) {
            forceName(directory, parent, forcing);
        }
    }

    /**
     * The directory above may belong to another user, who has made this one: this user may not read it, and so not open it, or its
     * file system is read-only, knows no force or is another one, which is mounted there. To force this one itself is all that
     * can be done then, and the file systems that are in use do the rest with it.
     */
    private static void forceName(Path directory, Path parent, Forcing forcing) throws IOException {
        try {
            forcing.force(parent);
        } catch (IOException e) {
            if (!isOfAnotherUser(directory, parent, e)) {
                throw e;
            }
            forcing.force(directory);
        }
    }

    private static boolean isOfAnotherUser(Path directory, Path parent, IOException e) throws IOException {
        return e instanceof AccessDeniedException
                || IoErrors.isUnsupported(e)
                || IoErrors.translate(parent, "force", parent.toString(), e) instanceof StorageReadOnlyException
                || isOnAnotherDevice(directory, parent);
    }

    /** A link is where its own name is, and not where it leads. */
    private static boolean isOnAnotherDevice(Path directory, Path parent) throws IOException {
        return !Files.getAttribute(directory, DEVICE, LinkOption.NOFOLLOW_LINKS)
                .equals(Files.getAttribute(parent, DEVICE));
    }

    private static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
