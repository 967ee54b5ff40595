package io.reprise.execution.durable;

import io.reprise.execution.CommitGate;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.execution.Result;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.Work;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.id.BucketSet;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.agent.Agent;
import io.reprise.storage.PartitionStore;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A site's way from commit to reply: builds the log record of each transaction that wrote something, before its partitions
 * go on, and holds replies back until the log is durable up to what their transactions wrote and may have seen.
 *
 * <p>A transaction that wrote nothing, or was rolled back, has no record; but it may have read what the transaction before
 * it wrote, so its reply waits for the position that the partition's log had when it ran. A transaction with several
 * participants leaves one record, in the log of the partition that ran it, joined with the others'; its reply waits for
 * all of them.
 *
 * <p>Replies leave in the order in which transactions ran. With an asynchronous log they don't wait.
 *
 * <p><b>A full or read-only disk.</b> While the {@link LogAdmission} is closed, or does not admit what would be a large
 * record, a transaction that wrote is rolled back and refused, whatever else it did, so that nobody waits for a disk that takes nothing. Reads go on. Only where the log is
 * blocked with writes in it that are not on disk, a read of that partition is refused too: it may have seen them. What had
 * been logged before waits until the log can be written, and so does a repetition of a call that was.
 *
 * <p>Owned by the site's thread; its duty cycle, which follows the executor's, wakes the log's writer if need be, and lets
 * replies go. The writer takes its time while the site has work; when a cycle has none but replies wait, or calls for room in the log, it
 * is asked to hurry.
 * Marks that it left in other partitions' logs need no waking of their own:
 * the writer is the same one, and is woken for the record that they belong to.
 */
public final class DurableGate implements CommitGate, Agent {
    private static final int NO_BUCKET = -1;
    private static final String NOBODY_WRITES = "Reads go on, and writes when the log can be written again";
    private static final String OTHERS_WRITE =
            "Reads go on, and so do writes that need less; this one can be made when the log has room again";

    private final int site;
    private final LocalPartitions partitions;

    /** Those of the site's own partitions. */
    private final PartitionLog[] own;

    /** By slot. */
    private final PartitionLog[] logs;

    private final PartitionLog[] joined;
    private final LoggingMethod method;
    private final boolean synchronous;
    private final DataCollector[] collectors;
    private final CommandRecorder commandRecorder = new CommandRecorder();
    private final LogAdmission admission;
    private final ReplyQueue replies;

    /** By slot; null on a node that serves alone. */
    private final Replication[] replications;

    /** The replies of the engine's own works, which don't wait for replicas; null on a node that serves alone. */
    private final ReplyQueue ownReplies;

    private final SiteMeter meter;

    /** By slot, if footprints are collected; otherwise null. */
    private PartitionStore[] footprints;

    /** Of the adaptive method; otherwise null. */
    private LoggingChooser chooser;

    /** Whether the footprint of the present transaction has its writes. */
    private boolean toldWrites;

    private long passed;
    private long passedBefore;
    private long passedWhenAsked;

    /** The execution that {@link #commit} has logged or refused, until {@link #finished}. */
    private Execution logged;

    private Execution refused;

    /**
     * A gate.
     *
     * @param site the one on whose thread it is used
     * @param partitions of the node
     * @param logs by slot
     * @param collectors by slot, each used by whoever holds that partition
     * @param admission the log writer's view of the disk
     * @param stability by slot, the positions that replies wait for
     * @param waitingReplies the most replies that wait
     */
    public DurableGate(
            int site,
            LocalPartitions partitions,
            PartitionLog[] logs,
            LoggingMethod method,
            DataCollector[] collectors,
            LogAdmission admission,
            boolean synchronous,
            Stability[] stability,
            int waitingReplies,
            SiteMeter meter) {
        this(
                site,
                partitions,
                logs,
                method,
                collectors,
                admission,
                synchronous,
                stability,
                null,
                waitingReplies,
                meter);
    }

