package io.reprise.node.process;

import io.reprise.configuration.NodeConfiguration;
import io.reprise.engine.Options;
import io.reprise.engine.Reprise;
import io.reprise.net.reprise.PortSettings;
import io.reprise.net.session.RequestTracing;
import io.reprise.node.Server;
import io.reprise.node.http.ClusterView;
import io.reprise.node.http.HttpEndpoint;
import io.reprise.node.http.NodeState;
import io.reprise.node.security.NodeSecurity;
import io.reprise.node.trace.SpanExport;
import io.reprise.runtime.Secrets;
import io.reprise.runtime.time.SystemClock;
import io.reprise.snapshot.SnapshotReport;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A node of a configuration: the engine, and the services around it.
 *
 * <pre>
 *  start: certificate, users -> HTTP server -> cluster -> lock, run file, recovery, engine -> clients -> ready
 *  stop:  not ready -> leaderships to other nodes -> snapshot -> clients, engine -> cluster -> run file -> HTTP server
 * </pre>
 *
 * <p>It may be told to stop at any moment, by another thread than the one that opens it. Until clients are about to
 * be let in, that only takes the run file back, and the opening fails when it has come so far. Nothing was answered
 * until then, and the recovery has only changed memory; the process may end without waiting for it.
 *
 * <p>The HTTP server is first and last, so that a watcher sees a recovery and an orderly end. Any other end of the
 * process harms nothing: everything answered is in the log.
 */
public final class NodeProcess implements AutoCloseable {
    /** The version of the program. */
    public static final String VERSION = "0.1.0";

    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.node");
    private static final int TOKEN_BYTES = 24;
    private static final long MS_NS = 1_000_000;
    private static final long MAP_LOOK_NS = 10 * MS_NS;
    private static final long LEAVE_NS = 10_000 * MS_NS;

    private final NodeConfiguration configuration;
    private final RunningConfiguration running;
    private final Path directory;
    private final NodeState state;
    private final String token;
    private final RunFileAgent runFile;
    private final long beganNs = SystemClock.INSTANCE.nanoTime();
    private Optional<NodeSecurity> security = Optional.empty();
    private Optional<SpanExport> spans = Optional.empty();
    private Optional<HttpEndpoint> http = Optional.empty();
    private Optional<Server> server = Optional.empty();
    private Optional<ClusterSide> cluster = Optional.empty();
    private final AtomicReference<String> clusterFailure = new AtomicReference<>();
    private Reprise engine;

    /** The address for clients, once they can connect. */
    private String clients = "";

    private boolean runFileAsked;

    /** Guarded by this object, as is the next. */
    private Stage stage = Stage.OPENING;

    private boolean stopping;

    /** The progress of the start, for a stop. */
    private enum Stage {
        /** No client gets a reply. */
        OPENING,
        /** Clients are let in, which takes a moment. */
        ADMITTING,
        OPEN,
        /** It could not be opened, and nothing of it is left. */
        FAILED
    }

    private NodeProcess(NodeConfiguration configuration, NodeProgram program) {
        // A link that leads elsewhere later is not followed: the lock and the run file stay together.
        directory = resolved(configuration.data().directory());
        this.configuration = configuration.in(directory);
        running = new RunningConfiguration(configuration, program);
        state = new NodeState(configuration.node().name(), VERSION);
        token = HexFormat.of().formatHex(Secrets.bytes(TOKEN_BYTES));
        runFile = RunFileAgent.in(directory, configuration.node().name());
    }

    private static Path resolved(Path configured) {
        try {
            return configured.toRealPath();
        } catch (IOException e) {
            // There is none yet, or the opening of the engine reports the failure.
            return configured.toAbsolutePath();
        }
    }

    /** Starts a node; returns when it takes calls, or throws what is in the way. */
    public static NodeProcess start(NodeConfiguration configuration) {
        NodeProcess node = of(configuration);
        node.open();
        return node;
    }

    /** A node that is yet to be opened. */
    public static NodeProcess of(NodeConfiguration configuration) {
        return of(configuration, NodeProgram.NONE);
    }

    /** The same of a program that can read the configuration again. */
    public static NodeProcess of(NodeConfiguration configuration, NodeProgram program) {
        return new NodeProcess(configuration, program);
    }

    /** Opens it; returns when it takes calls, or throws what is in the way, which may be that it was told to stop. */
    public void open() {
        try {
            openAll();
            enter(Stage.OPEN);
        } catch (RuntimeException | Error failure) {
            state.failed(String.valueOf(failure.getMessage()));
            cluster.ifPresent(ClusterSide::close);
            removeRunFile();
            http.ifPresent(HttpEndpoint::close);
            security.ifPresent(NodeSecurity::close);
            spans.ifPresent(SpanExport::close);
            enter(Stage.FAILED);
            throw failure;
        }
    }

