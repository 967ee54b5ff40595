package io.reprise.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import io.reprise.catalog.Catalog;
import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.FileFailure;
import io.reprise.execution.work.WorkFactory;
import io.reprise.node.process.NodeProcess;
import io.reprise.node.process.NodeProgram;
import io.reprise.node.process.RunFile;
import io.reprise.runtime.file.StorageException;
import io.reprise.sql.parse.CatalogScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Starts a node in this process and stays until it is stopped. */
@Command(
        name = "start",
        mixinStandardHelpOptions = true,
        description = {
            "Starts a node and stays until it is stopped, by Ctrl-C, SIGTERM or \"reprise stop\": then calls under way are"
                    + " finished, a snapshot is made, and the process ends. kill -9 loses nothing that was answered.",
            "Without a configuration every setting has its default; cluster-config/samples/node.yaml shows them all."
        },
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {
            "0:with --detach, it is ready",
            "3:it could not be started, has ended by itself, or did not stop in order; the message says why",
            "5:with --detach, it is at work, but can't write its log, as on a full disk",
            "143:it was told to stop, and has stopped in order (130 after Ctrl-C)"
        },
        footer = {
            "",
            "Examples:",
            "  reprise start",
            "  reprise start /var/lib/reprise",
            "  reprise start --detach",
            "  reprise start --config node.yaml",
            "  reprise start --config node.yaml --http-port 0 --port 0"
        })
final class StartCommand implements Callable<Integer>, NodeProgram {
    static final int FAILED = 3;
    private static final long LOOK_MS = 500;

    @Mixin
    private NodeChoice choice;

    @Option(
            names = "--http-port",
            paramLabel = "PORT",
            description = "Instead of the configuration's http.port; 0: any that is free.")
    private Integer httpPort;

    @Option(
            names = "--port",
            paramLabel = "PORT",
            description = "Instead of the configuration's clients.port; 0: any that is free.")
    private Integer clientPort;

    @Option(
            names = "--detach",
            description =
                    "Starts the node as a process of its own, waits until it is ready, and says where it is. A start"
                            + " that fails shows why.")
    private boolean detach;

    @Option(
            names = "--log-file",
            paramLabel = "FILE",
            description = "With --detach: what the node says is added to this file. Without it: node.log in the data"
                    + " directory.")
    private Path logFile;

    @Spec
    private CommandSpec spec;

    /**
     * The first statement that is planned and compiled makes the JVM load a thousand classes, which takes longer than all
     * else at the start of an empty node. Done beside it, the first caller does not wait for that. Not before the log has its
     * form, because the planner logs.
     */
    private static void warmUp() {
        Thread.ofPlatform().daemon().name("reprise-warm-up").start(() -> {
            Catalog catalog = CatalogScript.load(
                    "CREATE TABLE t (k BIGINT NOT NULL PRIMARY KEY, v BIGINT); PARTITION TABLE t ON COLUMN k");
            WorkFactory.adHoc(catalog, "INSERT INTO t VALUES (?, 1)");
            WorkFactory.adHoc(catalog, "SELECT v + 1 FROM t WHERE k = ?");
        });
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        NodeConfiguration configuration = configuration();
        if (!detach && logFile != null) {
            throw new ParameterException(
                    spec.commandLine(), "--log-file is for --detach; without it redirect standard output");
        }
        checkFolder(configuration.data().directory());
        refuseSecond(configuration.data().directory());
        if (detach) {
            return detached(configuration);
        }
        return serve(configuration);
    }

    /** The configuration, with the ports of the command line. */
    private NodeConfiguration configuration() {
        NodeConfiguration configuration = choice.configuration();
        if (httpPort != null) {
            configuration = configuration.onHttpPort(port("--http-port", httpPort));
        }
        if (clientPort != null) {
            configuration = configuration.onClientPort(port("--port", clientPort));
        }
        return configuration;
    }

    @Override
    public Optional<NodeConfiguration> read() {
        return choice.hasFile() ? Optional.of(configuration()) : Optional.empty();
    }

    @Override
    public void level(NodeConfiguration.Level level) {
        if (LoggerFactory.getILoggerFactory() instanceof LoggerContext context) {
            context.getLogger(Logger.ROOT_LOGGER_NAME).setLevel(Level.toLevel(level.name()));
        }
    }

