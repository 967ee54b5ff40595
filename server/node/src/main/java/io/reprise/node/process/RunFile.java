package io.reprise.node.process;

import io.reprise.engine.FileFailure;
import io.reprise.runtime.file.StorageFullException;
import io.reprise.runtime.file.SystemFileStore;
import io.reprise.runtime.time.SystemClock;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * The file {@code .node} in a data directory: the process at work there, and its addresses.
 *
 * <pre>
 *  pid=4711
 *  started=1763712000000       milliseconds since 1970, as the process's clock and the system's account had it
 *  began=4711 BOOT-ID          clock ticks between the start of the system and its own, and which start of the system that was;
 *                              with the pid it tells the process from a later one of the same pid. Empty: the system does not tell
 *  http=http://127.0.0.1:7077  empty: it has no HTTP server
 *  clients=127.0.0.1:21212     where clients connect; empty: nowhere
 *  certificate=9f86d081...     SHA-256 of the certificate that the node shows, by which it is recognised, in hexadecimal digits; written
 *                              anew when that is renewed. Empty: it does not speak TLS. Earlier versions wrote the path of its file
 *  token=...                   opens everything, over HTTP and for clients
 * </pre>
 *
 * <p>Only its owner may read it. The process that holds the directory's lock writes it, and removes it at an orderly
 * stop. A killed process, or one that could not write its log to the end, leaves it behind, and the next one replaces
 * it.
 *
 * @param pid the process
 * @param startedMs its start, by the system's account, which changes when the clock is set; only of use if there is
 *     nothing else
 * @param began its start, by a measure that does not change; empty if the system does not tell, or the file is of an
 *     earlier version
 * @param http its HTTP server; empty if it has none
 * @param clients the address for clients, as HOST:PORT; empty if they can't connect
 * @param certificate the fingerprint of the certificate that the node shows, of an earlier version the path of its
 *     file; empty if it does not speak TLS
 * @param token the token that opens everything
 */
