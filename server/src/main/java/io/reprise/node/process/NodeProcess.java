package io.reprise.node.process;

import io.reprise.configuration.NodeConfiguration;
import io.reprise.node.DurabilityStats;
import io.reprise.node.Options;
import io.reprise.node.Reprise;
import io.reprise.node.Server;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.http.NodeState;
import io.reprise.node.security.NodeSecurity;
import io.reprise.runtime.Secrets;
import io.reprise.runtime.time.SystemClock;
import io.reprise.snapshot.SnapshotReport;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of a configuration: the engine, and what is around it.
 *
 * <pre>
 *  start: certificate, users -> HTTP server -> lock, run file, recovery, engine -> clients -> ready
 *  stop:  not ready -> snapshot -> clients, engine -> run file -> HTTP server
 * </pre>
 *
 * <p>The HTTP server is first and last, so that whoever watches sees a recovery and an orderly end. Whatever ends the
 * process otherwise harms nothing: what was answered is in the log.
 */
public final class NodeProcess implements AutoCloseable {
    /** The version of the program. */
    public static final String VERSION = "0.1.0-SNAPSHOT";

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.node");
    private static final long LOOK_MS = 200;
    private static final int TOKEN_BYTES = 24;
    private static final long MS_NS = 1_000_000;

    private final NodeConfiguration configuration;
    private final Path directory;
    private final NodeState state;
    private final String token;
    private final RunFileAgent runFile;
    private final long beganNs = SystemClock.INSTANCE.nanoTime();
    private Optional<NodeSecurity> security = Optional.empty();
    private Optional<HttpEndpoint> http = Optional.empty();
    private Optional<Server> server = Optional.empty();
    private Reprise engine;
    private boolean runFileAsked;
    private boolean closed;

    private NodeProcess(NodeConfiguration configuration) {
        this.configuration = configuration;
        directory = configuration.data().directory();
        state = new NodeState(configuration.node().name(), VERSION);
        token = HexFormat.of().formatHex(Secrets.bytes(TOKEN_BYTES));
        runFile = RunFileAgent.in(directory, configuration.node().name());
    }

    /** Starts a node; returns when it takes calls, or throws what is in the way. */
    public static NodeProcess start(NodeConfiguration configuration) {
        NodeProcess node = new NodeProcess(configuration);
        try {
            node.open();
            return node;
        } catch (RuntimeException | Error failure) {
            node.state.failed(String.valueOf(failure.getMessage()));
            node.removeRunFile();
            node.http.ifPresent(HttpEndpoint::close);
            node.security.ifPresent(NodeSecurity::close);
            throw failure;
        }
    }

    private void open() {
        NodeSecurity asked =
                NodeSecurity.open(configuration.security(), configuration.node().name(), token, state.access());
        security = Optional.of(asked);
        NodeConfiguration.Http settings = configuration.http();
        if (settings.enabled()) {
            HttpEndpoint endpoint = HttpEndpoint.open(
                    new HttpEndpoint.Settings(
                            settings.address(),
                            settings.port(),
                            asked.protection(settings.allowRemote()),
                            configuration.clients().largestResult()),
                    state,
                    this::snapshot,
                    token);
            http = Optional.of(endpoint);
            LOG.info("HTTP on {}: /metrics, /health, /ready, /status.", endpoint.url());
        }
        Options options = EngineOptions.of(configuration)
                .recoveryListener(progress -> {
                    // It is told of only after the directory has been locked: until then the file is another's.
                    writeRunFile();
                    state.recovering(progress);
                })
                // And from then on again.
                .beforeUnlock(this::endRunFile);
        if (configuration.clients().enabled()) {
            NodeConfiguration.Clients clients = configuration.clients();
            Server opened = Server.open(options, ClientSide.settings(clients, asked.protection(clients.allowRemote())));
            server = Optional.of(opened);
            engine = opened.engine();
            writeRunFile(ClientSide.hostAndPort(opened.address()));
            LOG.info("Clients on {}.", ClientSide.hostAndPort(opened.address()));
        } else {
            engine = options.open();
        }
        state.serving(engine);
        LOG.info(
                "Node {} is ready: {} partitions, data in {}, {} ms after its start.",
                configuration.node().name(),
                configuration.engine().partitions(),
                directory,
                (SystemClock.INSTANCE.nanoTime() - beganNs) / MS_NS);
    }