    private synchronized void enter(Stage next) {
        if (next == Stage.ADMITTING && stopping) {
            throw new IllegalStateException("the node was told to stop before it was ready");
        }
        stage = next;
        notifyAll();
    }

    private void openAll() {
        NodeSecurity asked =
                NodeSecurity.open(configuration.security(), configuration.node().name(), token, state.access());
        security = Optional.of(asked);
        asked.whenRenewed(this::certificateRenewed);
        NodeConfiguration.Http settings = configuration.http();
        if (settings.enabled()) {
            HttpEndpoint endpoint = HttpEndpoint.open(
                    new HttpEndpoint.Settings(
                            settings.address(),
                            settings.port(),
                            asked.protection(settings.allowRemote()),
                            configuration.clients().largestResult()),
                    state,
                    new HttpEndpoint.Actions() {
                        @Override
                        public String snapshot() {
                            return NodeProcess.this.snapshot();
                        }

                        @Override
                        public String reload() {
                            return NodeProcess.this.reload();
                        }
                    },
                    token);
            http = Optional.of(endpoint);
            LOG.info("HTTP on {}: /metrics, /health, /ready, /status.", endpoint.url());
        }
        Options options = EngineOptions.of(configuration)
                .recoveryListener(progress -> {
                    // It is told of only after the directory has been locked: until then the file is another's.
                    firstRunFile();
                    state.recovering(progress);
                })
                // And from then on again.
                .beforeUnlock(this::endRunFile);
        spans = configuration
                .tracing()
                .endpoint()
                .map(to -> SpanExport.to(to, configuration.node().name(), VERSION));
        spans.ifPresent(export -> options.slowListener(export::slow));
        if (configuration.cluster().isPresent()) {
            joinCluster(options);
        } else {
            ClusterIdentity.requireNone(directory);
        }
        if (configuration.clients().enabled()) {
            NodeConfiguration.Clients asks = configuration.clients();
            PortSettings port = ClientSide.settings(asks, asked.protection(asks.allowRemote()));
            NodeConfiguration.Postgres postgres = configuration.postgres();
            Server opened = Server.open(
                    options,
                    port,
                    ClientSide.postgres(postgres, port, asked.protection(postgres.allowRemote()), tracing()),
                    cluster.map(ClusterSide::server),
                    () -> enter(Stage.ADMITTING));
            server = Optional.of(opened);
            engine = opened.engine();
            state.sessions(opened);
            state.planBy(opened.planning());
            listening(ClientSide.hostAndPort(opened.address()));
            LOG.info("Clients on {}.", clients);
            opened.postgresAddress()
                    .ifPresent(at -> LOG.info("PostgreSQL's clients on {}.", ClientSide.hostAndPort(at)));
        } else {
            Reprise opened = options.open();
            admitOrClose(opened);
            engine = opened;
        }
        cluster.ifPresent(this::awaitMap);
        state.serving(engine);
        LOG.info(
                "Node {} is ready: {} partitions, data in {}, {} ms after its start.",
                configuration.node().name(),
                configuration.engine().partitions(),
                directory,
                (SystemClock.INSTANCE.nanoTime() - beganNs) / MS_NS);
    }

    private RequestTracing tracing() {
        return spans.map(RequestTracing.class::cast).orElse(RequestTracing.NONE);
    }

    private void joinCluster(Options options) {
        state.waiting("it waits for ZooKeeper at "
                + String.join(
                        ",", configuration.cluster().orElseThrow().zooKeeper().servers()));
        ClusterSide side = ClusterSide.open(
                configuration,
                http.map(HttpEndpoint::url).orElse(""),
                this::clusterWaits,
                this::isStopping,
                this::clusterFailed);
        cluster = Optional.of(side);
        state.cluster(side::view);
        state.waiting("");
        options.cluster(side.options());
    }

    /** A cluster's first map is made when all of its nodes are running; a node that is added later gets its schema by a replica. */
    private void awaitMap(ClusterSide side) {
        ClusterView view = side.view();
        for (Optional<String> why = notServing(view);
                why.isPresent()
                        && !isStopping()
                        && clusterFailure.get() == null
                        && engine.failure().isEmpty();
                why = notServing(view)) {
            state.waiting(why.get(), engine);
            LockSupport.parkNanos(MAP_LOOK_NS);
            view = side.view();
        }
    }

    private static Optional<String> notServing(ClusterView view) {
        if (view.isMapLost()) {
            return Optional.of("it waits: the map of the cluster is lost; \"reprise cluster recover\" makes it anew");
        }
        if (view.partitions().isEmpty() && view.isMember()) {
            return Optional.of("it waits for the other nodes of the cluster: " + view.running() + " of "
                    + view.nodeCount() + " are running");
        }
        if (!view.isMember()) {
            return Optional.of("it runs, and does not belong to the cluster; \"reprise cluster add\" adds it");
        }
        return view.hasItsShare() ? Optional.empty() : Optional.of("it waits for its first replica");
    }

