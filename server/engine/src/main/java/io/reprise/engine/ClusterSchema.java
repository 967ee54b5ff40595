package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.engine.replication.StreamSchema;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.Work;
import io.reprise.execution.deploy.Arguments;
import io.reprise.execution.work.TapeCodec;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Agent;
import io.reprise.runtime.agent.IdleStrategy;
import io.reprise.runtime.agent.ParkingIdleStrategy;
import io.reprise.runtime.agent.Waker;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The schema of a node in a cluster and its changes. A change is prepared here while transactions run, tried by the leaders, and
 * carried out at all partitions of the node when one of its streams commits it. Each in-sync replica holds the change's part then,
 * so nothing of the former schema can follow in its stream; other replicas are loaded anew.
 *
 * <pre>
 *  IDLE -> DUE             a stream has committed a change; its partition stands still
 *  DUE -> UNDER WAY        the change is prepared, and a work over all partitions of the node is sent
 *  UNDER WAY -> IDLE       the work has run
 *  UNDER WAY -> DUE        the log had no room, or memory was short; it is tried again
 * </pre>
 *
 * <p>The agent has a thread of its own, because preparing a change takes long. Sites' threads ask and report.
 */
final class ClusterSchema implements StreamSchema, Agent {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.schema");
    private static final long PAUSE_NS = 200_000_000;

    private final EngineSchema schema;
    private final AtomicReference<BucketMap> buckets;
    private final Waker waker;
    private final AtomicReference<ByVersion> byVersion = new AtomicReference<>();

    /** The change that a leader is to try next, or null. */
    private final AtomicReference<byte[]> wanted = new AtomicReference<>();

    /** The committed change for which partitions stand still, or null. */
    private final AtomicReference<Due> due = new AtomicReference<>();

    /** A later schema that a leader has sent with an image, or null. */
    private final AtomicReference<Due> offered = new AtomicReference<>();

    /** The leaders that try a change at present. */
    private final AtomicInteger trials = new AtomicInteger();

    private Consumer<Execution> submit;
    private ClusterNode node;
    private SchemaFollower follower;
    private Due underWay;
    private long retryNs;

    private record ByVersion(Schema of, Work[] works) {}

    /** A committed change, or a whole schema that takes the place of this node's. */
    private record Due(byte[] content, long transaction, boolean whole) {}

    ClusterSchema(EngineSchema schema, BucketMap buckets, Waker waker) {
        this.schema = schema;
        this.buckets = new AtomicReference<>(buckets);
        this.waker = waker;
    }

    /** Before it starts: the way to the node's partitions. */
    void runIn(ClusterNode newNode, Consumer<Execution> calls) {
        node = newNode;
        submit = calls;
        follower = new SchemaFollower(newNode, this, newNode::holdsNothing, waker);
    }

    /** Any thread: takes in a frame of another node. */
    void receive(byte[] frame) {
        follower.receive(frame);
    }

    // ---- Streams

    @Override
    public Catalog catalog() {
        return schema.catalog();
    }

    @Override
    public Work procedure(int version) {
        Schema now = schema.now();
        ByVersion known = byVersion.get();
        if (known == null || known.of != now) {
            known = new ByVersion(now, byVersion(now));
            byVersion.set(known);
        }
        return version >= 0 && version < known.works.length ? known.works[version] : null;
    }

    private static Work[] byVersion(Schema of) {
        int highest = of.works().values().stream().mapToInt(Work::version).max().orElse(0);
        Work[] works = new Work[highest + 1];
        of.works().values().forEach(work -> works[work.version()] = work);
        return works;
    }

    @Override
    public Work statement(String text) {
        return schema.statement(text);
    }

    @Override
    public Work composed(byte[] content) {
        return TapeCodec.decode(content, schema::statement);
    }

    @Override
    public BucketMap buckets() {
        return buckets.get();
    }

