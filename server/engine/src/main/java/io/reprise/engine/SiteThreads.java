package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.execution.AllocationLimitAgent;
import io.reprise.execution.Partition;
import io.reprise.execution.SlowTransaction;
import io.reprise.execution.TimeLimitAgent;
import io.reprise.log.SegmentAhead;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.recovery.demand.BucketLoadAgent;
import io.reprise.recovery.rebuild.RebuildAgent;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentHangsException;
import io.reprise.runtime.agent.AgentInvoker;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.BackoffIdleStrategy;
import io.reprise.runtime.agent.Completion;
import io.reprise.runtime.agent.CompositeAgent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.agent.ThreadAllocations;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.memory.PageAhead;
import io.reprise.runtime.memory.PageSources;
import io.reprise.runtime.memory.ReservedPages;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Moves the sites: by a thread for each, or by the caller's. Knows whether they still move: an agent that fails ends
 * its site, and with it the engine, because the other partitions can't finish the transactions that they share with
 * it.
 */
final class SiteThreads {
    private static final long SLOW_PAUSE_NS = 100_000_000;
    private static final long ARCHIVE_PAUSE_NS = 20_000_000;
    private static final long OBJECTIVE_PAUSE_NS = 10_000_000;

    /** Footprints wait so long for their agent. */
    private static final long FOOTPRINT_PAUSE_NS = 5_000_000;

    private final EngineSettings settings;
    private final SlowTransactionLog slow;
    private final Supplier<Catalog> catalog;
    private final List<SiteMeterAgent> siteMeters = new ArrayList<>();
    private final Waker[] wakers;
    private PageSources pages = PageSources.NONE;
    private final List<AgentRunner> runners = new CopyOnWriteArrayList<>();

    /** Of the runners those of the log: they have to outlive all others, also when one of these fails. */
    private final Set<AgentRunner> ofLog = ConcurrentHashMap.newKeySet();

    private final List<AgentInvoker> invokers = new ArrayList<>();
    private final Set<FutureReply> expected = ConcurrentHashMap.newKeySet();
    private final Set<Thread> siteThreads = ConcurrentHashMap.newKeySet();
    private final AtomicBoolean alive = new AtomicBoolean();
    private final AtomicReference<Failure> failure = new AtomicReference<>();
    private final AtomicReference<TimeLimitAgent> timeLimit = new AtomicReference<>();

    /** Held while the threads are started, so that those are ended after one that fails meanwhile, and not before they begin. */
    private final Object starting = new Object();

    /** The failure that ended the sites. */
    private record Failure(String text, Throwable cause) {}

    SiteThreads(EngineSettings settings, EngineMeters meters, Supplier<Catalog> catalog) {
        this.settings = settings;
        this.catalog = catalog;
        slow = new SlowTransactionLog(meters.slow(), settings.limits().slowListener());
        wakers = new Waker[settings.layout().sites()];
        if (settings.hasThreads()) {
            for (int i = 0; i < wakers.length; i++) {
                wakers[i] = new Waker();
            }
        }
    }

    /** Starts the threads that make pages ahead. Recovery needs the most of them; without them everything is slower. */
    void startPages() {
        if (!settings.hasThreads()) {
            return;
        }
        ReservedPages reserved = null;
        if (settings.memory().reservedHugePages()) {
            Waker waker = new Waker();
            reserved = ReservedPages.ofSystem(waker);
            startFirst(reserved, waker);
        }
        Waker waker = new Waker();
        PageAhead ahead = new PageAhead(waker);
        startFirst(ahead, waker);
        pages = new PageSources(reserved, ahead);
    }

    private void startFirst(Agent agent, Waker waker) {
        AgentRunner runner = runner(agent, new ParkingIdleStrategy(waker));
        runners.add(runner);
        runner.start();
    }

    /** The sources of ready memory pages. */
    PageSources pages() {
        return pages;
    }

    /** The bytes of the partitions' memory in huge pages that the operator has had set aside. */
    long reservedHugePages() {
        return pages.reserved() == null ? 0 : pages.reserved().bytesInUse();
    }

