package io.reprise.recovery.rebuild;

import io.reprise.execution.Partition;
import io.reprise.recovery.closure.LogHistory;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.recovery.replay.PartitionImage;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongSupplier;
import java.util.function.LongToIntFunction;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Rebuilds a partition of a node while all others serve: from the newest snapshot, the log, and what these need of other partitions. Calls of
 * the partition wait at their initiators meanwhile; buckets that calls wait for come first.
 *
 * <pre>
 *  IDLE -> FENCING: initiators park calls -> HOLDING: all that was admitted before has run; the fence's moment
 *    -> SETTLING: the log is durable up to the fence, no snapshot reads the partition
 *    -> RUNNING: a batch of buckets is rebuilt in the shadow -> EMPTYING, once -> FILLING: rows go over, buckets open
 *    -> RUNNING: the next batch, or IDLE
 * </pre>
 *
 * <p>A failure before EMPTYING changes nothing: the former rows serve again. A later one leaves the buckets FAILED that are not open yet; another
 * rebuild may try again. One rebuild at a time. Owns its thread.
 */
public final class RebuildAgent implements Agent {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");

    private enum Phase {
        IDLE,
        FENCING,
        HOLDING,
        SETTLING,
        RUNNING,
        EMPTYING,
        FILLING
    }

    private final RebuildPorts ports;
    private final List<Partition> partitions;
    private final int buckets;
    private final LongSupplier clock;
    private final Waker waker;
    private final MpscRing<Request> requests;
    private final MpscRing<Integer> wanted;
    private final Tasks tasks;
    private final RebuildStats stats = new RebuildStats();

    /** Asks for rebuilds without an operator; does nothing if only operators ask. */
    private LongToIntFunction automatic = nowNs -> 0;

    private Phase phase = Phase.IDLE;
    private Request request;
    private RebuildJob job;
    private BucketFill fill;
    private final List<LoadProxy> proxies = new ArrayList<>();
    private int nextSite;
    private boolean unswept;
    private boolean prepared;
    private boolean emptied;
    private BitSet closed = new BitSet();
    private final List<Integer> asked = new ArrayList<>();
    private boolean isFirstOpen;
    private long beganNs;
    private long fencedNs;
    private long closureNs;
    private long firstBucketNs;

    private record Request(int partition, BitSet buckets, CompletableFuture<RebuildReport> report) {}

    /**
     * An agent without work.
     *
     * @param buckets the number of the database's buckets
     * @param clock in nanoseconds
     * @param waker wakes its thread; null if it need not be woken
     */
    public RebuildAgent(RebuildPorts ports, List<Partition> partitions, int buckets, LongSupplier clock, Waker waker) {
        this.clock = clock;
        this.ports = ports;
        this.partitions = List.copyOf(partitions);
        this.buckets = buckets;
        this.waker = waker;
        requests = new MpscRing<>(16, waker);
        wanted = new MpscRing<>(Math.max(2, (buckets + 1) * (ports.sites() + 1)), waker);
        tasks = new Tasks(waker);
    }

    /**
     * Any thread: asks for a rebuild. The future fails if the rebuild does.
     *
     * @param ofPartition its buckets
     */
    public CompletableFuture<RebuildReport> rebuild(int partition, int... ofPartition) {
        BitSet all = new BitSet();
        for (int bucket : ofPartition) {
            all.set(bucket);
        }
        Request asking = new Request(partition, all, new CompletableFuture<>());
        if (!requests.offer(asking)) {
            asking.report().completeExceptionally(new IllegalStateException("other rebuilds wait already"));
        }
        return asking.report();
    }

    /** Before it starts: steps what asks for rebuilds without an operator. */
    public void stepWith(LongToIntFunction asking) {
        automatic = asking;
    }

    /** Any thread: wakes its thread. */
    public void wake() {
        if (waker != null) {
            waker.wake();
        }
    }

    /** Any thread: the state of the present rebuild, and counts. */
    public RebuildStats stats() {
        return stats;
    }

    /** The idling of its thread: long without a rebuild, short during one. */
    public IdleStrategy idle() {
        IdleStrategy without = new ParkingIdleStrategy(waker, 1_000_000, 100_000_000, 1);
        IdleStrategy during = new ParkingIdleStrategy(waker, 10, 2, 50_000, 1_000_000);
        return work -> (phase == Phase.IDLE ? without : during).idle(work);
    }

    @Override
    public String roleName() {
        return "rebuild";
    }

    @Override
    public int doWork(long nowNs) {
        int work = tasks.takeBack() + takeWanted() + automatic.applyAsInt(nowNs);
        try {
            tasks.rethrow();
            return work + step(nowNs);
        } catch (RuntimeException | StackOverflowError e) {
            fail(e);
            return work + 1;
        }
    }

    private int takeWanted() {
        int count = 0;
        for (Integer bucket = wanted.poll(); bucket != null; bucket = wanted.poll()) {
            count++;
            if (bucket != LoadProxy.ALL && closed.get(bucket) && !asked.contains(bucket)) {
                asked.add(bucket);
            }
        }
        return count;
    }

    private int step(long nowNs) {
        return switch (phase) {
            case IDLE -> begin(nowNs);
            case FENCING -> fence();
            case HOLDING -> hold();
            case SETTLING -> settle(nowNs);
            case RUNNING -> run();
            case EMPTYING -> empty();
            case FILLING -> fill(nowNs);
        };
    }

    private int begin(long nowNs) {
        request = requests.poll();
        if (request == null) {
            return 0;
        }
        LOG.info("Partition {} is rebuilt; its calls wait", request.partition());
        beganNs = nowNs;
        firstBucketNs = 0;
        isFirstOpen = false;
        emptied = false;
        prepared = false;
        closed = (BitSet) request.buckets().clone();
        asked.clear();
        ports.hurry(true);
        proxies.clear();
        nextSite = 0;
        stats.begin(request.partition(), closed.cardinality());
        phase = Phase.FENCING;
        return 1;
    }

