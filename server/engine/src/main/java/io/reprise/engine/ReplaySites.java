package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.recovery.replay.ReplayLane;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.redo.DataRedo;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentInvoker;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.CompositeAgent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.txn.coordinator.Coordinator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The partitions' executors during a recovery. Each runs the work of one {@link ReplayLane}; nothing is logged, and no reply is held.
 * They are dealt to as many threads as there are processors, whatever the number of sites, so a lane that waits for another one lets
 * those of its thread go on. In an engine without threads they run whenever the replaying thread would wait for them.
 */
final class ReplaySites implements AutoCloseable {
    private static final int CYCLE_LIMIT = 256;

    /** A lane whose thread has others, too, lets them go on soon: lanes of other threads may wait for them. */
    private static final int SHARED_CYCLE_LIMIT = 32;

    /** The replaying thread's sleep; executors do not wake it. */
    private static final long WAIT_NS = 20_000;

    private final RecoveryThreads threads;
    private final boolean hasThreads;
    private final ReplayLane[] lanes;
    private final List<AgentRunner> runners = new ArrayList<>();
    private final List<AgentInvoker> invokers = new ArrayList<>();

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    ReplaySites(
            EngineSettings engine,
            RecoveryThreads threads,
            List<Partition> partitions,
            BucketMap buckets,
            ReplaySettings settings) {
        this.threads = threads;
        hasThreads = engine.hasThreads();
        int count = partitions.size();
        int threadCount = hasThreads ? Math.min(count, Runtime.getRuntime().availableProcessors()) : count;
        Waker[] wakers = new Waker[count];
        lanes = new ReplayLane[count];
        for (int i = 0; i < count; i++) {
            wakers[i] = !hasThreads ? null : i < threadCount ? new Waker() : wakers[i - threadCount];
            Partition partition = partitions.get(i);
            lanes[i] = new ReplayLane(
                    wakers[i], new DataRedo(partition.store(), settings.patience()), partition.outcomes());
        }
        List<SiteMeter> meters = SiteMeter.unread(count, engine.clock());
        meters.forEach(meter -> meter.measure(buckets.buckets()));
        for (int thread = 0; thread < threadCount; thread++) {
            List<PartitionExecutor> executors = new ArrayList<>();
            for (int i = thread; i < count; i += threadCount) {
                executors.add(new PartitionExecutor(
                        partitions.get(i),
                        new TransactionQueue(List.of(lanes[i].toRun()), List.of(new InitiatorClock(0)), -1, null),
                        new Coordinator(CommitGate.open(meters.get(i)), meters.get(i), wakers),
                        CommitGate.open(meters.get(i)),
                        meters.get(i),
                        count > threadCount ? SHARED_CYCLE_LIMIT : CYCLE_LIMIT));
            }
            Agent agent =
                    executors.size() == 1 ? executors.getFirst() : new CompositeAgent("executors-" + thread, executors);
            add(engine, agent, hasThreads ? new ParkingIdleStrategy(wakers[thread]) : null);
        }
        start();
    }

    private void start() {
        try {
            runners.forEach(AgentRunner::start);
            invokers.forEach(AgentInvoker::start);
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    private void add(EngineSettings engine, Agent agent, IdleStrategy idle) {
        if (hasThreads) {
            runners.add(threads.runner("-replay", agent, idle, this::onFatal));
        } else {
            invokers.add(new AgentInvoker(agent, engine.clock(), this::onFatal));
        }
    }

    ReplayLane[] lanes() {
        return lanes.clone();
    }

    /** The replaying thread waits for executors. */
    void idle() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the replay failed: " + failed, failed);
        }
        if (!hasThreads) {
            invokers.forEach(AgentInvoker::invoke);
        } else {
            LockSupport.parkNanos(WAIT_NS);
        }
    }

    private void onFatal(String where, Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    @Override
    public void close() {
        threads.end(runners);
        invokers.forEach(AgentInvoker::close);
    }
}
