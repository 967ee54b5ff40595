package io.reprise.engine;

import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.recovery.demand.LoadProxy;
import io.reprise.recovery.run.DamagedRunException;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.MpscRing;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.BucketBlock;
import io.reprise.snapshot.file.DamagedSnapshotException;
import io.reprise.snapshot.file.Manifest;
import io.reprise.snapshot.file.SnapshotDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Repairs one bucket at a time while the others serve: rebuilds its rows from a snapshot and the log behind it, and puts them in the place
 * of those that the partition has.
 *
 * <pre>
 *  IDLE --asked for--> WAITING --nothing else moves rows--> REBUILDING --up to the durable position--> PARKING: calls of the bucket wait
 *    --all sites park--> FENCING: a task at all partitions, behind all calls that ran before
 *    --it has run--> FORCING --the log is durable up to it--> EXCHANGING --rebuilt rows are in--> IDLE
 * </pre>
 *
 * <p>A failure before EXCHANGING leaves the bucket as it was. Behind that the bucket is refused to calls until it is repaired or the node is
 * restarted. Has a thread of its own, on which it reads files; it changes rows by {@link PartitionTask}s only.
 */
final class BucketRepair implements Agent, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.recovery");
    private static final int MOST_WAITING = 16;
    private static final int MOST_EVENTS = 1024;
    private static final long WAIT_NS = 1_000_000;

    /** A step of catching up with the log that is so short is the last one before calls wait. */
    private static final long SHORT_NS = 50_000_000;

    private static final int MOST_CATCH_UPS = 20;
    private static final long MOST_IDLE_NS = 100_000_000;

    private enum Phase {
        IDLE,
        WAITING,
        REBUILDING,
        PARKING,
        FENCING,
        FORCING,
        EXCHANGING
    }

    /** The connections to the rest of the engine. */
    interface Surroundings {
        /** The snapshots to rebuild from, the best one first. Their log stays until {@link #release}. */
        List<Manifest> snapshots();

        /** A rebuilding on top of a snapshot, without some runs, because they are damaged. */
        BucketRebuild rebuild(Manifest base, int bucket, Set<Long> withoutRuns);

        /** No repair needs the log any more. */
        void release();

        /** The position up to which the log is durable. */
        long durable();

        /** The end of each ring of the log; while all partitions are held. */
        long[] positions();

        /** Whether all of that is durable. */
        boolean areDurable(long[] positions);

        /** Runs an action while all partitions are held; the consumer is told why it can't run. */
        void fence(Runnable action, Consumer<String> refused);

        /** Whether a snapshot is being made, or rows are still being loaded after the start. */
        boolean isBusy();

        /** The problem of a bucket that could not be loaded; null if it serves. */
        String problemOf(int bucket);

        /** A bucket that could not be loaded serves again. */
        void repaired(int bucket);
    }

    private record Request(int bucket, CompletableFuture<RepairReport> report) {}

    private final Surroundings around;
    private final Clock clock;
    private final Function<Integer, Partition> partitionOf;
    private final BiPredicate<Integer, Execution> send;
    private final Waker waker;
    private final MpscRing<Request> requests;
    private final MpscRing<Object> events;
    private final List<RepairParking> sites = new ArrayList<>();

    /** Asks for repairs of its own; null if only operators do. */
    private AutomaticRepair automatic;

    private Phase phase = Phase.IDLE;
    private Request request;
    private List<Manifest> sources = List.of();
    private int source;
    private final Set<Long> withoutRuns = new TreeSet<>();
    private BucketRebuild rebuild;
    private int catchUps;
    private long beganNs;
    private long parkedNs;
    private boolean parked;
    private String problemBefore;
    private int parking;
    private boolean fenced;
    private String fenceRefused;
    private long[] positions;
    private PartitionTask task;
    private Execution unsent;

    /** Null until rows are exchanged: a failure before has changed nothing. */
    private BucketExchange exchange;

    private final BucketBlock block = new BucketBlock();

    /**
     * Nothing to repair.
     *
     * @param partitionOf the partition of a bucket
     * @param send sends an execution to a partition; false if there is no room
     * @param waker wakes its thread; may be null
     */
    BucketRepair(
            Surroundings around,
            Clock clock,
            Function<Integer, Partition> partitionOf,
            BiPredicate<Integer, Execution> send,
            Waker waker) {
        this.around = around;
        this.clock = clock;
        this.partitionOf = partitionOf;
        this.send = send;
        this.waker = waker;
        requests = new MpscRing<>(MOST_WAITING, waker);
        events = new MpscRing<>(MOST_EVENTS, waker);
    }

    /** The idling of its thread. */
    IdleStrategy idle() {
        return new ParkingIdleStrategy(waker, WAIT_NS, MOST_IDLE_NS, 1);
    }

    /** The part of a site. */
    RepairParking parking(int site) {
        return sites.get(site);
    }

    /** Before it starts: the parking of a site takes part. */
    void add(RepairParking site) {
        sites.add(site);
    }

    /** Before it starts: buckets that could not be loaded are repaired without an operator. */
    void repairBy(AutomaticRepair newAutomatic) {
        automatic = newAutomatic;
    }

    /** Any thread: the repairs that no operator asked for. */
    AutomaticRepair.Counts automatic() {
        return automatic == null ? new AutomaticRepair.Counts(0, 0, 0) : automatic.counts();
    }

    /** Any thread: asks for a repair. The future always completes with a report. */
    CompletableFuture<RepairReport> repair(int bucket) {
        CompletableFuture<RepairReport> report = new CompletableFuture<>();
        if (!requests.offer(new Request(bucket, report))) {
            report.complete(failed(bucket, MOST_WAITING + " repairs wait already"));
        }
        return report;
    }

    private static RepairReport failed(int bucket, String why) {
        return new RepairReport(bucket, why, "", 0, 0, 0, 0, 0);
    }

    /** The events of a site: it parks the bucket from now on. */
    MpscRing<Object> events() {
        return events;
    }

    @Override
    public String roleName() {
        return "repair";
    }

    @Override
    public int doWork(long nowNs) {
        int work = takeEvents();
        if (unsent != null && send.test(unsent.participant(0), unsent)) {
            unsent = null;
            work++;
        }
        if (automatic != null) {
            work += automatic.step(nowNs);
        }
        try {
            work += step(nowNs);
        } catch (RuntimeException | StackOverflowError e) {
            LOG.debug("A repair has failed", e);
            fail(String.valueOf(e.getMessage()));
            work++;
        }
        return work;
    }

    private int takeEvents() {
        int count = 0;
        for (Object event = events.poll(); event != null; event = events.poll()) {
            count++;
            if (event instanceof RepairParking) {
                parking--;
            } else if (event instanceof long[] fencedAt) {
                positions = fencedAt;
                fenced = true;
            } else if (event instanceof String refusal) {
                fenceRefused = refusal;
            } else if (event == task) {
                task = null;
                Throwable failure = ((PartitionTask) event).failure();
                if (failure != null) {
                    fail("rows of bucket " + request.bucket + " could not be exchanged: " + failure.getMessage());
                }
            }
        }
        return count;
    }

    private int step(long nowNs) {
        return switch (phase) {
            case IDLE -> begin(nowNs);
            case WAITING -> await();
            case REBUILDING -> rebuildFirst();
            case PARKING -> parking == 0 ? fence() : 0;
            case FENCING -> fencedOrRefused();
            case FORCING -> around.areDurable(positions) ? beginExchange() : 0;
            case EXCHANGING -> task == null ? exchangeOn() : 0;
        };
    }

    private int begin(long nowNs) {
        request = requests.poll();
        if (request == null) {
            return 0;
        }
        beganNs = nowNs;
        phase = Phase.WAITING;
        return 1;
    }

    /** Rows may be on their way for other reasons. */
    private int await() {
        if (around.isBusy()) {
            return 0;
        }
        problemBefore = around.problemOf(request.bucket);
        sources = around.snapshots();
        source = 0;
        withoutRuns.clear();
        phase = Phase.REBUILDING;
        return 1;
    }

    /** The long part, while calls of the bucket still run. A damaged snapshot is left out. */
    private int rebuildFirst() {
        if (source == sources.size()) {
            fail(
                    "there is no undamaged snapshot to rebuild bucket " + request.bucket
                            + " from that the log reaches back to. Make a snapshot if the bucket is right after all, or restore a backup");
            return 1;
        }
        long begunNs = clock.nanoTime();
        try {
            if (rebuild == null) {
                rebuild = around.rebuild(sources.get(source), request.bucket, withoutRuns);
                catchUps = 0;
            }
            rebuild.advance(around.durable());
            catchUps++;
        } catch (DamagedSnapshotException e) {
            LOG.warn("Bucket {} can't be rebuilt from a snapshot: {}", request.bucket, e.getMessage());
            closeRebuild();
            source++;
            return 1;
        } catch (DamagedRunException e) {
            LOG.warn("Bucket {} is rebuilt from the log where a run is damaged: {}", request.bucket, e.getMessage());
            closeRebuild();
            withoutRuns.add(e.id());
            return 1;
        }
        // Calls of the bucket go on. The repair catches up with their records as long as the backlog shrinks.
        if (clock.nanoTime() - begunNs < SHORT_NS || catchUps == MOST_CATCH_UPS) {
            park();
        }
        return 1;
    }

    private void park() {
        phase = Phase.PARKING;
        parkedNs = clock.nanoTime();
        parked = true;
        parking = sites.size();
        sites.forEach(site -> site.park(request.bucket));
    }

    private int fence() {
        if (around.isBusy()) {
            // A snapshot has begun before the bucket was parked. Its sweep must not meet rows on their way.
            unpark(problemBefore);
            closeRebuild();
            phase = Phase.WAITING;
            return 1;
        }
        phase = Phase.FENCING;
        fenced = false;
        fenceRefused = null;
        around.fence(() -> events.offer(around.positions()), why -> events.offer(why));
        return 1;
    }

    private int fencedOrRefused() {
        if (fenceRefused != null) {
            fail(fenceRefused);
            return 1;
        }
        if (!fenced) {
            return 0;
        }
        phase = Phase.FORCING;
        return 1;
    }

    private int beginExchange() {
        rebuild.advance(around.durable());
        exchange =
                new BucketExchange(request.bucket, rebuild.rows(), partition().store(), block);
        phase = Phase.EXCHANGING;
        return 1;
    }

    private Partition partition() {
        return partitionOf.apply(request.bucket);
    }

    private void send(Consumer<Partition> action) {
        task = new PartitionTask("repair", action, events::offer);
        Execution execution = task.at(partition().id());
        if (!send.test(execution.participant(0), execution)) {
            unsent = execution;
        }
    }

    private int exchangeOn() {
        Consumer<Partition> next = exchange.next();
        if (next == null) {
            succeed();
        } else {
            send(next);
        }
        return 1;
    }

    private void succeed() {
        if (problemBefore != null) {
            around.repaired(request.bucket);
        }
        long now = clock.nanoTime();
        RepairReport report = new RepairReport(
                request.bucket,
                null,
                name(sources.get(source)),
                exchange.deleted(),
                exchange.inserted(),
                rebuild.buckets(),
                now - parkedNs,
                now - beganNs);
        LOG.info(
                "Bucket {} is repaired from snapshot {}: {} rows taken out, {} put in, calls of it waited {} ms",
                report.bucket(),
                report.source(),
                report.rowsBefore(),
                report.rowsAfter(),
                report.parkedNs() / 1_000_000);
        unpark(null);
        end(report);
    }

    private static String name(Manifest manifest) {
        return SnapshotDirectory.name(manifest.identity().transactionId());
    }

    private void fail(String why) {
        if (request == null) {
            return;
        }
        String message = why;
        if (exchange != null) {
            message = why + ". Its calls are refused until it is repaired; restart the node if that fails again";
            LOG.error("Bucket {} is lost by its repair: {}", request.bucket, why);
        }
        if (parked) {
            unpark(exchange != null ? message : problemBefore);
        }
        end(failed(request.bucket, message));
    }

    private void unpark(String problem) {
        parked = false;
        LoadProxy.News news = new LoadProxy.News(request.bucket, problem);
        sites.forEach(site -> site.announce(news));
    }

    private void end(RepairReport report) {
        closeRebuild();
        around.release();
        CompletableFuture<RepairReport> waiting = request.report;
        request = null;
        phase = Phase.IDLE;
        task = null;
        unsent = null;
        exchange = null;
        waiting.complete(report);
    }

    private void closeRebuild() {
        if (rebuild != null) {
            rebuild.close();
            rebuild = null;
        }
    }

    @Override
    public void onClose() {
        if (request != null) {
            request.report.complete(failed(request.bucket, "the engine was closed"));
        }
        for (Request next = requests.poll(); next != null; next = requests.poll()) {
            next.report.complete(failed(next.bucket, "the engine was closed"));
        }
    }

    /** Frees its memory. Its thread and the sites have ended. */
    @Override
    public void close() {
        closeRebuild();
        block.close();
    }
}
