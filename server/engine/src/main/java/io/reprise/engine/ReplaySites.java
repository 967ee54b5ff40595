package io.reprise.engine;

import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.TransactionQueue;
import io.reprise.log.physiological.DataRedo;
import io.reprise.recovery.replay.ReplayLane;
import io.reprise.recovery.replay.ReplaySettings;
import io.reprise.recovery.replay.StretchDecoder;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.AgentInvoker;
import io.reprise.runtime.agent.AgentRunner;
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
 * The partitions' executors while a log is replayed: the same as ever, but what they run comes from one lane each, and
 * nothing is logged or held back. On threads of their own, or, in an engine without threads, whenever the replaying
 * thread would wait for them.
 *
 * <p>Closing ends executors, and then decoders, as these free what executors could still be at. If an executor hangs they
 * are left as they are: stopped, and asleep.
 */
final class ReplaySites implements AutoCloseable {
    private static final int CYCLE_LIMIT = 256;

    /** How long who waits sleeps at least and at most; executors tell nobody that they are through. */
    private static final long WAIT_NS = 20_000;

    private static final long MOST_WAIT_NS = 200_000;
    private static final long DECODER_WAIT_NS = 50_000;
    private static final long DECODER_MOST_WAIT_NS = 1_000_000;

    private final RecoveryThreads threads;
    private final boolean hasThreads;
    private final ReplayLane[] lanes;
    private final List<StretchDecoder> decoders = new ArrayList<>();
    private final Waker replaying = new Waker();
    private final IdleStrategy waiting = new ParkingIdleStrategy(replaying, WAIT_NS, MOST_WAIT_NS, 1);

    private final List<AgentRunner> executorRunners = new ArrayList<>();
    private final List<AgentRunner> decoderRunners = new ArrayList<>();

    /** Executors, then decoders. */
    private final List<AgentInvoker> invokers = new ArrayList<>();

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    ReplaySites(
            Options options,
            RecoveryThreads threads,
            List<Partition> partitions,
            BucketMap buckets,
            ReplaySettings settings) {
        this.threads = threads;
        hasThreads = options.threads == Options.Threads.SITE;
        int count = partitions.size();
        Waker[] wakers = new Waker[count];
        DataRedo[] redo = new DataRedo[count];
        lanes = new ReplayLane[count];
        for (int i = 0; i < count; i++) {
            wakers[i] = hasThreads ? new Waker() : null;
            redo[i] = new DataRedo(partitions.get(i).store(), settings.patience());
            lanes[i] = new ReplayLane(wakers[i], redo[i], partitions.get(i).outcomes());
        }
        List<SiteMeter> meters = SiteMeter.unread(count, options.clock);
        meters.forEach(meter -> meter.measure(buckets.buckets()));
        for (int i = 0; i < count; i++) {
            SiteMeter meter = meters.get(i);
            PartitionExecutor executor = new PartitionExecutor(
                    partitions.get(i),
                    new TransactionQueue(List.of(lanes[i].toRun()), List.of(new InitiatorClock(0)), -1, null),
                    new Coordinator(CommitGate.open(meter), meter, wakers),
                    CommitGate.open(meter),
                    meter,
                    CYCLE_LIMIT);
            add(executorRunners, options, executor, hasThreads ? new ParkingIdleStrategy(wakers[i]) : null);
        }
        for (int i = 0; i < settings.decoders(); i++) {
            Waker waker = new Waker();
            StretchDecoder decoder = new StretchDecoder(i, hasThreads ? waker : null, replaying, buckets, redo);
            decoders.add(decoder);
            add(
                    decoderRunners,
                    options,
                    decoder,
                    new ParkingIdleStrategy(waker, DECODER_WAIT_NS, DECODER_MOST_WAIT_NS, 1));
        }
        start();
    }

    private void start() {
        try {
            executorRunners.forEach(AgentRunner::start);
            decoderRunners.forEach(AgentRunner::start);
            invokers.forEach(AgentInvoker::start);
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
    }

    private void add(List<AgentRunner> runners, Options options, Agent agent, IdleStrategy idle) {
        if (hasThreads) {
            runners.add(threads.runner("-replay", agent, idle, this::onFatal));
        } else {
            invokers.add(new AgentInvoker(agent, options.clock, this::onFatal));
        }
    }

    ReplayLane[] lanes() {
        return lanes.clone();
    }

    List<StretchDecoder> decoders() {
        return List.copyOf(decoders);
    }

    /** The replaying thread waits for others. */
    void idle() {
        Throwable failed = failure.get();
        if (failed != null) {
            throw new IllegalStateException("the replay failed: " + failed, failed);
        }
        if (!hasThreads) {
            invokers.forEach(AgentInvoker::invoke);
        } else if (decoders.isEmpty()) {
            LockSupport.parkNanos(WAIT_NS);
        } else {
            waiting.idle(0);
        }
    }

    private void onFatal(String where, Throwable cause) {
        failure.compareAndSet(null, cause);
    }

    @Override
    public void close() {
        decoders.forEach(StretchDecoder::stop);
        threads.end(executorRunners);
        if (threads.haveEnded()) {
            threads.end(decoderRunners);
        }
        invokers.forEach(AgentInvoker::close);
    }
}