    private synchronized boolean isStopping() {
        return stopping;
    }

    private void clusterWaits(String why) {
        LOG.warn("Node {} waits: {}", configuration.node().name(), why);
        state.waiting("it waits: " + why);
    }

    private void clusterFailed(String problem) {
        LOG.error("Node {} can't go on: {}", configuration.node().name(), problem);
        clusterFailure.compareAndSet(null, problem);
        state.failed(problem);
    }

    private void admitOrClose(Reprise opened) {
        try {
            enter(Stage.ADMITTING);
        } catch (IllegalStateException told) {
            opened.close();
            throw told;
        }
    }

    private synchronized void firstRunFile() {
        if (!runFileAsked) {
            runFileAsked = true;
            writeRunFile();
        }
    }

    private synchronized void listening(String at) {
        clients = at;
        writeRunFile();
    }

    /** Called by the thread that looks at the certificate. */
    private synchronized void certificateRenewed() {
        if (runFileAsked) {
            writeRunFile();
        }
    }

    private void writeRunFile() {
        String certificate =
                security.flatMap(NodeSecurity::certificateFingerprint).orElse("");
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

    /** The address for clients; empty if they can't connect. */
    public Optional<InetSocketAddress> clients() {
        return server.map(Server::address);
    }

    /** The address for PostgreSQL's clients; empty if they can't connect. */
    public Optional<InetSocketAddress> postgres() {
        return server.flatMap(Server::postgresAddress);
    }

    /** Why the engine has ended by itself; empty while it has not. */
    public Optional<String> failure() {
        return Optional.ofNullable(clusterFailure.get()).or(engine::failure);
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

    /** Reads the configuration again, and takes over what can change while the node runs. Returns a line for each changed key. */
    public synchronized String reload() {
        Reprise serving = state.open()
                .orElseThrow(() -> new IllegalStateException("the configuration can't change now: "
                        + state.notReady().orElse("")));
        return running.reload(serving, server);
    }

    /** Stops in order: calls under way are finished, new ones refused; a snapshot is made if the configuration says so. */
    @Override
    public void close() {
        Optional<Stage> found = beginStop();
        if (found.equals(Optional.of(Stage.OPEN))) {
            closeOpen();
        } else if (found.equals(Optional.of(Stage.OPENING))) {
            state.stopping();
            LOG.info(
                    "Node {} was told to stop before it was ready. Nothing is lost: the next start recovers what this one was"
                            + " to recover.",
                    configuration.node().name());
            removeRunFile();
        }
    }

    /** Returns how far it has come; nothing if it has been told before. */
    private synchronized Optional<Stage> beginStop() {
        if (stopping) {
            return Optional.empty();
        }
        stopping = true;
        boolean interrupted = false;
        while (stage == Stage.ADMITTING) {
            try {
                wait();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return Optional.of(stage);
    }

    private void closeOpen() {
        state.stopping();
        LOG.info("Node {} is stopping.", configuration.node().name());
        cluster.ifPresent(side -> leaveCluster());
        server.ifPresent(Server::stopAccepting);
        try {
            if (configuration.snapshot().onStop() && engine.failure().isEmpty()) {
                new LastSnapshot(configuration.node().name(), engine).make();
            }
            server.ifPresentOrElse(Server::close, engine::close);
            cluster.ifPresent(ClusterSide::close);
            // The engine may have failed meanwhile, after the thread that looks for failures had ended.
            engine.failure().ifPresent(why -> {
                throw new IllegalStateException("the engine has ended: " + why);
            });
            LOG.info("Node {} has stopped.", configuration.node().name());
            endRunFile();
        } catch (RuntimeException | Error e) {
            LOG.error("Node {} did not stop in order: {}", configuration.node().name(), e.getMessage());
            runFile.leave();
            throw e;
        } finally {
            http.ifPresent(HttpEndpoint::close);
            security.ifPresent(NodeSecurity::close);
            spans.ifPresent(SpanExport::close);
        }
    }

    /** Without contact with ZooKeeper, or with slow followers, the other nodes find out by themselves. */
    private void leaveCluster() {
        long beganNs = SystemClock.INSTANCE.nanoTime();
        engine.leaveCluster();
        while (!engine.hasLeftCluster()) {
            if (engine.failure().isPresent() || SystemClock.INSTANCE.nanoTime() - beganNs > LEAVE_NS) {
                LOG.warn(
                        "Node {} stops before it has handed over all its partitions. The other nodes take them over when they"
                                + " miss this node.",
                        configuration.node().name());
                return;
            }
            LockSupport.parkNanos(MAP_LOOK_NS);
        }
    }

    /**
     * {@code stop} is no parent that learns the exit code, so an unclean stop leaves the file; a file that stays
     * needs no room on a full disk.
     */
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
        } catch (UncheckedIOException | IllegalStateException e) {
            LOG.warn("{}", e.getMessage());
        }
    }
}