    /**
     * The same for a node of a cluster.
     *
     * @param replications by slot, null entries where the node has no replica; null on a node that serves alone
     */
    public DurableGate(
            int site,
            LocalPartitions partitions,
            PartitionLog[] logs,
            LoggingMethod method,
            DataCollector[] collectors,
            LogAdmission admission,
            boolean synchronous,
            Stability[] stability,
            Replication[] replications,
            int waitingReplies,
            SiteMeter meter) {
        this.site = site;
        this.partitions = partitions;
        this.logs = logs.clone();
        this.own = IntStream.range(0, logs.length)
                .filter(slot -> partitions.layout().siteOf(slot) == site)
                .mapToObj(slot -> logs[slot])
                .toArray(PartitionLog[]::new);
        this.joined = new PartitionLog[logs.length];
        this.method = method;
        this.synchronous = synchronous;
        this.collectors = collectors.clone();
        this.admission = admission;
        this.replications = replications == null ? null : replications.clone();
        this.replies = new ReplyQueue(waitingReplies, stability, this.replications, partitions, meter);
        this.ownReplies = replications == null ? null : new ReplyQueue(waitingReplies, stability, partitions, meter);
        this.meter = meter;
    }

    /** Before any transaction: footprints are kept of what is logged. The stores are given by slot. */
    public void keepFootprints(PartitionStore[] stores) {
        footprints = stores.clone();
    }

    /** Before any transaction, with footprints: the chooser of the adaptive method. */
    public void chooseBy(LoggingChooser newChooser) {
        chooser = newChooser;
    }

    @Override
    public String roleName() {
        return "replies-" + site;
    }

    /** A blocked log makes no room; those that write find that out when they commit, and the others go on. */
    @Override
    public boolean hasRoom(Partition at) {
        if (replications != null && replications[at.slot()] != null && !replications[at.slot()].hasRoom()) {
            return false;
        }
        return logs[at.slot()].hasRoom() && !replies.isFull() || admission.isBlocked();
    }

    @Override
    public int mostLent(Partition at) {
        return logs[at.slot()].marksInRoom();
    }

    @Override
    public void commit(Partition at, Execution execution) {
        Work work = execution.work();
        try {
            if (work instanceof SelfLogged selfLogged) {
                // It has seen to room before it did anything.
                RecordBuilder record = logs[at.slot()].begin(selfLogged.recordKind(), execution.id(), NO_BUCKET, 0);
                selfLogged.writeRecord(record);
                publish(record, execution);
                if (selfLogged.secondKind() != null) {
                    RecordBuilder second = logs[at.slot()].begin(selfLogged.secondKind(), execution.id(), NO_BUCKET, 0);
                    selfLogged.writeSecond(second);
                    publish(second, execution);
                }
            } else if (wrote(at, execution)) {
                if (admission.isOpen() && canLog(at, execution)) {
                    log(at, execution);
                } else {
                    refuseWriter(execution, why(), NOBODY_WRITES);
                }
            }
        } catch (LogRecordTooLargeException e) {
            execution.outcome().fail(ErrorCode.VALUE_TOO_LONG, e.getMessage());
        } catch (ProcedureException e) {
            execution.outcome().fail(e.code(), e.getMessage());
        }
    }

    /** While the log was blocked transactions were taken without room, and it may have begun to be written just now. */
    private boolean canLog(Partition at, Execution execution) {
        PartitionLog home = logs[at.slot()];
        for (int i = 0; i < execution.participantCount(); i++) {
            PartitionLog log = log(execution, i);
            if (log != home && !log.hasRoomForMark()) {
                return false;
            }
        }
        return home.hasRoom() && !replies.isFull();
    }

    private PartitionLog log(Execution execution, int participant) {
        return logs[partitions.slotOf(execution.participant(participant))];
    }

    private void refuseWriter(Execution execution, String why, String whatGoesOn) {
        refused = execution;
        execution
                .outcome()
                .fail(
                        ErrorCode.STORAGE_UNAVAILABLE,
                        "the transaction was rolled back, because what it wrote can't be logged: " + why + ". "
                                + whatGoesOn + "; it is tried ten times a second");
    }

    private void refuseReader(Execution execution) {
        if (execution.outcome().hasRunBefore()) {
            execution
                    .outcome()
                    .fail(
                            ErrorCode.OUTCOME_UNKNOWN,
                            "the call was made before, and what it wrote is not on disk yet, because the log can't be written: "
                                    + why());
            return;
        }
        execution
                .outcome()
                .fail(
                        ErrorCode.STORAGE_UNAVAILABLE,
                        "the transaction may have read what is not on disk yet, because the log can't be written: "
                                + why() + ". It is tried again ten times a second");
    }