    private void writeRunFile() {
        if (!runFileAsked) {
            runFileAsked = true;
            writeRunFile("");
        }
    }

    private void writeRunFile(String clients) {
        String certificate = security.flatMap(NodeSecurity::certificate)
                .map(path -> path.toAbsolutePath().toString())
                .orElse("");
        runFile.write(RunFile.ofThisProcess(http.map(HttpEndpoint::url).orElse(""), clients, certificate, token));
    }

    /** Its engine. */
    public Reprise engine() {
        return engine;
    }

    /** The address of its HTTP server; empty if it has none. */
    public Optional<String> url() {
        return http.map(HttpEndpoint::url);
    }

    /** Where clients connect; empty if they can't. */
    public Optional<InetSocketAddress> clients() {
        return server.map(Server::address);
    }

    /** Why the engine has ended by itself; empty while it has not. */
    public Optional<String> failure() {
        return engine.failure();
    }

    private String snapshot() {
        Optional<Reprise> serving = state.open();
        if (serving.isEmpty()) {
            throw new IllegalStateException(
                    "there can be no snapshot now: " + state.notReady().orElse(""));
        }
        SnapshotReport report = serving.get().snapshot();
        if (!report.succeeded()) {
            throw new IllegalStateException("the snapshot failed: " + report.problem());
        }
        return "Snapshot " + report.name() + ": " + report.rows() + " rows, " + report.fileBytes() + " bytes, in "
                + report.tookNs() / MS_NS + " ms.";
    }

    /** Stops in order: calls under way are finished, new ones refused; a snapshot is made if the configuration says so. */
    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        state.stopping();
        server.ifPresent(Server::stopAccepting);
        LOG.info("Node {} is stopping.", configuration.node().name());
        try {
            if (configuration.snapshot().onStop() && engine.failure().isEmpty()) {
                lastSnapshot();
            }
            server.ifPresentOrElse(Server::close, engine::close);
            LOG.info("Node {} has stopped.", configuration.node().name());
            endRunFile();
        } catch (RuntimeException | Error e) {
            LOG.error("Node {} did not stop in order: {}", configuration.node().name(), e.getMessage());
            runFile.leave();
            throw e;
        } finally {
            http.ifPresent(HttpEndpoint::close);
            security.ifPresent(NodeSecurity::close);
        }
    }

    /** Whoever has asked for the end is no parent that learns the exit code; a file that stays behind needs no room on a full disk. */
    private void endRunFile() {
        if (engine == null || endsInOrder()) {
            removeRunFile();
        } else {
            runFile.leave();
        }
    }

    private boolean endsInOrder() {
        return engine.failure().isEmpty() && engine.lost().isEmpty();
    }

    private void removeRunFile() {
        try {
            runFile.remove();
        } catch (UncheckedIOException e) {
            LOG.warn("{}", e.getMessage());
        }
    }

    /** A snapshot waits for the log; when that can't be written, stopping does not wait with it. */
    private void lastSnapshot() {
        FutureTask<String> task = new FutureTask<>(this::reportSnapshot);
        Thread.ofPlatform()
                .daemon()
                .name("reprise-" + configuration.node().name() + "-last-snapshot")
                .start(task);
        while (true) {
            try {
                LOG.info("{}", task.get(LOOK_MS, TimeUnit.MILLISECONDS));
                return;
            } catch (TimeoutException e) {
                Optional<String> blocked =
                        engine.durabilityStats().map(DurabilityStats::log).flatMap(l -> l.refusesBecause());
                if (blocked.isPresent()) {
                    LOG.warn("No snapshot at the end, because the log can't be written: {}", blocked.get());
                    return;
                }
            } catch (ExecutionException e) {
                LOG.warn("No snapshot at the end: {}", e.getCause().getMessage());
                return;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private String reportSnapshot() {
        SnapshotReport report = engine.snapshot();
        return report.succeeded()
                ? "A last snapshot: " + report.rows() + " rows in " + report.tookNs() / MS_NS + " ms."
                : "No snapshot at the end: " + report.problem();
    }
}