    Waker[] wakers() {
        return wakers;
    }

    /** Starts the watcher of overdue transactions, and of what else runs the application's code. */
    void watch(List<Partition> partitions, RunMonitor deployment) {
        if (!settings.hasThreads()) {
            return;
        }
        List<RunMonitor> monitors = new ArrayList<>();
        partitions.forEach(partition -> monitors.add(partition.monitor()));
        watch(
                new AllocationLimitAgent(monitors, settings.memory().heapPerTransaction(), ThreadAllocations::of),
                AllocationLimitAgent.PAUSE_NS);
        long limitNs = settings.limits().time().toNanos();
        if (limitNs > 0) {
            monitors.add(deployment);
            TimeLimitAgent agent = new TimeLimitAgent(monitors, limitNs);
            timeLimit.set(agent);
            watch(agent, TimeLimitAgent.pauseNs(limitNs));
        }
    }

    /** Any thread: changes the time limit, unless there was none at the start. */
    void timeLimit(long limitNs) {
        TimeLimitAgent agent = timeLimit.get();
        if (agent != null && limitNs > 0) {
            agent.limit(limitNs);
        }
    }

    private void watch(Agent agent, long pauseNs) {
        AgentRunner watcher = runner(agent, new BackoffIdleStrategy(0, 0, pauseNs, pauseNs));
        runners.add(watcher);
        watcher.start();
    }

    /** Makes the sites move; throws what has ended them again, if that is known by then. */
    void start(
            Sites sites,
            Optional<Persistence> persistence,
            Optional<ClusterNode> cluster,
            Optional<BucketLoadAgent> load,
            Optional<KeptStatements> kept,
            Optional<RebuildAgent> rebuild,
            Optional<BucketRepair> repair) {
        List<AgentRunner> started = new ArrayList<>();
        // The log's writer first, because the last to start is the first to end: it still writes the sites' last
        // records.
        persistence.ifPresent(p -> {
            addAgent(p.writer(), p::writerIdle, started);
            SegmentAhead segments = p.segmentsAhead();
            addAgent(segments, () -> new ParkingIdleStrategy(segments.waker(), 0, 0, 1_000_000, 100_000_000), started);
        });
        ofLog.addAll(started);
        persistence.ifPresent(p -> addAgent(
                p.durablePosition(), () -> new BackoffIdleStrategy(0, 0, SLOW_PAUSE_NS, SLOW_PAUSE_NS), started));
        persistence
                .flatMap(Persistence::footprints)
                .ifPresent(agent -> addAgent(
                        agent, () -> new BackoffIdleStrategy(0, 0, FOOTPRINT_PAUSE_NS, FOOTPRINT_PAUSE_NS), started));
        for (int i = 0; i < sites.count(); i++) {
            Agent site = site(sites, i, persistence, cluster, repair);
            if (settings.hasThreads()) {
                started.add(runner(
                        site, sites.meter(i).watch(settings.threads().idle().apply(wakers[i]))));
            } else {
                invokers.add(new AgentInvoker(site, settings.clock(), this::onFatal));
            }
        }
        cluster.ifPresent(c -> {
            addAgent(c.agent(), c::idle, started);
            addAgent(c.schema(), c.schema()::idle, started);
            addAgent(c.feeds(), c.feeds()::idle, started);
            addAgent(c.passing(), c.passing()::idle, started);
        });
        persistence
                .flatMap(Persistence::archive)
                .ifPresent(agent -> addAgent(
                        agent, () -> new BackoffIdleStrategy(0, 0, ARCHIVE_PAUSE_NS, ARCHIVE_PAUSE_NS), started));
        persistence.map(Persistence::snapshots).ifPresent(s -> addAgent(s.agent(), s::idle, started));
        persistence
                .flatMap(Persistence::runs)
                .ifPresent(agent -> addAgent(
                        agent, () -> new BackoffIdleStrategy(0, 0, ARCHIVE_PAUSE_NS, ARCHIVE_PAUSE_NS), started));
        persistence
                .flatMap(Persistence::objective)
                .ifPresent(agent -> addAgent(
                        agent, () -> new BackoffIdleStrategy(0, 0, OBJECTIVE_PAUSE_NS, OBJECTIVE_PAUSE_NS), started));
        load.ifPresent(agent -> addAgent(agent, agent::idle, started));
        repair.ifPresent(agent -> addAgent(agent, agent::idle, started));
        kept.ifPresent(agent ->
                addAgent(agent, () -> new BackoffIdleStrategy(0, 0, SLOW_PAUSE_NS, 2 * SLOW_PAUSE_NS), started));
        rebuild.ifPresent(agent -> addAgent(agent, agent::idle, started));
        if (!settings.limits().slowAfter().isZero()) {
            addAgent(slow, () -> new BackoffIdleStrategy(0, 0, SLOW_PAUSE_NS, SLOW_PAUSE_NS), started);
        }
        synchronized (starting) {
            runners.addAll(started);
            alive.set(true);
            started.forEach(AgentRunner::start);
        }
        invokers.forEach(AgentInvoker::start);
        if (pages.ahead() != null) {
            pages.ahead().giveWay();
        }
        if (failure.get() != null) {
            throw new IllegalStateException(
                    "the engine ended while it was started" + whyEnded(),
                    failure.get().cause());
        }
    }