    private String why() {
        return admission.refusal().orElse("its buffers are full, because it could not be written until now");
    }

    private static boolean wrote(Partition at, Execution execution) {
        if (execution.participantCount() == 1) {
            return at.store().hasWrites();
        }
        return at.lent().hasWrites();
    }

    private void log(Partition at, Execution execution) {
        toldWrites = false;
        if (isLoggedAsCommand(execution)) {
            RecordBuilder record = begin(at, RecordKind.COMMAND, execution);
            commandRecorder.record(execution.work(), execution.request(), record);
            long bytes = record.payloadBytes();
            if (publishIfAdmitted(at, record, execution) && footprints != null) {
                keepFootprint(execution, bytes, false);
            }
        } else {
            logData(at, execution);
        }
    }

    private boolean isLoggedAsCommand(Execution execution) {
        return switch (execution.work().logging()) {
            case AS_CONFIGURED ->
                method == LoggingMethod.COMMAND || method == LoggingMethod.ADAPTIVE && !choosesData(execution);
            case COMMAND -> true;
            case DATA -> false;
        };
    }

    /** The adaptive choice. The writes of candidates are told before their record, for their frequencies. */
    private boolean choosesData(Execution execution) {
        int version = execution.work().version();
        int count = execution.participantCount();
        if (chooser.isDataAtOnce(version, count > 1, execution.id())) {
            return true;
        }
        if (!chooser.isCandidate(version, count > 1)) {
            return false;
        }
        double frequency = 0;
        for (int i = 0; i < count; i++) {
            PartitionStore store = footprints[partitions.slotOf(execution.participant(i))];
            int mark = store.footprint().mark();
            store.tellWrites();
            frequency += chooser.frequency(store.footprint(), mark);
        }
        toldWrites = true;
        return chooser.isData(version, count > 1, frequency, meter.nowNs());
    }

