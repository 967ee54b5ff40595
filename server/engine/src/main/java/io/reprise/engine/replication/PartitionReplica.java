package io.reprise.engine.replication;

import io.reprise.cluster.MapOperation;
import io.reprise.cluster.PartitionMap;
import io.reprise.cluster.ReplicaStatus;
import io.reprise.cluster.replica.ImageSource;
import io.reprise.cluster.replica.Machine;
import io.reprise.cluster.replica.Replica;
import io.reprise.cluster.replica.ReplicaGroup;
import io.reprise.cluster.replica.ReplicaLog;
import io.reprise.cluster.transaction.PartitionTransactions;
import io.reprise.cluster.transaction.TransactionRecord;
import io.reprise.cluster.transaction.TransactionSite;
import io.reprise.cluster.transaction.TransactionState;
import io.reprise.execution.Admission;
import io.reprise.execution.BucketMap;
import io.reprise.execution.Door;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.durable.Replication;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.log.LogRecords;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.PublishedLong;
import io.reprise.runtime.agent.Waker;
import io.reprise.runtime.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;
import java.util.function.IntToLongFunction;
import java.util.function.LongPredicate;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A replica of an engine's partition: joins the state machine with the partition's log and rows, admits transactions while
 * this node leads, and says up to where replies may leave.
 *
 * <p>A new leader admits transactions when it has taken up an inherited part, and the node's initiators stamp above all ids
 * of the stream. Owned by the partition's
 * thread.
 */