    /** Makes the data directory, so that a start with a wrong one fails before anything else. */
    private static void checkFolder(Path directory) {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IllegalArgumentException(directory + " is a file; a node's data need a folder");
        }
        try {
            Files.createDirectories(directory);
        } catch (IOException e) {
            throw new IllegalArgumentException(
                    "the data directory can't be made: " + FileFailure.text(e) + "; name another one by --data", e);
        }
    }

    private int serve(NodeConfiguration configuration) throws InterruptedException {
        Runnable lastWords = RepriseCommand.isProgram() ? NodeStreams.instead()::awaitWritten : () -> {};
        logAs(configuration.logging());
        NodeProcess node = NodeProcess.of(configuration, this);
        CountDownLatch stopped = new CountDownLatch(1);
        // Before it opens: a recovery may take long, and is ended in order too.
        Runtime.getRuntime()
                .addShutdownHook(Thread.ofPlatform().name("reprise-stop").unstarted(() -> {
                    stop(node::close, lastWords);
                    stopped.countDown();
                }));
        warmUp();
        open(node, configuration);
        prepareNextStarts();
        while (!stopped.await(LOOK_MS, TimeUnit.MILLISECONDS)) {
            Optional<String> failure = node.failure();
            if (failure.isPresent()) {
                System.err.println("reprise: the engine has ended: " + failure.get());
                return FAILED;
            }
        }
        return 0;
    }

    /**
     * At the end of the process.
     *
     * @param lastWords waits until what was said is written
     */
    static void stop(Runnable close, Runnable lastWords) {
        boolean inOrder = true;
        try {
            close.run();
        } catch (RuntimeException | Error e) {
            System.err.println("reprise: the node did not stop in order: " + e.getMessage());
            inOrder = false;
        }
        lastWords.run();
        if (!inOrder) {
            // After a signal the process would end with that one's code, as if all were well.
            Runtime.getRuntime().halt(FAILED);
        }
    }

    /** Files are named within the data directory; a person has to know which that is. */
    private static void open(NodeProcess node, NodeConfiguration configuration) {
        try {
            node.open();
        } catch (StorageException e) {
            throw new IllegalStateException(
                    "the node could not start in " + configuration.data().directory() + ": " + e.getMessage(), e);
        }
    }

    /** The first start of an installation sees to it that the next ones are faster. */
    private static void prepareNextStarts() {
        Optional<StartCache> cache = StartCache.ofThisProcess().filter(StartCache::isWanted);
        if (cache.isEmpty()) {
            return;
        }
        // Not a constant of the class: the log's form is known only when the configuration has been read.
        Logger log = LoggerFactory.getLogger("io.reprise.node");
        try {
            cache.get().makeAside();
            log.info(
                    "Preparing faster starts in the background: {}, see \"reprise prepare --help\".",
                    cache.get().file());
        } catch (IOException e) {
            log.warn("Faster starts can't be prepared: {}", e.getMessage());
        }
    }

    /** The second would find its ports taken, and say no more than that. */
    private void refuseSecond(Path directory) throws InterruptedException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        Optional<RunFile> running = choice.running();
        if (running.isPresent() && DetachedStart.staysAtWork(running.get())) {
            throw new IllegalStateException("a node is at work in " + directory + " already, process "
                    + running.get().pid() + "; \"reprise stop\" stops it");
        }
    }

    private int detached(NodeConfiguration configuration) throws IOException, InterruptedException {
        Path directory = configuration.data().directory();
        Path file = logFile == null ? directory.resolve("node.log") : logFile;
        return new DetachedStart(
                        directory,
                        file,
                        spec.commandLine().getOut(),
                        spec.commandLine().getErr())
                .run(argumentsOfNode());
    }

    /**
     * The arguments of a node's process: the same without those about being detached, in each form of them, as by
     * {@code --detach=true}. Otherwise that process would start another one, and so on.
     */
    List<String> argumentsOfNode() {
        List<String> arguments = new ArrayList<>(choice.arguments());
        if (httpPort != null) {
            arguments.add("--http-port=" + httpPort);
        }
        if (clientPort != null) {
            arguments.add("--port=" + clientPort);
        }
        return arguments;
    }

    private int port(String option, int given) {
        if (given < 0 || given > 0xFFFF) {
            throw new ParameterException(spec.commandLine(), option + " takes a number from 0 to 65535, not " + given);
        }
        return given;
    }

    static void logAs(NodeConfiguration.Logging logging) {
        System.setProperty("reprise.log.level", logging.level().name());
        RepriseCommand.logInsteadBy(
                "io/reprise/logging/node-" + logging.format().name().toLowerCase(Locale.ROOT) + ".xml");
        // Before there is a second thread: its lines while this one sets up logging would be told of on standard
        // error.
        LoggerFactory.getILoggerFactory();
    }
}