    /** Each initiator gets the fence on its own thread. */
    private int fence() {
        if (nextSite == ports.sites()) {
            if (tasks.underWay() > 0) {
                return 0;
            }
            nextSite = 0;
            job = new RebuildJob(ports, closed);
            phase = Phase.HOLDING;
            return 1;
        }
        int site = nextSite;
        LoadProxy proxy = new LoadProxy(buckets, wanted, ports.waker(site));
        BitSet fenced = (BitSet) closed.clone();
        if (!tasks.send(
                task -> ports.atPartition(ports.partitionOf(site), task), () -> ports.fence(site, proxy, fenced))) {
            return 0;
        }
        proxies.add(proxy);
        nextSite++;
        return 1;
    }

    /** A transaction at all partitions from each initiator: behind the last one, nothing of the partition is under way. */
    private int hold() {
        if (nextSite < ports.sites()) {
            int site = nextSite;
            RebuildJob of = job;
            if (!tasks.sendHolding(task -> ports.atAll(site, task), of::held)) {
                return 0;
            }
            nextSite++;
            return 1;
        }
        if (!prepared) {
            // Sites take their time for the fence.
            prepared = true;
            job.prepare();
            return 1;
        }
        if (tasks.underWay() > 0) {
            return 0;
        }
        phase = Phase.SETTLING;
        unswept = false;
        stats.fenced();
        return 1;
    }

    private int settle(long nowNs) {
        if (tasks.underWay() > 0 || !ports.isMarkDurable() || !ports.isQuiet()) {
            return 0;
        }
        if (!unswept) {
            return tasks.send(
                            task -> ports.atPartition(request.partition(), task),
                            () -> unswept = ports.isUnswept(request.partition()))
                    ? 1
                    : 0;
        }
        fencedNs = nowNs - beganNs;
        long planNs = clock.getAsLong();
        job.plan(LogHistory.BLOCK_BYTES);
        closureNs = clock.getAsLong() - planNs;
        beginBatch();
        return 1;
    }

    /** Sites come first where cores are busy, unless calls wait for the first bucket. */
    private void beginBatch() {
        ports.hurry(!isFirstOpen && !asked.isEmpty());
        job.begin(asked);
        phase = Phase.RUNNING;
    }

    private int run() {
        if (job.step()) {
            return 1;
        }
        phase = emptied ? Phase.FILLING : Phase.EMPTYING;
        if (emptied) {
            beginFill();
        }
        return 1;
    }

    private int empty() {
        if (!emptied) {
            PartitionImage image = new PartitionImage(partition());
            if (tasks.send(task -> ports.atPartition(request.partition(), task), () -> {
                image.clearRows(ports.catalog().tables().values());
                partition().trust();
            })) {
                emptied = true;
                return 1;
            }
            return 0;
        }
        if (tasks.underWay() > 0) {
            return 0;
        }
        beginFill();
        fill.addReplicated();
        phase = Phase.FILLING;
        return 1;
    }

    private void beginFill() {
        fill = new BucketFill(job.rows(), partition(), job.batch(), asked, tasks, ports);
    }

    private Partition partition() {
        return partitions.getFirst().peers().withId(request.partition());
    }

    private int fill(long nowNs) {
        int work = fill.step();
        for (int bucket = fill.nextFull(); bucket >= 0; bucket = fill.nextFull()) {
            open(bucket, null);
            if (!isFirstOpen) {
                isFirstOpen = true;
                firstBucketNs = nowNs - beganNs;
                ports.hurry(false);
            }
            work++;
        }
        if (!fill.isOver()) {
            return work;
        }
        if (closed.isEmpty()) {
            end(nowNs);
        } else {
            beginBatch();
        }
        return work + 1;
    }

    private void open(int bucket, String problem) {
        closed.clear(bucket);
        asked.removeIf(each -> each == bucket);
        stats.opened(problem == null);
        LoadProxy.News news = new LoadProxy.News(bucket, problem);
        proxies.forEach(proxy -> proxy.announce(news));
    }

    private void end(long nowNs) {
        RebuildReport report = job.report(request.partition(), fencedNs, closureNs, firstBucketNs, nowNs - beganNs);
        LOG.info(
                "Partition {} is rebuilt in {} ms: {} of {} transactions ran again, {} rows were loaded",
                request.partition(),
                report.allNs() / 1_000_000,
                report.commands() + report.dataRecords(),
                report.transactions(),
                report.rows());
        finish();
        stats.ended(report);
        request.report().complete(report);
    }

    private void finish() {
        if (job != null) {
            job.close();
            job = null;
        }
        fill = null;
        phase = Phase.IDLE;
    }

    /** Before the partition is emptied its rows are as they were, so they serve again. */
    private void fail(Throwable cause) {
        if (phase == Phase.IDLE) {
            throw new IllegalStateException(cause);
        }
        String what = emptied
                ? "its rebuild failed: " + cause.getMessage() + ". Rebuild the partition again, or start the node again"
                : null;
        LOG.error("Partition {} can't be rebuilt: {}", request.partition(), cause.getMessage());
        tasks.forget();
        ((BitSet) closed.clone()).stream().forEach(bucket -> open(bucket, what));
        finish();
        stats.failed(cause.getMessage());
        request.report().completeExceptionally(cause);
    }

    @Override
    public void onClose() {
        if (request != null && job != null) {
            request.report().completeExceptionally(new IllegalStateException("the engine is closing"));
        }
        finish();
    }
}
