package io.reprise.runtime.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;

/** A directory of the machine's file system, by {@link FileChannel}. */
public final class SystemFileStore implements FileStore {
    /** The file whose lock stands for all of the directory that it is in; it holds the owner's process id, for the message. */
    static final String LOCK_FILE = ".lock";

    private static final String DEVICE = "unix:dev";

    /**
     * The directories that this process has locked, by what they are to the file system: one may be reached by several paths.
     * Closing any channel of a file gives up all POSIX locks that the process has on it, so a second store must be refused
     * before it opens the lock file.
     */
    private static final Set<Object> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path root;
    private final Runnable beforeUnlock;
    private final Map<Object, FolderLock> folderLocks = new LinkedHashMap<>();
    private FileChannel lockChannel;
    private Object lockedRoot;

    /** A folder that is locked besides the directory that it is in. */
    private record FolderLock(Path folder, FileChannel channel) {}

    private SystemFileStore(Path root, Runnable beforeUnlock) {
        this.root = root;
        this.beforeUnlock = beforeUnlock;
    }

    /** Opens a data directory, which is made if it doesn't exist. */
    public static SystemFileStore open(Path directory) {
        return open(directory, () -> {});
    }

    /**
     * The same.
     *
     * @param beforeUnlock run when the lock is given up, while nobody else can have it yet; what it throws keeps no lock
     */
    public static SystemFileStore open(Path directory, Runnable beforeUnlock) {
        try {
            makeDurably(directory.toAbsolutePath().normalize());
            return new SystemFileStore(directory.toRealPath(), beforeUnlock);
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

    @Override
    public boolean exists(String path) {
        return Files.exists(resolve(path));
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
            return entries.map(entry -> entry.getFileName().toString())
                    .filter(name -> !name.equals(LOCK_FILE))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw translate("list a directory", directory, e);
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
            throw new ForceFailedException("force a directory", directory, IoErrors.reason(e), e);
        }
    }

    @Override
    public synchronized void lock() {
        if (lockChannel != null) {
            return;
        }
        try {
            Object key = keyOf(root);
            lockChannel = lock(
                    root,
                    key,
                    holder -> new StoreLockedException("lock the data directory", root.toString(), holder, null));
            lockedRoot = key;
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
            Object key = keyOf(folder);
            if (!key.equals(lockedRoot) && !folderLocks.containsKey(key)) {
                FileChannel channel = lock(
                        folder,
                        key,
                        holder -> StoreLockedException.ofFolder(named.toString(), folder.toString(), holder));
                folderLocks.put(key, new FolderLock(folder, channel));
            }
        } catch (IOException e) {
            StorageException failure = translate("lock a folder of the data directory", directory, e);
            // What is the directory's own is the lock's holder's: a full disk is no reason not to open it.
            boolean noRoom = failure instanceof StorageFullException || failure instanceof StorageReadOnlyException;
            if (!noRoom || leadsElsewhere(directory)) {
                throw failure;
            }
        }
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
        if (lockChannel == null) {
            return;
        }
        try {
            beforeUnlock.run();
        } finally {
            unlock();
        }
    }

    private void unlock() {
        try (FileChannel last = lockChannel) {
            for (FolderLock folder : folderLocks.values()) {
                folder.channel().close();
            }
        } catch (IOException e) {
            throw translate("unlock the data directory", root.toString(), e);
        } finally {
            lockChannel = null;
            LOCKED.remove(lockedRoot);
            lockedRoot = null;
            LOCKED.removeAll(folderLocks.keySet());
            folderLocks.clear();
        }
    }

    /** A folder that is going to be removed must not have its lock's file in it. */
    private synchronized void removeLock(Path folder) throws IOException {
        for (Iterator<Map.Entry<Object, FolderLock>> locks =
                        folderLocks.entrySet().iterator();
                locks.hasNext(); ) {
            Map.Entry<Object, FolderLock> lock = locks.next();
            if (lock.getValue().folder().equals(folder)) {
                Files.delete(folder.resolve(LOCK_FILE));
                lock.getValue().channel().close();
                LOCKED.remove(lock.getKey());
                locks.remove();
            }
        }
    }

    /** Whether the failure of something else that writes into a directory of the machine's is for lack of room. */
    public static boolean isFull(Path directory, IOException e) {
        return IoErrors.translate(directory, "write", directory.toString(), e) instanceof StorageFullException;
    }

    /** What an {@link IOException} means; files ask too. */
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

    /** What the directory is, by whatever path it is reached. */
    private static Object keyOf(Path directory) throws IOException {
        Object key = Files.readAttributes(directory, BasicFileAttributes.class).fileKey();
        return key == null ? directory : key;
    }

    private static FileChannel lock(Path directory, Object key, Function<String, StoreLockedException> refusal)
            throws IOException {
        if (!LOCKED.add(key)) {
            throw refusal.apply("this process");
        }
        FileChannel locked = null;
        try {
            locked = lockFile(directory, refusal);
            return locked;
        } finally {
            if (locked == null) {
                LOCKED.remove(key);
            }
        }
    }

    private static FileChannel lockFile(Path directory, Function<String, StoreLockedException> refusal)
            throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(LOCK_FILE),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        boolean locked = false;
        try {
            FileLock lock = channel.tryLock();
            if (lock == null) {
                throw refusal.apply(readHolder(channel));
            }
            locked = true;
            writeHolder(channel);
            return channel;
        } finally {
            if (!locked) {
                channel.close();
            }
        }
    }

    /** The lock holds without it: it is for a message, and must not keep anybody from opening what is on a full disk. */
    private static void writeHolder(FileChannel channel) {
        ByteBuffer holder =
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII));
        try {
            channel.truncate(0);
            while (holder.hasRemaining()) {
                channel.write(holder);
            }
        } catch (IOException e) {
            // Then it is only said that there is another process.
        }
    }

    private static String readHolder(FileChannel channel) throws IOException {
        ByteBuffer holder = ByteBuffer.allocate(20);
        int bytes = channel.read(holder, 0);
        return bytes <= 0
                ? "another process"
                : "process " + new String(holder.array(), 0, bytes, StandardCharsets.US_ASCII);
    }

    /** Makes the directory and those above it, each of them forced into the one that holds it. */
    private static void makeDurably(Path directory) throws IOException {
        if (Files.isDirectory(directory)) {
            return;
        }
        Path parent = directory.getParent();
        if (parent != null) {
            makeDurably(parent);
        }
        try {
            Files.createDirectory(directory);
        } catch (FileAlreadyExistsException e) {
            if (!Files.isDirectory(directory)) {
                throw e;
            }
        }
        if (parent != null) {
            forceDirectory(parent);
        }
    }

    private static void forceDirectory(Path directory) throws IOException {
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }
}
