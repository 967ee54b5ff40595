package io.reprise.command;

import io.reprise.engine.FileFailure;
import io.reprise.node.process.RunFile;
import io.reprise.runtime.time.SystemClock;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.lang.management.ManagementFactory;
import java.net.http.HttpResponse;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/**
 * Starts a node as a process of its own, which outlives the terminal, and waits until it is ready. The process is this
 * program again with the same arguments, in a session of its own where the system has setsid; its output goes to a file.
 */
final class DetachedStart {
    /**
     * JVM flags that the user has chosen for the node. The launch scripts keep them from the process that only starts it: it would listen at
     * their ports, and write their files.
     */
    static final String NODE_FLAGS = "reprise.node.flags";

    private static final String START = "start";
    private static final Path SETSID = Path.of("/usr/bin/setsid");
    private static final long LOOK_MS = 50;
    private static final long TELL_NS = 5_000_000_000L;

    /** A node that is at work has said so long before, unless its disk is full. */
    private static final long SILENT_NS = 20_000_000_000L;

    private static final int LAST_LINES = 20;
    private static final int LAST_BYTES = 64 << 10;
    private static final long LEAVE_SECONDS = 15;
    private static final int OK = 200;

    /** It has recovered, and answers what it can. */
    private static final String SERVING = "reprise_phase{phase=\"serving\"} 1";

    private final Path directory;
    private final Path log;
    private final long silentNs;
    private final PrintWriter out;
    private final PrintWriter err;

    /** Ctrl-C has ended the wait. */
    private volatile boolean left;

    /**
     * A start.
     *
     * @param directory the data directory
     * @param log the file to which the process's output is added
     */
    DetachedStart(Path directory, Path log, PrintWriter out, PrintWriter err) {
        this(directory, log, SILENT_NS, out, err);
    }

    DetachedStart(Path directory, Path log, long silentNs, PrintWriter out, PrintWriter err) {
        this.directory = directory;
        this.log = log;
        this.silentNs = silentNs;
        this.out = out;
        this.err = err;
    }

    /** Runs the program with these arguments; returns its exit code, when the node is ready or has ended. */
    int run(List<String> arguments) throws IOException, InterruptedException {
        long begin = openLog();
        AtomicReference<Process> started = new AtomicReference<>();
        try (EarlyEnd early = new EarlyEnd(() -> leave(started.get()))) {
            started.set(process(log, START, arguments));
            return await(started.get(), begin);
        }
    }

    /** Creates the file for the node's output, with its folder, and returns its length. */
    private long openLog() {
        Path folder = log.toAbsolutePath().getParent();
        if (folder != null && Files.exists(folder) && !Files.isDirectory(folder)) {
            throw new IllegalArgumentException(folder + " is a file; a node's data need a folder");
        }
        try {
            if (folder != null) {
                Files.createDirectories(folder);
            }
            try (FileChannel file = FileChannel.open(log, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
                return file.size();
            }
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the node's output can't be written to " + log + ": " + FileFailure.text(e)
                            + "; nothing was started. Name another file by --log-file, or another data directory by"
                            + " --data",
                    e);
        }
    }