public record RunFile(
        long pid, long startedMs, String began, String http, String clients, String certificate, String token) {
    private static final String NAME = ".node";
    private static final Path BOOT = Path.of("/proc/sys/kernel/random/boot_id");

    private static final long LOOK_NS = 100_000_000;

    // Of those behind the program's name in /proc/PID/stat: the 3rd, 20th and 22nd of all.
    private static final int STATE_FIELD = 0;
    private static final int THREADS_FIELD = 17;
    private static final int START_FIELD = 19;

    /** The run file of this process. */
    static RunFile ofThisProcess(String http, String clients, String certificate, String token) {
        ProcessHandle own = ProcessHandle.current();
        return new RunFile(own.pid(), started(own), began(own.pid()), http, clients, certificate, token);
    }

    static String began(long pid) {
        try {
            return ticks(stat(pid)) + " " + Files.readString(BOOT).strip();
        } catch (IOException noSuchAccount) {
            return "";
        }
    }

    private static String stat(long pid) throws IOException {
        // The name may have bytes that are no text.
        return Files.readString(Path.of("/proc", Long.toString(pid), "stat"), StandardCharsets.ISO_8859_1);
    }

    /** When a process began, of its account in /proc. */
    static String ticks(String stat) {
        return fields(stat)[START_FIELD];
    }

    /** The fields behind the process's name, which may have spaces and parentheses too. */
    private static String[] fields(String stat) {
        return stat.substring(stat.lastIndexOf(')') + 2).split(" ");
    }

    /**
     * Whether a process has ended whose account in /proc this is, which stays until its parent asks for the exit code; some never do, as
     * many a first process of a container. While threads of it are left, and with them its files and locks, it has not.
     */
    static boolean hasEnded(String stat) {
        String[] fields = fields(stat);
        String state = fields[STATE_FIELD];
        return (state.equals("Z") || state.equals("X")) && Integer.parseInt(fields[THREADS_FIELD]) <= 1;
    }

    private static boolean hasEnded(long pid) {
        try {
            return hasEnded(stat(pid));
        } catch (IOException noSuchAccount) {
            return false;
        }
    }

    private static long started(ProcessHandle process) {
        return process.info().startInstant().map(Instant::toEpochMilli).orElse(0L);
    }

    /** Its path in a data directory. */
    public static Path path(Path directory) {
        return directory.resolve(NAME);
    }

    /** Reads the file of a data directory; empty if there is none, or none that makes sense. */
    public static Optional<RunFile> read(Path directory) {
        List<String> lines;
        try {
            lines = Files.readAllLines(directory.resolve(NAME));
        } catch (NoSuchFileException e) {
            return Optional.empty();
        } catch (AccessDeniedException e) {
            throw new IllegalStateException(
                    FileFailure.text(e) + ", which says how to reach the node; run this as the node's user, or as root",
                    e);
        } catch (IOException e) {
            throw new IllegalStateException(
                    "can't read " + directory.resolve(NAME) + ", which says how to reach the node: "
                            + FileFailure.text(e),
                    e);
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (String line : lines) {
            int equals = line.indexOf('=');
            if (equals > 0) {
                values.put(line.substring(0, equals), line.substring(equals + 1));
            }
        }
        try {
            return Optional.of(new RunFile(
                    Long.parseLong(values.getOrDefault("pid", "")),
                    Long.parseLong(values.getOrDefault("started", "")),
                    values.getOrDefault("began", ""),
                    values.getOrDefault("http", ""),
                    values.getOrDefault("clients", ""),
                    values.getOrDefault("certificate", ""),
                    values.getOrDefault("token", "")));
        } catch (NumberFormatException e) {
            return Optional.empty();
        }
    }

    /** The process, if it is the one that wrote the file and still runs. */
    public Optional<ProcessHandle> process() {
        return ProcessHandle.of(pid).filter(handle -> handle.isAlive() && hasWritten(handle) && !hasEnded(pid));
    }

    /**
     * Waits until the process has ended; returns false if it has not in that time. Of one that is no child of this process the system
     * tells only when its parent has asked for its exit code, so it is looked at.
     */
    public boolean awaitEnd(long most, TimeUnit unit) throws InterruptedException {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        for (Optional<ProcessHandle> at = process(); at.isPresent(); at = process()) {
            long leftNs = unit.toNanos(most) - (SystemClock.INSTANCE.nanoTime() - beganNs);
            if (leftNs <= 0) {
                return false;
            }
            try {
                at.get().onExit().get(Math.min(leftNs, LOOK_NS), TimeUnit.NANOSECONDS);
            } catch (TimeoutException again) {
                continue;
            } catch (ExecutionException e) {
                throw new IllegalStateException("can't wait for process " + pid, e);
            }
        }
        return true;
    }

    /** Whether a process that has ended has left this file behind, and so has not ended in order. */
    public boolean isLeftIn(Path directory) {
        return read(directory)
                .filter(left -> left.pid == pid && left.startedMs == startedMs && left.began.equals(began))
                .isPresent();
    }

    private boolean hasWritten(ProcessHandle process) {
        String now = began.isEmpty() ? "" : began(pid);
        return now.isEmpty() ? started(process) == startedMs : now.equals(began);
    }

    /** Writes it; readers see all of it or what was there before. Throws {@link StorageFullException} if there is no room. */
    void write(Path directory) {
        Path complete = directory.resolve(NAME);
        Path draft = directory.resolve(NAME + ".new");
        String text = "pid=" + pid + "\nstarted=" + startedMs + "\nbegan=" + began + "\nhttp=" + http + "\nclients="
                + clients + "\ncertificate=" + certificate + "\ntoken=" + token + "\n";
        try {
            Files.deleteIfExists(draft);
            if (FileSystems.getDefault().supportedFileAttributeViews().contains("posix")) {
                Files.createFile(
                        draft, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            }
            Files.writeString(draft, text);
            Files.move(draft, complete, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            removeDraft(draft, e);
            if (SystemFileStore.isFull(directory, e)) {
                throw new StorageFullException(
                        "write the file by which commands find this node", complete.toString(), e);
            }
            throw new UncheckedIOException(
                    "can't write " + complete + ", by which commands find this node; see who may write in that folder",
                    e);
        }
    }

    private static void removeDraft(Path draft, IOException failure) {
        try {
            Files.deleteIfExists(draft);
        } catch (IOException e) {
            failure.addSuppressed(e);
        }
    }

    /** Removes it from a directory, where it is still this one and not that of another node. */
    void remove(Path directory) {
        try {
            if (read(directory).filter(there -> there.token.equals(token)).isPresent()) {
                Files.delete(directory.resolve(NAME));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("can't remove " + directory.resolve(NAME), e);
        }
    }
}