    /** Calls are routed by this map from now on. Any thread. */
    void route(BucketMap map) {
        buckets.set(map);
    }

    @Override
    public long changed() {
        return schema.now().transaction();
    }

    @Override
    public byte[] whole() {
        return schema.image();
    }

    @Override
    public long hash() {
        return schema.hash();
    }

    // ---- Changes

    @Override
    public void check(Partition partition, byte[] change, long transactionId) {
        if (schema.isPrepared(change)) {
            trials.incrementAndGet();
            try {
                schema.check(partition, change, transactionId);
            } finally {
                trials.decrementAndGet();
            }
            return;
        }
        wanted.set(change);
        wake();
        throw new ProcedureException(
                ErrorCode.PARTITION_UNAVAILABLE, "a node prepares the change of the schema; nothing was changed");
    }

    @Override
    public void committed(byte[] change, long transactionId) {
        // The first of the node's streams reports it; the others have the same one.
        due.compareAndSet(null, new Due(change, transactionId, false));
        wake();
    }

    @Override
    public void take(byte[] whole, long transactionId) {
        offered.compareAndSet(null, new Due(whole, transactionId, true));
        wake();
    }

    @Override
    public boolean isChangeDue() {
        return due.get() != null;
    }

    /** Whether threads of sites may be busy with a change for long. Any thread. */
    boolean isChanging() {
        return trials.get() > 0 || isChangeDue();
    }

    private void wake() {
        if (waker != null) {
            waker.wake();
        }
    }

    // ---- The agent

    @Override
    public String roleName() {
        return "schema";
    }

    IdleStrategy idle() {
        return new ParkingIdleStrategy(waker);
    }

    @Override
    public int doWork(long nowNs) {
        int work = prepareWanted() + follower.step(nowNs);
        Due now = due.get() == null ? offered.get() : due.get();
        if (now == null || now == underWay || nowNs < retryNs) {
            return work;
        }
        retryNs = nowNs + PAUSE_NS;
        underWay = now;
        carryOut(now);
        return work + 1;
    }

    private int prepareWanted() {
        byte[] change = wanted.getAndSet(null);
        if (change == null) {
            return 0;
        }
        try {
            schema.prepare(change);
        } catch (ProcedureException refusal) {
            // The leader that tries the change next meets the same.
            LOG.debug("A change of the schema is refused", refusal);
        }
        return 1;
    }

    private void carryOut(Due now) {
        if (!now.whole && now.transaction <= changed()) {
            end(now);
            return;
        }
        SchemaChangeWork work;
        try {
            work = now.whole
                    ? schema.replacing(now.content, now.transaction, node)
                    : schema.carryingOut(now.content, now.transaction, node);
        } catch (ProcedureException refusal) {
            refused(now, refusal.getMessage());
            return;
        }
        Execution execution = new Execution(new Arguments()).prepare(work, ended -> ended(now, ended), 0);
        submit.accept(execution);
    }

    /** On a site's thread. */
    private void ended(Due now, Execution execution) {
        if (execution.outcome().succeeded()) {
            LOG.info("The schema was changed by transaction {} of the cluster", now.transaction);
            end(now);
        } else if (execution.outcome().error() != ErrorCode.SHUTTING_DOWN) {
            refused(now, execution.outcome().message());
        }
        // An engine that ends leaves the change to its next start.
        wake();
    }

    private void end(Due now) {
        due.compareAndSet(now, null);
        offered.compareAndSet(now, null);
    }

    private void refused(Due now, String why) {
        if (now.whole) {
            // The replica asks for another image, if it still needs one.
            end(now);
            return;
        }
        LOG.error(
                "Transaction {} of the cluster has changed the schema, and this node can't carry the change out: {}. Its"
                        + " partitions stand still; it is tried again.",
                now.transaction,
                why);
        // Another object, so that the agent sees it as one that is not under way.
        due.compareAndSet(now, new Due(now.content, now.transaction, false));
    }
}