    /** Begins a process of this program in a session of its own. */
    static Process process(Path log, String command, List<String> arguments) throws IOException {
        return new ProcessBuilder(command(
                        ManagementFactory.getRuntimeMXBean().getInputArguments(),
                        System.getProperty(NODE_FLAGS, ""),
                        command,
                        arguments))
                .redirectInput(new File("/dev/null"))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    /** The node is of a session of its own, and goes on. */
    private void leave(Process process) {
        left = true;
        if (process != null && process.isAlive()) {
            err.println("reprise: process " + process.pid()
                    + ", the node, goes on starting; \"reprise status\" tells how it stands, \"reprise stop\" stops it. Log: "
                    + log);
        }
    }

    /** The state of a node that was found. */
    private record Standing(String notYet, boolean serves) {
        static final Standing STARTING = new Standing("it is starting", false);
    }

    private int await(Process process, long begin) throws IOException, InterruptedException {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        long nextNs = beganNs + TELL_NS;
        boolean saidWhy = false;
        while (!process.waitFor(LOOK_MS, TimeUnit.MILLISECONDS)) {
            if (left) {
                return StartCommand.FAILED;
            }
            Optional<RunFile> node = Files.isDirectory(directory)
                    ? RunFile.read(directory).filter(file -> file.pid() == process.pid())
                    : Optional.empty();
            Standing standing = node.map(this::standing).orElse(Standing.STARTING);
            if (standing.serves()) {
                boolean ready = standing.notYet().isEmpty();
                // It may have been read before the node had said where clients connect.
                tell(RunFile.read(directory).orElse(node.get()), ready);
                if (!ready) {
                    // Reads are answered, and the end of the problem is not known.
                    err.println("reprise: the node is at work, but not ready: " + standing.notYet());
                }
                return ready ? 0 : RepriseCommand.NOT_READY;
            }
            long nowNs = SystemClock.INSTANCE.nanoTime();
            if (!saidWhy && node.isEmpty() && nowNs - beganNs - silentNs >= 0) {
                saidWhy = true;
                err.println("reprise: process " + process.pid() + " has not said yet how it is found, in "
                        + RunFile.path(directory) + ", and is waited for. Is the disk full? Log: " + log);
            }
            if (ProgressBar.atTerminal() && nowNs - nextNs >= 0) {
                nextNs += TELL_NS;
                err.println("process " + process.pid() + ": " + standing.notYet());
            }
        }
        err.println("reprise: the node has ended with code " + process.exitValue() + "; the end of " + log + ":");
        written(begin).forEach(line -> err.println("  " + line));
        return process.exitValue() == 0 ? StartCommand.FAILED : process.exitValue();
    }

    /**
     * Whether a node that was found is going to stay. A large process that has just been killed takes seconds to be gone; it
     * does not answer any more, and is waited for.
     */
    static boolean staysAtWork(RunFile node) throws InterruptedException {
        try (NodeClient client = new NodeClient(node)) {
            client.get("/health", "text/plain");
            return true;
        } catch (IOException | IllegalStateException e) {
            return !node.awaitEnd(LEAVE_SECONDS, TimeUnit.SECONDS);
        }
    }

    /**
     * The command that runs the node.
     *
     * @param own the flags of this JVM
     * @param ofNode flags that are the node's alone, with spaces between
     */
    static List<String> command(List<String> own, String ofNode, List<String> arguments) {
        return command(own, ofNode, START, arguments);
    }

    private static List<String> command(List<String> own, String ofNode, String name, List<String> arguments) {
        List<String> command = new ArrayList<>();
        if (Files.isExecutable(SETSID)) {
            command.add(SETSID.toString());
        }
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(own.stream()
                .filter(flag -> !StartCache.isOfOneProcess(flag) && !flag.startsWith("-D" + NODE_FLAGS))
                .toList());
        command.addAll(
                Stream.of(ofNode.split(" ")).filter(flag -> !flag.isEmpty()).toList());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), RepriseCommand.class.getName(), name));
        command.addAll(arguments);
        return command;
    }

    /** A node without an HTTP server is ready when it has said where clients connect. */
    private Standing standing(RunFile node) {
        if (node.http().isEmpty()) {
            return node.clients().isEmpty() ? Standing.STARTING : new Standing("", true);
        }
        try (NodeClient client = new NodeClient(node)) {
            // In this order: a node that is not ready after it has begun to serve is not just starting.
            boolean serves = client.get("/metrics", "text/plain").body().contains(SERVING);
            HttpResponse<String> ready = client.get("/ready", "text/plain");
            return new Standing(ready.statusCode() == OK ? "" : ready.body().strip(), serves);
        } catch (IOException | IllegalStateException e) {
            return Standing.STARTING;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Standing.STARTING;
        }
    }

    private void tell(RunFile node, boolean ready) {
        out.println("The node is " + (ready ? "ready" : "at work") + ", process " + node.pid() + ".");
        out.println("  page     " + (node.http().isEmpty() ? "none" : node.http()));
        // On a full disk the node may not have been able to say so yet.
        String none = ready ? "none" : "see the log";
        out.println("  clients  " + (node.clients().isEmpty() ? none : node.clients()));
        out.println("  data     " + directory);
        out.println("  log      " + log);
    }

    /** The last lines since the start. Earlier lines may be many, and a rotation may have cut them off meanwhile. */
    private List<String> written(long begin) throws IOException {
        try (FileChannel channel = FileChannel.open(log)) {
            long from = Math.max(channel.size() < begin ? 0 : begin, channel.size() - LAST_BYTES);
            channel.position(from);
            byte[] last = Channels.newInputStream(channel).readNBytes(LAST_BYTES);
            List<String> lines =
                    new String(last, StandardCharsets.UTF_8).lines().toList();
            return lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size());
        }
    }
}
