package io.reprise.runtime.file;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** A directory that this process has locked: for itself against others, and for one store against its other ones. */
final class DirectoryLock {
    /** The file whose lock stands for all of the directory that it is in; it holds the owner's process id, for the message. */
    static final String FILE = ".lock";

    /**
     * By what the directory is to the file system: one may be reached by several paths. Closing any channel of a file gives up all
     * POSIX locks that the process has on it, so a second store must be refused before it opens the lock's file. Guards itself.
     */
    private static final Map<Object, DirectoryLock> HELD = new HashMap<>();

    private final Path directory;
    private final Object key;
    private final Object fileKey;
    private final FileChannel channel;

    private DirectoryLock(Path directory, Object key, Object fileKey, FileChannel channel) {
        this.directory = directory;
        this.key = key;
        this.fileKey = fileKey;
        this.channel = channel;
    }

    /** Locks a directory, whose path is real. Throws the refusal, made of who has locked it. */
    static DirectoryLock take(Path directory, Function<String, StoreLockedException> refusal) throws IOException {
        return take(directory, keyOf(directory), refusal);
    }

    /** The same of a directory that is this to the file system. */
    static DirectoryLock take(Path directory, Object key, Function<String, StoreLockedException> refusal)
            throws IOException {
        synchronized (HELD) {
            DirectoryLock other = HELD.get(key);
            if (other != null && other.holds(directory)) {
                throw refusal.apply("this process");
            }
            FileChannel channel = lockFile(directory, refusal);
            DirectoryLock taken = new DirectoryLock(directory, key, keyOf(directory.resolve(FILE)), channel);
            HELD.put(key, taken);
            return taken;
        }
    }

    /** The path of the directory. */
    Path directory() {
        return directory;
    }

    /** Whether a directory is this one, by whatever path. */
    boolean is(Path another) throws IOException {
        return key.equals(keyOf(another));
    }

    /**
     * Whether a directory that is to the file system what this one was is this one still. If it is not, this one has been removed
     * without being released, and the other one was made afterwards.
     */
    private boolean holds(Path same) throws IOException {
        return isThere(directory, key) || isThere(same.resolve(FILE), fileKey);
    }

    private static boolean isThere(Path path, Object key) throws IOException {
        try {
            return key.equals(keyOf(path));
        } catch (NoSuchFileException _) {
            return false;
        }
    }

    void release() throws IOException {
        synchronized (HELD) {
            HELD.remove(key, this);
            channel.close();
        }
    }

    private static Object keyOf(Path path) throws IOException {
        Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        return key == null ? path : key;
    }

    private static FileChannel lockFile(Path directory, Function<String, StoreLockedException> refusal)
            throws IOException {
        FileChannel channel = FileChannel.open(
                directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
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

    /** Writes the holder for a message. The lock holds without it, so a full disk does not keep a directory from being opened. */
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
}
