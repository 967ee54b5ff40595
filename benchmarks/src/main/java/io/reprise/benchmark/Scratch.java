package io.reprise.benchmark;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The folder for a run's files. It is removed when the run ends, also by Ctrl-C or SIGTERM, after the run's processes were ended: they
 * would go on writing into it. Each run holds a lock in its folder, which the system releases when the process ends. By that the next run
 * with the same parent recognises and removes the folder of a killed run.
 *
 * <p>Owned by the thread that runs the benchmark, and by the JVM's shutdown thread at the end.
 */
final class Scratch implements AutoCloseable {
    private static final String NAME = "bench-";

    /** The prefix of a folder whose lock is not held yet, so that no other run takes it for an abandoned one. */
    private static final String UNFINISHED = "new-bench-";

    /** The lock's file name. A folder without this file was not made by a run, and is left alone. */
    private static final String LOCK = ".held";

    private static final long PATIENCE_NS = 5_000_000_000L;
    private static final long PAUSE_NS = 50_000_000L;

    private final Path folder;
    private final FileChannel held;
    private final AtomicBoolean endedEarly = new AtomicBoolean();
    private final Thread hook = Thread.ofPlatform().name("bench-early-end").unstarted(this::endEarly);

    private Scratch(Path folder, FileChannel held) {
        this.folder = folder;
        this.held = held;
    }

    /** Makes a folder, and removes abandoned folders of earlier runs beside it. */
    static Scratch in(Path parent) {
        try {
            Files.createDirectories(parent);
            removeLeft(parent);
            Path unfinished = Files.createTempDirectory(parent, UNFINISHED);
            FileChannel held =
                    FileChannel.open(unfinished.resolve(LOCK), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            held.lock();
            String random = unfinished.getFileName().toString().substring(UNFINISHED.length());
            Scratch scratch = new Scratch(Files.move(unfinished, parent.resolve(NAME + random)), held);
            Runtime.getRuntime().addShutdownHook(scratch.hook);
            return scratch;
        } catch (IOException e) {
            throw new UnwritableException("the run needs a folder for its files in " + parent, e);
        }
    }

    private static void removeLeft(Path parent) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(parent, NAME + "*")) {
            for (Path left : folders) {
                if (Files.isDirectory(left) && !isHeld(left)) {
                    removeIfPossible(left);
                }
            }
        }
    }

    private static boolean isHeld(Path left) {
        try (FileChannel channel = FileChannel.open(left.resolve(LOCK), StandardOpenOption.WRITE);
                FileLock lock = channel.tryLock()) {
            return lock == null;
        } catch (OverlappingFileLockException e) {
            // A run of this process holds the lock.
            return true;
        } catch (IOException e) {
            // The folder has no lock, or the lock can't be read.
            return true;
        }
    }

    private static void removeIfPossible(Path left) {
        try {
            Folders.remove(left);
        } catch (UncheckedIOException e) {
            // The folder belongs to another user, or another run is removing it.
        }
    }

    Path folder() {
        return folder;
    }

    /** Whether the JVM is shutting down, which explains any later failure of the run. */
    boolean endedEarly() {
        return endedEarly.get();
    }

    /** Ends the processes first, so that they write nothing into the folder while it is removed. */
    private void endEarly() {
        endedEarly.set(true);
        long beganNs = System.nanoTime();
        do {
            ProcessHandle.current().descendants().forEach(ProcessHandle::destroyForcibly);
            LockSupport.parkNanos(PAUSE_NS);
        } while (!isRemoved() && System.nanoTime() - beganNs < PATIENCE_NS);
    }

    private boolean isRemoved() {
        try {
            Folders.remove(folder);
            return true;
        } catch (UncheckedIOException e) {
            return !Files.exists(folder);
        }
    }

    @Override
    public void close() {
        if (endedEarly.get()) {
            return;
        }
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The shutdown is under way, and removes the folder too.
            return;
        }
        try {
            held.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            Folders.remove(folder);
        }
    }
}