    private void addAgent(Agent agent, Supplier<IdleStrategy> idle, List<AgentRunner> started) {
        if (settings.hasThreads()) {
            started.add(runner(agent, idle.get()));
        } else {
            invokers.add(new AgentInvoker(agent, settings.clock(), this::onFatal));
        }
    }

    private AgentRunner runner(Agent agent, IdleStrategy idle) {
        return new AgentRunner(settings.name(), agent, idle, settings.clock(), this::onFatal);
    }

    private Agent site(
            Sites sites,
            int site,
            Optional<Persistence> persistence,
            Optional<ClusterNode> cluster,
            Optional<BucketRepair> repair) {
        List<Agent> agents = new ArrayList<>();
        SiteMeterAgent meter = new SiteMeterAgent(sites, site, catalog);
        siteMeters.add(meter);
        agents.add(meter);
        if (settings.hasThreads()) {
            agents.add(new Registration(siteThreads));
        }
        for (SiteAgent factory : settings.threads().siteAgents()) {
            agents.add(factory.create(site, capacity -> sites.port(site, capacity)));
        }
        repair.ifPresent(of -> agents.add(of.parking(site)));
        agents.add(sites.initiator(site));
        List<Partition> own = sites.partitions(site);
        own.forEach(partition -> agents.add(sites.executor(partition)));
        cluster.ifPresent(c -> agents.add(c.siteAgent(site)));
        if (sites.gate(site) instanceof Agent gate) {
            agents.add(gate);
        }
        persistence.ifPresent(p ->
                own.forEach(partition -> agents.add(p.snapshots().sweep(partition, sites.executor(partition)))));
        return new CompositeAgent("site-" + site, agents);
    }

    /** The figures of partitions, as their sites have published them. */
    List<EngineMetrics.PartitionMetrics> partitionMetrics() {
        return siteMeters.stream().flatMap(site -> site.metrics().stream()).toList();
    }

    /** The last transactions that took long. */
    List<SlowTransaction> slowTransactions() {
        return slow.last();
    }

    /** Whether the caller is one of the threads that run sites. */
    boolean isSiteThread() {
        return siteThreads.contains(Thread.currentThread());
    }

    /** Notes which thread runs a site. */
    private record Registration(Set<Thread> siteThreads) implements Agent {
        @Override
        public String roleName() {
            return "registration";
        }

        @Override
        public void onStart() {
            siteThreads.add(Thread.currentThread());
        }

        @Override
        public int doWork(long nowNs) {
            return 0;
        }
    }

    boolean isAlive() {
        return alive.get();
    }

    Optional<String> failure() {
        return Optional.ofNullable(failure.get()).map(Failure::text);
    }

