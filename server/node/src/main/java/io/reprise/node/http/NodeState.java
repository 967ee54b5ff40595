package io.reprise.node.http;

import io.reprise.access.AccessMeter;
import io.reprise.archive.ArchiveStats;
import io.reprise.engine.DurabilityStats;
import io.reprise.engine.RecoveryProgress;
import io.reprise.engine.Reprise;
import io.reprise.net.listen.ClientSessions;
import io.reprise.net.session.PlanningQueues;
import io.reprise.recovery.demand.LoadStats;
import io.reprise.recovery.rebuild.RebuildStats;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * The phase of a node. The thread that starts and stops the node sets it, and any thread reads it.
 *
 * <pre>
 *  STARTING [-> RECOVERING -> STARTING] -> SERVING -> STOPPING
 *     |             |                         |
 *     +-----> FAILED <------------------------+
 * </pre>
 */
public final class NodeState {
    /** The phases of a node's life. */
    public enum Phase {
        /** Nothing is open yet; or the data are recovered, and calls are about to be taken. */
        STARTING,
        /** The data directory is recovered. */
        RECOVERING,
        /** Calls are taken. */
        SERVING,
        /** Calls are refused; those under way are finished. */
        STOPPING,
        /** It has ended by itself. */
        FAILED
    }

    /**
     * All of it, of one moment.
     *
     * @param phase its present phase
     * @param recovery while it is RECOVERING
     * @param engine while it is SERVING or STOPPING
     * @param problem why it FAILED, or what it waits for while it is STARTING; empty otherwise
     */
    public record Now(Phase phase, Optional<RecoveryProgress> recovery, Optional<Reprise> engine, String problem) {}

    private final String name;
    private final String version;
    private final AccessMeter access = new AccessMeter();
    private final AtomicReference<Supplier<ClusterView>> cluster = new AtomicReference<>();
    private final AtomicReference<ClientSessions> sessions = new AtomicReference<>(ClientSessions.NONE);

    /** Null until the HTTP server is open. */
    private final AtomicReference<PlanningQueues> planning = new AtomicReference<>();

    private final AtomicReference<Now> now =
            new AtomicReference<>(new Now(Phase.STARTING, Optional.empty(), Optional.empty(), ""));

    /** A node that is about to start. */
    public NodeState(String name, String version) {
        this.name = name;
        this.version = version;
    }

    /** The node's name. */
    public String name() {
        return name;
    }

    /** The version of the program. */
    public String version() {
        return version;
    }

    /** The meter of logins. */
    public AccessMeter access() {
        return access;
    }

    /** The present state. */
    public Now now() {
        Now last = now.get();
        Optional<String> failure = last.engine().flatMap(Reprise::failure);
        return failure.isPresent() ? new Now(Phase.FAILED, last.recovery(), last.engine(), failure.get()) : last;
    }

    /** The engine; empty until there is one, and when the node is about to end. */
    public Optional<Reprise> open() {
        Now at = now.get();
        return at.phase() == Phase.STOPPING ? Optional.empty() : at.engine();
    }

    /** A recovery goes on; or is over, or there was nothing to recover, and what is left to do of the start has no steps. */
    public void recovering(RecoveryProgress progress) {
        now.set(
                progress.phase() == RecoveryProgress.Phase.DONE
                        ? new Now(Phase.STARTING, Optional.empty(), Optional.empty(), "")
                        : new Now(Phase.RECOVERING, Optional.of(progress), Optional.empty(), ""));
    }

    /** The node waits for something before its engine can start. */
    public void waiting(String what) {
        now.set(new Now(Phase.STARTING, Optional.empty(), Optional.empty(), what));
    }

    /** The engine is open, and takes no calls yet. */
    public void waiting(String what, Reprise engine) {
        now.set(new Now(Phase.STARTING, Optional.empty(), Optional.of(engine), what));
    }

    /** The node is one of a cluster, of which the supplier has the present view. */
    public void cluster(Supplier<ClusterView> view) {
        cluster.set(view);
    }

    /** The present view of the cluster; empty if the node serves alone. */
    public Optional<ClusterView> cluster() {
        return Optional.ofNullable(cluster.get()).map(Supplier::get);
    }