    /** Replicated tables are the same at each participant, so one participant's writes to them are enough. */
    private void logData(Partition at, Execution execution) {
        int count = execution.participantCount();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += collectors[partitions.slotOf(execution.participant(i))].collect(i == 0);
        }
        if (bytes == 0) {
            return;
        }
        RecordBuilder record = begin(at, RecordKind.DATA, execution);
        long to = record.makeRoom(bytes);
        for (int i = 0; i < count; i++) {
            to = collectors[partitions.slotOf(execution.participant(i))].writeTo(record.memory(), to);
        }
        record.wroteUpTo(to);
        long payload = record.payloadBytes();
        if (publishIfAdmitted(at, record, execution) && footprints != null) {
            keepFootprint(execution, payload, true);
        }
    }

    /** A data record depends on nothing, so its footprint has writes only. */
    private void keepFootprint(Execution execution, long payloadBytes, boolean data) {
        int count = execution.participantCount();
        int version = execution.work().version();
        for (int i = 0; i < count; i++) {
            PartitionStore store = footprints[partitions.slotOf(execution.participant(i))];
            if (data) {
                store.footprint().forget();
            } else if (!execution.work().tellsReads()) {
                store.footprint().makeCoarse();
            }
            if (data || !toldWrites) {
                store.tellWrites();
            }
            if (count > 1) {
                store.footprint().parts(count);
            }
            store.footprint().commit(execution.id(), version, count > 1, data);
        }
        if (chooser != null) {
            chooser.logged(version, count > 1, data, payloadBytes, meter.averageNs());
        }
    }

    /** The size was not known before. A record in the ring has room. */
    private boolean publishIfAdmitted(Partition at, RecordBuilder record, Execution execution) {
        if (record.isSpilled()) {
            Optional<String> refusal = admission.refusal(logs[at.slot()].spilledBytes() + record.payloadBytes());
            if (refusal.isPresent()) {
                record.abandon();
                refuseWriter(execution, refusal.get(), admission.isOpen() ? OTHERS_WRITE : NOBODY_WRITES);
                return false;
            }
        }
        publish(record, execution);
        return true;
    }

    private RecordBuilder begin(Partition at, RecordKind kind, Execution execution) {
        RecordBuilder record = logs[at.slot()].begin(
                kind,
                execution.id(),
                execution.bucket(),
                WriteHash.folded(execution.outcome().writeHash()));
        BucketSet buckets = execution.buckets();
        if (buckets != null && buckets.isListed()) {
            record.putBuckets(buckets);
        }
        if (execution.request().sequence() != 0) {
            Result result = execution.outcome().result();
            record.putCaller(
                    execution.request().client(),
                    execution.request().sequence(),
                    result.kind().ordinal(),
                    result.word());
        }
        return record;
    }

    private void publish(RecordBuilder record, Execution execution) {
        int count = execution.participantCount();
        logged = execution;
        if (count == 1) {
            Replication replication = replicationOf(execution);
            if (replication != null && !(execution.work() instanceof SelfLogged)) {
                replication.publish(record, execution.id());
            } else {
                record.end();
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            joined[i] = log(execution, i);
        }
        record.end(joined, count);
    }

    /** The replication of the only participant, or null. */
    private Replication replicationOf(Execution execution) {
        return replications == null ? null : replications[partitions.slotOf(execution.participant(0))];
    }

    @Override
    public void leaving(int participant, Execution execution) {
        execution.seen(participant, log(execution, participant).position());
    }

    @Override
    public void finished(Partition at, Execution execution) {
        passed++;
        boolean wrote = logged == execution;
        boolean answered = refused == execution || !execution.work().keepsWrites();
        logged = null;
        refused = null;
        if (replications != null && !answered) {
            finishInCluster(at, execution, wrote);
        } else if (!synchronous || answered || replies.isEmpty() && isStable(at, execution)) {
            meter.answeredAtOnce(execution);
            execution.reply();
        } else if (wrote
                || !replies.isFull()
                        && (!admission.isBlocked() || execution.outcome().hasRunBefore())) {
            replies.add(at, execution, logs[at.slot()].position());
        } else {
            answerReader(at, execution);
        }
    }

    /** A reply waits for the replicas; the answer of a transaction that wrote nothing waits to be confirmed. */
    private void finishInCluster(Partition at, Execution execution, boolean wrote) {
        long position = logs[at.slot()].position();
        if (execution.work() instanceof EngineWork) {
            ownReplies.add(at, execution, position);
            return;
        }
        Replication replication = replicationOf(execution);
        long token = replication.token(wrote);
        if (replies.isEmpty() && replication.position() >= position && replication.confirmed() >= token) {
            meter.answeredAtOnce(execution);
            execution.reply();
        } else {
            replies.addReplicated(at, execution, position, token, wrote);
        }
    }

    /** The log is blocked, or was when this was taken: those that wait before it may wait long. */
    private void answerReader(Partition at, Execution execution) {
        if (!isStable(at, execution)) {
            refuseReader(execution);
        }
        meter.answeredAtOnce(execution);
        execution.reply();
    }

    private boolean isStable(Partition at, Execution execution) {
        return replies.isStable(at, execution, logs[at.slot()].position());
    }

    /** The number of replies that wait for the log. */
    public int waiting() {
        return replies.size() + (ownReplies == null ? 0 : ownReplies.size());
    }

    @Override
    public int doWork(long nowNs) {
        for (PartitionLog log : own) {
            log.wakeWriter(nowNs);
        }
        int count = hurry();
        if (ownReplies != null) {
            count += ownReplies.release();
        }
        return count + replies.release();
    }

    /**
     * Once for all that wait when the site has run out of work, replies or calls that the log has no room for: the force that follows
     * covers them.
     */
    private int hurry() {
        boolean idle = passed == passedBefore;
        passedBefore = passed;
        if (!idle || waiting() == 0 && haveRoom() || passedWhenAsked == passed) {
            return 0;
        }
        passedWhenAsked = passed;
        own[0].hurryWriter();
        return 1;
    }

    private boolean haveRoom() {
        for (PartitionLog log : own) {
            if (!log.hasRoom()) {
                return false;
            }
        }
        return true;
    }
}