    /** The same as the end of a sentence. */
    String whyEnded() {
        return failure().map(why -> ": " + why).orElse("");
    }

    /** A future that has to be failed if the sites end before they complete it. */
    void expect(FutureReply reply) {
        expected.add(reply);
        reply.whenAnswered(() -> expected.remove(reply));
    }

    /** Waits for an answer; false if it will never come. */
    boolean await(CallerReply reply) {
        if (!settings.hasThreads()) {
            runUntil(reply::isDone);
            return reply.isDone();
        }
        return reply.await(this::isAlive);
    }

    /** Waits for an answer as long as the condition holds; false if there is none. */
    boolean await(CallerReply reply, BooleanSupplier condition) {
        if (!settings.hasThreads()) {
            runUntil(() -> reply.isDone() || !condition.getAsBoolean());
            return reply.isDone();
        }
        return reply.await(() -> isAlive() && condition.getAsBoolean());
    }

    /** Waits for something that the engine's agents complete; false if they ended before. */
    boolean await(CompletableFuture<?> future) {
        if (!settings.hasThreads()) {
            runUntil(future::isDone);
            return future.isDone();
        }
        Completion completion = new Completion();
        future.whenComplete((value, failure) -> completion.complete());
        return completion.await(this::isAlive) && future.isDone();
    }

    /** Helps a caller that waits for a place in a queue: the sites' threads empty it, or this thread runs them. */
    void makeRoom() {
        if (!settings.hasThreads()) {
            runUntil(() -> false);
        } else {
            Thread.yield();
        }
    }

    /** Runs all sites on this thread until the condition holds or nothing is left to do. */
    void runUntil(BooleanSupplier condition) {
        synchronized (invokers) {
            int work = 1;
            while (work > 0 && alive.get() && !condition.getAsBoolean()) {
                work = 0;
                for (AgentInvoker invoker : invokers) {
                    work += invoker.invoke();
                }
            }
        }
    }

    /** The agents that move an engine without threads, for a scheduler that steps them; each throws what ended the engine. */
    List<Agent> agents() {
        return invokers.stream().map(Stepped::new).map(Agent.class::cast).toList();
    }

    /** An agent that was started here and is stepped elsewhere. */
    private final class Stepped implements Agent {
        private final AgentInvoker invoker;

        Stepped(AgentInvoker invoker) {
            this.invoker = invoker;
        }

        @Override
        public String roleName() {
            return invoker.roleName();
        }

        @Override
        public int doWork(long nowNs) {
            int work = invoker.invoke();
            Failure ended = failure.get();
            if (ended != null) {
                throw new IllegalStateException(ended.text(), ended.cause());
            }
            return work;
        }
    }

    /** Ends all threads; throws, when it has tried all of them, if one doesn't end. */
    void close() {
        alive.set(false);
        AgentHangsException hanging = null;
        for (AgentRunner runner : runners.reversed()) {
            try {
                runner.close();
            } catch (AgentHangsException e) {
                if (hanging == null) {
                    hanging = e;
                } else {
                    hanging.addSuppressed(e);
                }
            }
        }
        if (hanging != null) {
            failExpected();
            throw hanging;
        }
        invokers.reversed().forEach(AgentInvoker::close);
        failExpected();
    }

    /**
     * Nothing is begun any more. The log's threads go on until {@link #close}: a writer that ended now, while sites still fill
     * the rings or its next segment is being made, would leave out what it has no room for, and the seal.
     */
    private void onFatal(String where, Throwable cause) {
        failure.compareAndSet(null, new Failure(where + " failed: " + cause, cause));
        synchronized (starting) {
            alive.set(false);
            for (AgentRunner runner : runners) {
                if (!ofLog.contains(runner)) {
                    runner.requestClose();
                }
            }
        }
        failExpected();
    }

    private void failExpected() {
        for (FutureReply reply : expected) {
            reply.future()
                    .completeExceptionally(new ProcedureException(
                            ErrorCode.OUTCOME_UNKNOWN,
                            "the engine ended before the call was answered; whether it ran is unknown" + whyEnded()));
        }
    }
}
