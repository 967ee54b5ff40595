package io.reprise.node;

import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.recovery.replay.ReplayLane;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentInvoker;
import io.reprise.runtime.agent.AgentRunner;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.order.InitiatorClock;
import io.reprise.txn.coordinator.Coordinator;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The partitions' executors while a log is replayed: the same as ever, but what they run comes from one lane each, and
 * nothing is logged or held back. On threads of their own, or, in an engine without threads, whenever the replaying
 * thread would wait for them.
 */
final class ReplaySites implements AutoCloseable {
    private static final int CYCLE_LIMIT = 256;
    private static final long WAIT_NS = 20_000;

    private final ReplayLane[] lanes;
    private final List<AgentRunner> runners = new ArrayList<>();
    private final List<AgentInvoker> invokers = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    ReplaySites(Options options, List<Partition> partitions) {
        boolean threads = options.threads == Options.Threads.SITE;
        int count = partitions.size();
        Waker[] wakers = new Waker[count];
        lanes = new ReplayLane[count];
        for (int i = 0; i < count; i++) {
            wakers[i] = threads ? new Waker() : null;
            lanes[i] = new ReplayLane(wakers[i]);
        }
        List<SiteMeter> meters = SiteMeter.unread(count, options.clock);
        for (int i = 0; i < count; i++) {
            SiteMeter meter = meters.get(i);
            Agent executor = new PartitionExecutor(
                    partitions.get(i),
                    new TransactionQueue(List.of(lanes[i].toRun()), List.of(new InitiatorClock(0)), -1, null),
                    new Coordinator(CommitGate.open(meter), meter, wakers),
                    CommitGate.open(meter),
                    meter,
                    CYCLE_LIMIT);
            if (threads) {
                runners.add(new AgentRunner(
                        options.name + "-replay",
                        executor,
                        new ParkingIdleStrategy(wakers[i]),
                        options.clock,
                        this::onFatal));
            } else {
                invokers.add(new AgentInvoker(executor, options.clock, this::onFatal));
            }
        }
        runners.forEach(AgentRunner::start);
        invokers.forEach(AgentInvoker::start);
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
        for (AgentInvoker invoker : invokers) {
            invoker.invoke();
        }
        if (invokers.isEmpty()) {
            LockSupport.parkNanos(WAIT_NS);
        }
    }

    private void onFatal(String where, Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    @Override
    public void close() {
        runners.forEach(AgentRunner::requestClose);
        runners.forEach(AgentRunner::close);
        invokers.forEach(AgentInvoker::close);
    }
}