public final class PartitionReplica implements Machine, Replication, Admission, Door, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PartitionReplica.class);

    /** Transactions wait while so many bytes of rows wait that they have changed ahead of an image. */
    private static final long MOST_SAVED_BYTES = 32L << 20;

    private final Partition partition;
    private final StreamSchema schema;
    private final ReplicatedTransactions settings;
    private final EngineLog log;
    private final StreamApplier applier;
    private final EngineStore store;
    private final TransactionState state;
    private final PartitionTransactions transactions;
    private final LongPredicate stampAbove;
    private final Refusal refusal;
    private final BucketRoutes routes;
    private final BucketMover mover;
    private final IntPredicate isLed;
    private final FollowedMoves followed;
    private final PublishedLong lastIndex = new PublishedLong();
    private final LoadedRows rows;
    private final FollowerLags lags = new FollowerLags();
    private final AtomicReference<Told> status;
    private ReplicaGroup group;
    private Replica replica;
    private PartitionExecutor executor;
    private Replica.Role toldRole = Replica.Role.OUT;
    private boolean toldHere;
    private boolean toldServes;
    private long toldEpoch;
    private long term = NOT_LED;
    private long lastToken;
    private boolean toldCutOff;
    private long toldDivergences;
    private boolean isRouted;
    private long routedHash;
    private long leaderships;
    private boolean cutOff;
    private boolean outrunsJoiner;
    private long stable;

    /** The images that are being sent. */
    private final List<ImageSweep> sweeps = new ArrayList<>();

    private boolean outrunsImage;

    /** The published part of the state. */
    private record Told(
            String role,
            boolean here,
            boolean serves,
            long epoch,
            boolean cutOff,
            long leaderships,
            long divergences) {}

    /**
     * A replica.
     *
     * @param routes the node's routes, which follow the stream while this node leads
     * @param stampAbove has all initiators of the node stamp above an id; false if one can't for the moment
     * @param leader names the node that leads, for messages; empty if none is known
     * @param load the present load of a bucket
     * @param isLed whether a partition has a leader that runs, as far as this node knows
     * @param operations changes the cluster's map
     */
    public PartitionReplica(
            Partition partition,
            PartitionLog ring,
            NodeStreams streams,
            StreamSchema schema,
            ReplicatedTransactions settings,
            BucketRoutes routes,
            LongPredicate stampAbove,
            Supplier<String> leader,
            IntToLongFunction load,
            IntPredicate isLed,
            Function<MapOperation, CompletableFuture<PartitionMap>> operations) {
        this.partition = partition;
        this.schema = schema;
        this.settings = settings;
        this.routes = routes;
        this.stampAbove = stampAbove;
        refusal = new Refusal(partition.id(), leader);
        status = new AtomicReference<>(new Told(toldRole.name(), false, false, 0, false, 0, 0));
        applier = new StreamApplier(partition, schema);
        log = new EngineLog(ring, streams.of(partition.id()), streams, applier);
        state = streams.of(partition.id()).transactions;
        partition.store().own(log.buckets().now());
        partition.store().follow(true);
        mover = new BucketMover(partition.id(), log.buckets(), applier.leaving(), load, isLed, operations);
        followed = new FollowedMoves(partition.id(), log.buckets(), applier.leaving());
        this.isLed = isLed;
        rows = new LoadedRows(partition.store().scope(), log.buckets());
        store = new EngineStore(partition, ring, log, schema, applier, rows, settings);
        transactions = new PartitionTransactions(
                partition.id(),
                store,
                state,
                settings.settings(),
                (record, before) -> record instanceof TransactionRecord.Decision decision && decision.commit()
                        ? before.open().effects()
                        : log.form(record),
                settings.clock());
    }

    /** Adds it to the group of its site. */
    public void join(ReplicaGroup ofSite) {
        group = ofSite;
        replica = group.add(partition.id(), log, this);
    }

    /** Before the first step: the reading of the log's files, for peers that lag. The waker is null if the site polls. */
    public void feedBy(StreamFeeds feeds, Waker site) {
        log.feedBy(feeds, site);
    }

    /**
     * Before the first step, of a recovery on demand.
     *
     * @param wanted has a bucket loaded soon, or all
     * @param failed a view of the node's buckets that can't be loaded, with the reasons
     */
    public void loadBy(IntConsumer wanted, Map<Integer, String> failed) {
        rows.loadBy(wanted, failed);
    }

    /** Before the first step, of adaptive logging: the chooser of the site has the forms of transactions over nodes at home chosen. */
    public void chooseBy(LoggingChooser chooser, Clock clock) {
        store.chooseBy(new PartForms(partition.store(), chooser, clock));
    }

    /** Transactions over nodes: enters by the executor's door. */
    public void enter(PartitionExecutor executor, TransactionSite site, NodeCalls calls) {
        this.executor = executor;
        store.runBy(executor);
        executor.enterBy(this);
        site.add(transactions);
        calls.add(this);
    }

    /** The partition's number. */
    int partition() {
        return partition.id();
    }

    Partition at() {
        return partition;
    }

    EngineStore store() {
        return store;
    }

    /** The rows that are loaded. */
    LoadedRows rows() {
        return rows;
    }

    PartitionTransactions transactions() {
        return transactions;
    }

    @Override
    public boolean isHeld() {
        return transactions.isHeld() || log.isChangeDue();
    }

    /**
     * A change of the schema has to meet all partitions of the node, also those that another transaction's change waits for. Rows are loaded
     * while a part of an earlier leader waits for its verdict.
     */
    @Override
    public boolean admitsEngine() {
        return schema.isChangeDue() && isPatient() || !rows.isWhole() && store.isBetweenTransactions();
    }

    private boolean isChangeOpen() {
        return state.open() != null && applier.decoded(state.open().effects()).kind() == RecordKind.SCHEMA;
    }

    /** Whether a committed change of the schema waits for the node's other partitions. */
    public boolean isChangeDue() {
        return log.isChangeDue();
    }

    /** Whether the map, as far as it is known, still counts on this node's replica. While the partition is lent to the caller. */
    public boolean isCounted() {
        return replica.isCounted();
    }

    /**
     * The node has carried out a change of the schema. A replica that has not come to that place in its stream holds rows of a former
     * schema, and is loaded anew; it is not in sync, because each in-sync replica has the change's part. While the partition is lent
     * to the caller, or before it starts.
     *
     * @param isWhole whether the node's tables were replaced with their rows, so that no replica holds anything
     */
    public void changed(long transactionId, boolean isWhole) {
        if (!hasLog()) {
            log.changed(transactionId);
        } else if (!log.changed(transactionId) || isWhole) {
            LOG.info("Partition {} has missed a change of the schema, and is loaded anew", partition.id());
            store.undo();
            if (replica == null) {
                log.beginImage();
            } else {
                replica.startAnew();
            }
        }
    }

    @Override
    public long lowestReserved() {
        return transactions.lowestReserved();
    }

    /** Whether a call over nodes with its home here may begin; otherwise it has its outcome. */
    boolean admitsOverNodes(Execution call) {
        if (!admitsAtAll(call)) {
            return false;
        }
        if (!transactions.isServing()) {
            call.outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "partition " + partition.id() + " is changing its leader; the call was not run");
            return false;
        }
        return reachesLeaders(call);
    }

    /** A leader that is not reached would let the call wait in vain, and hold its other partitions meanwhile. */
    private boolean reachesLeaders(Execution call) {
        for (int i = 0; i < call.participantCount(); i++) {
            int leader = group.unreachedLeader(call.participant(i));
            if (leader >= 0) {
                call.outcome()
                        .fail(
                                ErrorCode.PARTITION_UNAVAILABLE,
                                Refusal.unreached(call.participant(i), leader)
                                        + call.work().name() + " was not run");
                return false;
            }
        }
        return true;
    }

    /** Whether calls of this partition alone wait for their turns. */
    boolean hasCallsAlone() {
        return executor.waiting() > 0;
    }

    /** Whether its log has records, or an image that is not complete. */
    public boolean hasLog() {
        return log.holdsRecords() || log.isLoading();
    }

    /** Whether the node holds a replica, or is to hold one. Any thread. */
    public boolean isHere() {
        return status.get().here;
    }

    /** Whether it leads and admits calls. Any thread. */
    public boolean isServing() {
        return status.get().serves;
    }

    /** Its log, for the node's entry. */
    public ReplicaLog log() {
        return log;
    }

    /** Its state at the end of the last cycle that changed it. Any thread. */
    public ReplicaStatus status() {
        Told last = status.get();
        return new ReplicaStatus(
                partition.id(),
                last.role,
                last.serves,
                last.epoch,
                lastIndex.get(),
                last.cutOff,
                last.leaderships,
                last.divergences,
                lags.now());
    }

    // ---- Each cycle

    /** Takes the partition back from a work of the node that waits for other partitions. */
    void takeBack() {
        executor.takeBack();
    }

    /** Returns it to that work. */
    void giveBack() {
        executor.giveBack();
    }

    /** Before the group's step. */
    int beforeStep() {
        store.beginStep();
        return log.step();
    }

    /** Whether the node holds nothing of the partition, and is not to: then no step changes anything. */
    boolean isIdle() {
        return replica.role() == Replica.Role.OUT && !toldHere && !replica.isWanted() && !log.holdsRecords();
    }

    /** In place of the steps of a replica that holds nothing: works of the engine may have left records in the log. */
    int stepIdly() {
        long position = log.durablePosition();
        int work = position == stable ? 0 : 1;
        stable = position;
        return work;
    }

    /**
     * After the group's step: takes up or gives up the leadership, and publishes the stable position.
     *
     * @param attendedNs the time as the group's replicas measure it
     */
    int afterStep(long nowNs, long attendedNs) {
        boolean leads = replica.role() == Replica.Role.LEADER;
        if (term != NOT_LED && (!leads || replica.term() != term)) {
            LOG.info("Partition {} is not led by this node any more", partition.id());
            term = NOT_LED;
            partition.store().follow(true);
            mover.end();
            partition.outcomes().forgetPassing();
        }
        if (leads && term == NOT_LED && transactions.isServing() && stampAbove.test(highestId())) {
            LOG.info("Partition {} is led by this node in epoch {}", partition.id(), replica.entered());
            term = replica.term();
            partition.store().follow(false);
            leaderships++;
            lastToken = replica.nextToken();
        }
        route();
        cutOff = leads && replica.isCutOff(attendedNs);
        long position =
                leads ? log.position(Math.min(replica.stable(), transactions.tellable())) : log.durablePosition();
        loadToTakePart();
        outrunsJoiner = leads && replica.outrunsJoiner(attendedNs);
        outrunsImage = outrunsImage();
        log.trim(leads ? replica.neededFrom() : Long.MAX_VALUE, leads ? replica.keptFrom() : Long.MAX_VALUE);
        lastIndex.set(log.lastIndex());
        if (leads) {
            // A part or a commit holds partitions or callers, and no reply waits in the gate for it.
            log.hurry(transactions.awaited());
        } else {
            log.hurry();
        }
        int work = moveBuckets(nowNs);
        lags.step(replica, log, replica.isForced(), nowNs);
        tell();
        if (position == stable) {
            return work;
        }
        stable = position;
        return work + 1;
    }

    /** A replica that is out leads or joins when all of its rows are here. */
    private void loadToTakePart() {
        if (replica.role() != Replica.Role.OUT || rows.isWhole()) {
            return;
        }
        boolean led = isLed.test(partition.id());
        if (replica.awaitsRows() || led) {
            rows.askForAll();
        }
        if (replica.awaitsRows() && !led) {
            rows.requireAll("partition " + partition.id() + " has no leader");
        }
    }

    /** Calls are routed by the stream's buckets while this node leads. */
    private void route() {
        if (term == NOT_LED) {
            if (isRouted) {
                isRouted = false;
                routes.lost(partition.id());
            }
        } else if (!isRouted || routedHash != log.buckets().hash()) {
            isRouted = true;
            routedHash = log.buckets().hash();
            routes.led(partition.id(), log.buckets());
        }
    }

    private boolean outrunsImage() {
        sweeps.removeIf(ImageSweep::isClosed);
        for (ImageSweep each : sweeps) {
            if (each.savedBytes() > MOST_SAVED_BYTES) {
                return true;
            }
        }
        return false;
    }

    private int moveBuckets(long nowNs) {
        boolean follows = replica.role() == Replica.Role.FOLLOWER || replica.role() == Replica.Role.JOINING;
        if (!follows) {
            followed.end();
        }
        if (!store.isBetweenTransactions() || !rows.isWhole()) {
            return 0;
        }
        if (follows && group.map() != null) {
            return followed.step(group.map());
        }
        if (term == NOT_LED || !transactions.isServing()) {
            return 0;
        }
        MoveCall move = mover.step(group.map(), nowNs);
        if (move != null) {
            move.begin(transactions, nowNs);
        }
        return applier.leaving().step();
    }

    private void tell() {
        boolean serves = term != NOT_LED;
        boolean here = replica.isWanted() || log.holdsRecords();
        long divergences = replica.divergences();
        if (replica.role() != toldRole
                || here != toldHere
                || replica.entered() != toldEpoch
                || serves != toldServes
                || cutOff != toldCutOff
                || divergences != toldDivergences) {
            toldRole = replica.role();
            toldEpoch = replica.entered();
            toldHere = here;
            toldServes = serves;
            toldCutOff = cutOff;
            toldDivergences = divergences;
            status.set(new Told(toldRole.name(), here, serves, toldEpoch, cutOff, leaderships, divergences));
        }
    }

    private long highestId() {
        return Math.max(log.lastId(), state.lastId());
    }

    // ---- Machine

    @Override
    public void apply(long index, byte[] payload) {
        LogRecords record = applier.decoded(payload);
        long id = record.transactionId();
        if (record.kind() == RecordKind.TRANSACTION) {
            state.apply(index, TransactionRecord.decode(record.payloadCopy()));
        } else if (state.open() != null && state.open().run().id() == id) {
            state.apply(index, new TransactionRecord.Decision(state.open().name(), true));
        } else {
            applier.apply(payload);
            state.ranAlone(index, id);
        }
    }

    @Override
    public boolean isPatient() {
        return store.isChange() || log.isChangeDue() || isChangeOpen();
    }

    @Override
    public boolean isWhole() {
        return rows.isWhole();
    }

    @Override
    public boolean hasImage() {
        return rows.isWhole() && store.hasImage();
    }

    @Override
    public ImageSource image(int pieceBytes) {
        ImageSweep sweep = log.image(pieceBytes, schema.changed(), schema.hash(), schema.whole());
        sweeps.add(sweep);
        return sweep;
    }

    @Override
    public boolean take(int number, byte[] piece) {
        ImageHead head = log.arriving().newHead();
        if (head == null || head.changed() == schema.changed() && head.schemaHash() == schema.hash()) {
            return true;
        }
        // A later change here is one that the cluster has forgotten: this node alone had its commit.
        schema.take(head.schema(), head.changed());
        return false;
    }

    // ---- The gate's side

    @Override
    public boolean admits(Execution execution) {
        if (!admitsAtAll(execution)) {
            return false;
        }
        if (term != NOT_LED && execution.id() <= highestId() && !(execution.work() instanceof EngineWork)) {
            execution
                    .outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "partition " + partition.id() + " has changed its leader; the call was not run");
            return false;
        }
        return term == NOT_LED || hasBuckets(execution) && hasRows(execution);
    }

    /** Whether the rows of a call are loaded. The initiator has parked it otherwise, unless this leadership began meanwhile. */
    private boolean hasRows(Execution execution) {
        if (execution.work() instanceof EngineWork || rows.suffice(execution)) {
            return true;
        }
        String problem = rows.problem();
        execution
                .outcome()
                .fail(
                        ErrorCode.PARTITION_UNAVAILABLE,
                        problem != null
                                ? problem + "; the call was not run"
                                : "rows of partition " + partition.id()
                                        + " are being loaded; the call was not run. Try again");
        return false;
    }

    /** Whether all buckets of a call are here at this place of the stream; otherwise the call has its outcome. */
    private boolean hasBuckets(Execution execution) {
        if (execution.work() instanceof EngineWork
                || log.buckets().hasAllOf(execution, partition.id())
                || !settings.holds(StreamRule.RUN_WHERE_BUCKETS_ARE)) {
            return true;
        }
        String why = missing(execution) + "; the call was not run. Try again";
        if (execution.map() == schema.buckets()) {
            // Not MOVED: clients would ask this partition's leader again at once, and the map follows in a moment.
            execution.outcome().fail(ErrorCode.PARTITION_UNAVAILABLE, why);
        } else {
            execution.outcome().failMisrouted(why);
        }
        return false;
    }

    private String missing(Execution execution) {
        Integer to = execution.bucket() < 0 ? null : log.buckets().goneTo(execution.bucket());
        return to == null
                ? "a bucket of " + execution.work().name() + " is not in partition " + partition.id()
                : "bucket " + execution.bucket() + " has moved from partition " + partition.id() + " to partition "
                        + to;
    }

    /** The partition of each bucket, as calls are routed now. */
    BucketMap routes() {
        return schema.buckets();
    }

    private boolean admitsAtAll(Execution execution) {
        if (term == NOT_LED) {
            return refusal.admits(execution);
        }
        if (cutOff && !(execution.work() instanceof EngineWork)) {
            execution
                    .outcome()
                    .fail(
                            ErrorCode.PARTITION_UNAVAILABLE,
                            "the leader of partition " + partition.id()
                                    + " can reach neither its replicas nor the membership service; the call was not run."
                                    + " Try again at another node");
            return false;
        }
        return true;
    }

    @Override
    public boolean hasRoom() {
        return !outrunsJoiner && !outrunsImage && !log.isFull();
    }

    @Override
    public void publish(RecordBuilder record, long transactionId) {
        log.publish(record, transactionId);
        state.ranAlone(log.lastIndex(), transactionId);
    }

    @Override
    public boolean isCutOff() {
        return cutOff;
    }

    @Override
    public long term() {
        return term;
    }

    @Override
    public long token(boolean wrote) {
        if (!wrote && term != NOT_LED) {
            lastToken = replica.nextToken();
        }
        return lastToken;
    }

    @Override
    public long confirmed() {
        return term == NOT_LED ? 0 : replica.confirmed();
    }

    @Override
    public long position() {
        return stable;
    }

    @Override
    public void close() {
        sweeps.forEach(ImageSweep::close);
        applier.close();
        log.close();
    }
}