    /** Clients can connect, and these are their sessions. */
    public void sessions(ClientSessions connected) {
        sessions.set(connected);
    }

    /** The sessions of connected clients. */
    public ClientSessions sessions() {
        return sessions.get();
    }

    /** Statements that come over HTTP are planned in these queues from now on. */
    public void planBy(PlanningQueues queues) {
        planning.set(queues);
    }

    /** The queues of statements to plan. */
    PlanningQueues planning() {
        return planning.get();
    }

    /** The engine is open. */
    public void serving(Reprise engine) {
        now.set(new Now(Phase.SERVING, Optional.empty(), Optional.of(engine), ""));
    }

    /** The engine is about to be closed: nothing is to be begun any more. */
    public void stopping() {
        now.updateAndGet(last -> new Now(Phase.STOPPING, Optional.empty(), last.engine(), ""));
    }

    /** It could not be started. */
    public void failed(String problem) {
        now.updateAndGet(last -> new Now(Phase.FAILED, last.recovery(), last.engine(), problem));
    }

    /** Why it takes no calls now, or can't answer them; empty if it serves. */
    public Optional<String> notReady() {
        Now at = now();
        return switch (at.phase()) {
            case STARTING -> Optional.of(at.problem().isEmpty() ? "it is starting" : at.problem());
            case RECOVERING ->
                Optional.of("it is recovering: "
                        + at.recovery().map(NodeState::describe).orElse("it has just begun"));
            case STOPPING -> Optional.of("it is stopping");
            case FAILED -> Optional.of("it has failed: " + at.problem());
            case SERVING ->
                at.engine()
                        .flatMap(Reprise::durabilityStats)
                        .flatMap(stats -> stats.log().refusesBecause())
                        .map(why -> "the log can't be written: " + why);
        };
    }

    /** Warnings for an operator although the node takes calls: partitions at their memory limit, and buckets that do not serve. */
    public List<String> warnings() {
        return now().engine().stream()
                .flatMap(engine -> Stream.of(
                        doubts(engine),
                        engine.metrics().memoryWarnings().stream(),
                        engine.load().filter(load -> load.failed() > 0).map(NodeState::describe).stream(),
                        engine.rebuildStats().flatMap(RebuildStats::present).map(NodeState::describe).stream(),
                        engine
                                .durabilityStats()
                                .flatMap(DurabilityStats::archive)
                                .flatMap(ArchiveStats::problem)
                                .map(why -> "the archive fails, and the log is kept for it: " + why)
                                .stream()))
                .flatMap(Function.identity())
                .toList();
    }

    private static Stream<String> doubts(Reprise engine) {
        return engine.automaticRebuilds().filter(of -> of.inDoubt() > 0).stream()
                .map(of -> of.inDoubt()
                        + " partitions are in doubt after a failure of the engine; their calls are refused until they are"
                        + " rebuilt"
                        + (of.givenUp() == 0 ? "" : ", and " + of.givenUp() + " had too many rebuilds within an hour"));
    }

    private static String describe(LoadStats load) {
        return load.failed() + " of " + load.buckets()
                + " buckets could not be loaded; their calls are refused. Stop the node and start it"
                + " with recovery.onDemand: false, which takes an older snapshot if need be";
    }

    private static String describe(RebuildStats.State rebuild) {
        return rebuild.failed() > 0
                ? "partition " + rebuild.partition() + " could not be rebuilt: calls of " + rebuild.failed()
                        + " buckets are refused; rebuild it again, or start the node again"
                : "partition " + rebuild.partition() + " is rebuilt: " + rebuild.open() + " of " + rebuild.buckets()
                        + " buckets serve, and calls of the others wait";
    }

    /** The partitions that are at their memory limit. */
    List<Integer> fullPartitions() {
        return now().engine().map(engine -> engine.metrics().fullPartitions()).orElse(List.of());
    }

    static String describe(RecoveryProgress progress) {
        Duration expected = progress.expected();
        return progress.phase().name().toLowerCase(java.util.Locale.ROOT) + ", "
                + Math.round(100 * progress.fraction()) + "%"
                + (expected.isZero() ? "" : ", about " + expected.toSeconds() + " s left");
    }
}
