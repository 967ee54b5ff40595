package io.reprise.command;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The JVM's ahead-of-time cache of this installation: the classes that a node loads at its start and in a recovery, read and linked once,
 * which takes half the time and half the work out of every later start. It is written by a JVM that has rehearsed both ({@link
 * Rehearsal}), in about twenty seconds.
 *
 * <pre>
 *  start.aot        what the launch scripts give the JVM, if it is there
 *  start.aot.of     of which JVM and jars it is, or was tried in vain; not written by an attempt that was killed
 *  start.aot.new    one that is being written; the JVM has a .config beside it meanwhile
 *  start.aot.data   the rehearsal's data, removed by it or, if it was killed, by the next
 *  start.aot.lock   held while it is
 * </pre>
 *
 * <p>The JVM checks that a cache is of its version, its jars and its flags, and starts without one that isn't. This
 * class only decides whether to make another, so it can't keep a node from starting. The launch scripts say
 * where the cache is, by the system property {@value #PROPERTY}; without that there is none.
 */
final class StartCache {
    static final String PROPERTY = "reprise.start.cache";
    private static final Path NICE = Path.of("/usr/bin/nice");

    /** There is no hurry: on a machine that does much else a rehearsal at the lowest priority takes minutes. */
    private static final long MOST_SECONDS = 900;

    /** SIGHUP, SIGINT, SIGTERM: as when the node that had it made was stopped soon, and took its processes along. */
    private static final Set<Integer> ENDED_BY_SOMEBODY = Set.of(129, 130, 143);

    private final Path file;
    private final String classPath;

    StartCache(Path file, String classPath) {
        this.file = file.toAbsolutePath();
        this.classPath = classPath;
    }

    /** The cache of this process; empty if the process was started without one. */
    static Optional<StartCache> ofThisProcess() {
        return Optional.ofNullable(System.getProperty(PROPERTY))
                .map(at -> new StartCache(Path.of(at), System.getProperty("java.class.path")));
    }

    Path file() {
        return file;
    }

    /** Whether there should be another one, and this process may make it. */
    boolean isWanted() {
        try {
            return Files.isWritable(file.getParent())
                    && !(Files.exists(of()) && Files.readString(of()).equals(identity()));
        } catch (IOException unreadable) {
            return false;
        }
    }

    /** Has a process of its own make it, which is no hurry and outlives this one if it must. */
    void makeAside() throws IOException {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(NICE)) {
            command.addAll(List.of(NICE.toString(), "-n", "19"));
        }
        command.addAll(program(List.of("-D" + PROPERTY + "=" + file)));
        command.addAll(List.of(RepriseCommand.class.getName(), "prepare"));
        new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    /** Makes it, and waits until it is there. Throws {@link IllegalStateException} if that can't be done. */
    void make() throws IOException, InterruptedException {
        try (FileChannel channel =
                        FileChannel.open(beside(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
                FileLock lock = lockOrNull(channel)) {
            if (lock == null) {
                throw new IllegalStateException("another process is making " + file + "; wait for that");
            }
            Path folder = beside(".data");
            remove(folder);
            Files.createDirectory(folder);
            try {
                rehearse(folder);
            } finally {
                // Under the lock: without it the draft is another process's.
                Files.deleteIfExists(beside(".new"));
                Files.deleteIfExists(beside(".new.config"));
                remove(folder);
            }
        }
    }

    private static FileLock lockOrNull(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException heldByThisProcess) {
            return null;
        }
    }

    private void rehearse(Path folder) throws IOException, InterruptedException {
        Path draft = beside(".new");
        Path said = folder.resolve("said");
        Files.deleteIfExists(draft);
        List<String> command = program(List.of(
                "-XX:AOTCacheOutput=" + draft,
                "-Xlog:aot=off",
                "-Xlog:cds=off",
                // With profiles a node would compile more, and worse (docs/adr/0024-cache-classes-for-starts.md).
                "-XX:+IgnoreUnrecognizedVMOptions",
                "-XX:+UnlockDiagnosticVMOptions",
                "-XX:-AOTRecordTraining"));
        command.addAll(List.of(Rehearsal.class.getName(), folder.toString()));
        Process process = new ProcessBuilder(command)
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            if (!process.waitFor(MOST_SECONDS, TimeUnit.SECONDS)) {
                Files.writeString(of(), identity());
                throw new IllegalStateException("a rehearsed start took more than " + MOST_SECONDS
                        + " s; nothing was written, and nodes start as before, without " + file);
            }
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        if (ENDED_BY_SOMEBODY.contains(process.exitValue())) {
            throw new IllegalStateException("a rehearsed start was ended by a signal, code " + process.exitValue()
                    + "; nothing was written, and the next start tries again");
        }
        if (process.exitValue() != 0 || !Files.exists(draft)) {
            Files.writeString(of(), identity());
            throw new IllegalStateException("a rehearsed start failed with code " + process.exitValue()
                    + "; nodes start as before, without " + file + ". It said:\n" + Files.readString(said));
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        Files.writeString(of(), identity());
    }

    /** The JVM of this process with its flags and class path, up to the main class. */
    private List<String> program(List<String> more) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(StartCache::isForCache)
                .forEach(command::add);
        command.addAll(more);
        command.addAll(List.of("-cp", classPath));
        return command;
    }

    /** Without flags that name a cache, write somewhere, or listen at a port which is taken already. */
    private static boolean isForCache(String flag) {
        return !isOfOneProcess(flag)
                && Stream.of("-XX:AOT", "-Xlog", "-Xshare").noneMatch(flag::startsWith)
                && !flag.startsWith("-D" + PROPERTY);
    }

    /** Whether a second process with this flag would want the port or the file of the first. */
    static boolean isOfOneProcess(String flag) {
        return Stream.of("-agent", "-javaagent", "-XX:StartFlightRecording", "-Dcom.sun.")
                .anyMatch(flag::startsWith);
    }

    /** The inputs of the cache: the JVM, and the jars as the JVM compares them. */
    private String identity() throws IOException {
        StringBuilder identity = new StringBuilder();
        identity.append(System.getProperty("java.home")).append('\n');
        identity.append(System.getProperty("java.vm.version")).append('\n');
        for (String name : classPath.split(File.pathSeparator, -1)) {
            Path jar = Path.of(name);
            identity.append(jar).append(' ');
            identity.append(Files.size(jar)).append(' ');
            identity.append(Files.getLastModifiedTime(jar)).append('\n');
        }
        return identity.toString();
    }

    private Path of() {
        return beside(".of");
    }

    private Path beside(String ending) {
        return file.resolveSibling(file.getFileName() + ending);
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(path);
            }
        }
    }
}
