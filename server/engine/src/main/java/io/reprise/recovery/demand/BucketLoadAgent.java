package io.reprise.recovery.demand;

import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.durable.CommandSchema;
import io.reprise.log.DamagedLogException;
import io.reprise.recovery.run.DamagedRunException;
import io.reprise.recovery.run.ReplayedImages;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.snapshot.file.BucketInserter;
import io.reprise.snapshot.file.BucketSources;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.BiPredicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads the buckets of a node one by one while it serves: first those that calls wait for, then the others. It reads and checks blocks of the
 * snapshot on its own thread, and sends {@link LoadSlice}s to the partitions.
 *
 * <pre>
 *  ABSENT --rows of the snapshot--> LOADED --records of the log--> READY
 *     |                                |
 *     +----------- damage, divergence -+--> FAILED
 * </pre>
 *
 * <p>A bucket depends on others by commands over several of them; these are LOADED first. A FAILED bucket is refused to calls; the others
 * serve. Recovery writes nothing, so a node that ends meanwhile begins anew.
 */
public final class BucketLoadAgent implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");

    /** The pause before a bucket that no call waits for, while calls run, in times of the last bucket's loading. */
    private static final int PAUSE = 1;

    private enum State {
        ABSENT,
        LOADED,
        READY,
        FAILED
    }

    private final BucketSources source;
    private final TailIndex tail;
    private final CommandSchema schema;
    private final List<Partition> partitions;
    private final PartitionLoad[] loads;
    private final MpscRing<Integer> wanted;
    private final List<LoadProxy> proxies = new ArrayList<>();
    private final Waker waker;
    private final LoadStats stats;
    private final SliceSender sender;
    private final State[] states;
    private final long[] reserved;
    private final Deque<Integer> requested = new ArrayDeque<>();
    private final boolean[] isRequested;
    private boolean allWanted;
    private int sweepAt;
    private long beganNs;
    private long resumeNs;
    private long jobBeganNs;
    private BucketLoad job;
    private long callsBefore;
    private boolean ended;
    private Runnable whenOver = () -> {};
    private Runnable whenFailed = () -> {};

    /** Null if runs have no images of commands. */
    private final ReplayedImages images;

    /**
     * An agent that has loaded nothing.
     *
     * @param source the snapshot
     * @param tail the log behind it
     * @param images of the commands that it runs again; it closes them; null: it keeps none
     * @param waker wakes this agent's thread; null if nothing has to be woken
     */
    public BucketLoadAgent(
            BucketSources source,
            TailIndex tail,
            CommandSchema schema,
            List<Partition> partitions,
            ReplayedImages images,
            Waker waker) {
        this.images = images;
        this.source = source;
        this.tail = tail;
        this.schema = schema;
        this.waker = waker;
        this.partitions = List.copyOf(partitions);
        int buckets = schema.buckets().count();
        wanted = new MpscRing<>(Math.max(2, (buckets + 1) * partitions.size()), waker);
        loads = new PartitionLoad[partitions.size()];
        for (int slot = 0; slot < loads.length; slot++) {
            Partition partition = partitions.get(slot);
            loads[slot] = new PartitionLoad(
                    new BucketInserter(source.manifest(partition.id()), partition.store()),
                    new TailApplier(partition, tail, schema, images));
        }
        states = new State[buckets];
        java.util.Arrays.fill(states, State.ABSENT);
        isRequested = new boolean[buckets];
        reserved = reserve(buckets);
        long rows = 0;
        for (int bucket = 0; bucket < buckets; bucket++) {
            rows += source.rows(bucket);
        }
        stats = new LoadStats(buckets, rows, tail.count());
        stats.older.add(tail.older());
        sender = new SliceSender(loads, waker);
    }

    /** Committed rows have to fit again: each partition keeps memory for them until they are there. */
    private long[] reserve(int buckets) {
        long[] bytes = new long[buckets];
        for (int bucket = 0; bucket < buckets; bucket++) {
            if (isNothingMissing(bucket)) {
                continue;
            }
            Partition of = partition(bucket);
            bytes[bucket] = MemoryNeed.of(source.manifest(of.id()), bucket, of.store()) + source.bytes(bucket);
            of.store().reserve(bytes[bucket]);
            of.store().scope().lack(bucket);
        }
        return bytes;
    }

    /** Whether a bucket of a cluster has neither rows nor records at this node. */
    private boolean isNothingMissing(int bucket) {
        return tail.keepsPartitions() && source.rows(bucket) == 0 && !tail.concerns(bucket);
    }

    private Partition partition(int bucket) {
        return partitions.getFirst().peers().withId(schema.buckets().partition(bucket));
    }

    /** Before it starts: a connection for an initiator, whose thread the waker wakes. */
    public LoadProxy connect(Waker initiator) {
        LoadProxy proxy = new LoadProxy(states.length, wanted, initiator);
        proxies.add(proxy);
        return proxy;
    }

    /** Any thread: asks for a bucket, or for {@link LoadProxy#ALL}. A request that finds no room is lost; buckets are loaded in the end all the same. */
    public void want(int bucket) {
        wanted.offer(bucket);
    }

    /** Before it starts: sends executions to the initiator of a partition; false if it has no room. */
    public void sendBy(BiPredicate<Integer, Execution> initiators) {
        sender.sendBy(initiators);
    }

    /** The idling of its thread. */
    public IdleStrategy idle() {
        return new ParkingIdleStrategy(waker, 10, 2, 50_000, 1_000_000);
    }

    /** The images of the commands that it runs again; null if it keeps none. */
    public ReplayedImages images() {
        return images;
    }

    /** Counts. Any thread. */
    public LoadStats stats() {
        return stats;
    }

    /** Adds an action for its thread when all buckets are loaded or have failed; before it starts. */
    public void whenOver(Runnable action) {
        Runnable before = whenOver;
        whenOver = () -> {
            before.run();
            action.run();
        };
    }

    /** Sets the action for its thread when a bucket can't be loaded; before it starts. */
    public void whenFailed(Runnable action) {
        whenFailed = action;
    }

    @Override
    public String roleName() {
        return "load";
    }

    @Override
    public int doWork(long nowNs) {
        if (ended) {
            return 0;
        }
        if (beganNs == 0) {
            beganNs = nowNs;
            announceEmpty();
        }
        int work = takeRequests();
        work += sender.takeBack();
        if (job == null) {
            job = next(nowNs);
            jobBeganNs = nowNs;
        }
        if (job == null) {
            return work;
        }
        work += job.step();
        if (job.isOver()) {
            finish(nowNs);
            work++;
        }
        return work;
    }

    private void announceEmpty() {
        for (int bucket = 0; bucket < states.length; bucket++) {
            if (isNothingMissing(bucket)) {
                announce(bucket, State.READY, null);
            }
        }
    }

    private int takeRequests() {
        int count = 0;
        for (Integer bucket = wanted.poll(); bucket != null; bucket = wanted.poll()) {
            count++;
            if (bucket == LoadProxy.ALL) {
                allWanted = true;
            } else if (!isRequested[bucket]) {
                isRequested[bucket] = true;
                requested.add(bucket);
            }
        }
        return count;
    }

    private BucketLoad next(long nowNs) {
        while (!requested.isEmpty()) {
            int bucket = requested.poll();
            if (isOpen(bucket)) {
                stats.onDemand.increment();
                return begin(bucket);
            }
        }
        if (!allWanted && nowNs < resumeNs) {
            return null;
        }
        while (sweepAt < states.length) {
            int bucket = sweepAt++;
            if (isOpen(bucket)) {
                return begin(bucket);
            }
        }
        return new BucketLoad(partitions, sender);
    }

    private boolean isOpen(int bucket) {
        return states[bucket] == State.ABSENT || states[bucket] == State.LOADED;
    }

    private BucketLoad begin(int bucket) {
        TailIndex.Closure closure;
        try {
            closure = tail.closure(bucket);
        } catch (DamagedLogException | DamagedRunException | IllegalStateException e) {
            return BucketLoad.failed(bucket, "its records can't be read from runs or log: " + e.getMessage());
        }
        stats.older.add(tail.older() - stats.older.get());
        closure.buckets().set(bucket);
        for (int other = closure.buckets().nextSetBit(0);
                other >= 0;
                other = closure.buckets().nextSetBit(other + 1)) {
            if (states[other] == State.FAILED) {
                return BucketLoad.failed(bucket, "it depends on bucket " + other + ", which could not be loaded");
            }
        }
        return new BucketLoad(
                bucket, closure, source, tail, schema, partitions, sender, stats, this::needsRows, this::loaded);
    }

    private boolean needsRows(int bucket) {
        return states[bucket] == State.ABSENT;
    }

    /** All rows of a bucket have been inserted. Returns the memory that was kept for them. */
    private long loaded(int bucket) {
        states[bucket] = State.LOADED;
        return reserved[bucket];
    }

    private void finish(long nowNs) {
        if (job.bucket() < 0) {
            end(nowNs);
            return;
        }
        if (job.problem() == null) {
            announce(job.bucket(), State.READY, null);
            stats.add(job.sample(Math.max(1, nowNs - jobBeganNs)));
        } else {
            LOG.error("Bucket {} can't be loaded: {}", job.bucket(), job.problem());
            String problem = job.problem();
            // The node may end as soon as it learns of the bucket.
            whenFailed.run();
            job.spoilt().stream().forEach(bucket -> announce(bucket, State.FAILED, problem));
        }
        job.release();
        job = null;
        long calls = 0;
        for (LoadProxy proxy : proxies) {
            calls += proxy.admitted();
        }
        resumeNs = calls == callsBefore ? nowNs : nowNs + PAUSE * (nowNs - jobBeganNs);
        callsBefore = calls;
    }

    private void announce(int bucket, State state, String problem) {
        if (!isOpen(bucket)) {
            return;
        }
        states[bucket] = state;
        if (state == State.FAILED) {
            stats.problems.put(bucket, problem);
        }
        (state == State.READY ? stats.ready : stats.failed).increment();
        LoadProxy.News news = new LoadProxy.News(bucket, problem);
        proxies.forEach(proxy -> proxy.announce(news));
    }

    private void end(long nowNs) {
        job = null;
        ended = true;
        if (images != null) {
            images.over();
        }
        stats.tookNs.add(Math.max(1, nowNs - beganNs));
        LOG.info(
                "All {} buckets are loaded, but {}: {} rows and {} log records in {} ms, {} buckets on demand",
                states.length,
                stats.failed(),
                stats.rows(),
                stats.records(),
                stats.tookNs() / 1_000_000,
                stats.onDemand());
        whenOver.run();
    }

    /** Frees what loading has needed; no thread uses it any more. */
    @Override
    public void close() {
        sender.close();
        for (PartitionLoad load : loads) {
            load.applier().close();
        }
        source.close();
        tail.close();
        if (images != null) {
            images.close();
        }
    }
}
