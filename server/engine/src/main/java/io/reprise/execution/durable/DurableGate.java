package io.reprise.execution.durable;

import io.reprise.execution.CommitGate;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.Work;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.PartitionLog;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.agent.Agent;
import io.reprise.storage.PartitionStore;
import java.util.stream.IntStream;

/**
 * A site's way from commit to reply. It has the {@link CommitRecorder} append the record of each transaction that wrote something, before
 * the partitions go on. It holds replies until the log is durable up to all that their transactions wrote or may have read.
 *
 * <p>A transaction that wrote nothing, or was rolled back, has no record. It may have read the writes of the transaction before it, so its
 * reply waits for the position that the partition's log had then. The reply of a transaction with several participants waits for all of
 * their logs.
 *
 * <p>Replies leave in the order in which transactions ran. With an asynchronous log they don't wait.
 *
 * <p><b>A full or read-only disk.</b> The {@link LogAdmission} is closed then, or does not admit a large record. A transaction that wrote
 * is rolled back and refused, so that no call waits for a disk without room. Reads go on. If the blocked log holds writes that are not on
 * disk, reads of that partition are refused too, because they may have seen them. Replies of records in the log wait until it can be
 * written again, and so do repetitions of their calls.
 *
 * <p>Owned by the site's thread. The duty cycle follows the executor's: it wakes the log's writer if need be, and releases replies. The
 * writer takes its time while the site has work. When a cycle has none, but replies wait or calls lack room in the log, the writer is
 * asked to hurry. Marks in other partitions' logs need no waking: the same writer is woken for the record that they belong to.
 */
public final class DurableGate implements CommitGate, Agent {
    private static final String NOBODY_WRITES = "Reads go on, and writes when the log can be written again";
    private static final String OTHERS_WRITE =
            "Reads go on, and so do writes that need less; this one can be made when the log has room again";

    private final int site;
    private final LocalPartitions partitions;

    /** Those of the site's own partitions. */
    private final PartitionLog[] own;

    /** By slot. */
    private final PartitionLog[] logs;

    private final boolean synchronous;
    private final CommitRecorder recorder;
    private final LogAdmission admission;
    private final ReplyQueue replies;

    /** By slot; null on a node that serves alone. */
    private final Replication[] replications;

    /** The replies of the engine's own works, which don't wait for replicas; null on a node that serves alone. */
    private final ReplyQueue ownReplies;

    private final SiteMeter meter;

    private long passed;
    private long passedBefore;
    private long passedWhenAsked;

    /** The execution that {@link #commit} has refused, until {@link #finished}. */
    private Execution refused;

    /**
     * A gate.
     *
     * @param site the one on whose thread it is used
     * @param partitions of the node
     * @param logs by slot
     * @param collectors by slot, each used by the thread that holds that partition
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
        this.synchronous = synchronous;
        this.admission = admission;
        this.replications = replications == null ? null : replications.clone();
        this.recorder =
                new CommitRecorder(partitions, this.logs, method, collectors, admission, this.replications, meter);
        this.replies = new ReplyQueue(waitingReplies, stability, this.replications, partitions, meter);
        this.ownReplies = replications == null ? null : new ReplyQueue(waitingReplies, stability, partitions, meter);
        this.meter = meter;
    }

    /** Keeps footprints of all that is logged. Called before any transaction, with the stores by slot. */
    public void keepFootprints(PartitionStore[] stores) {
        recorder.keepFootprints(stores);
    }

    /** Keeps an image of the rows that each command writes. Called before any transaction, with rings by slot. */
    public void keepImages(ImageRing[] rings) {
        recorder.keepImages(rings);
    }

    /** Any thread: transactions that were logged as rows, because the image of their command had no room. */
    public long imagesLogged() {
        return recorder.imagesLogged();
    }

    /** Any thread: commands without an image, because it had no room. */
    public long imagesMissed() {
        return recorder.imagesMissed();
    }

    /** Any thread: commands that were logged. */
    public long commands() {
        return recorder.commands();
    }

    /** Any thread: data records that were logged. */
    public long dataRecords() {
        return recorder.dataRecords();
    }

    /** Chooses the form of records by the adaptive method. Called before any transaction; needs footprints. */
    public void chooseBy(LoggingChooser chooser) {
        recorder.chooseBy(chooser);
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
                recorder.logSelf(at, execution, selfLogged);
            } else if (wrote(at, execution)) {
                if (admission.isOpen() && canLog(at, execution)) {
                    String refusal = recorder.log(at, execution);
                    if (refusal != null) {
                        refuseWriter(execution, refusal, admission.isOpen() ? OTHERS_WRITE : NOBODY_WRITES);
                    }
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

    @Override
    public void leaving(int participant, Execution execution) {
        execution.seen(participant, log(execution, participant).position());
    }

    @Override
    public void finished(Partition at, Execution execution) {
        passed++;
        boolean wrote = recorder.hasLogged(execution);
        boolean answered = refused == execution || !execution.work().keepsWrites();
        recorder.forget();
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
        Replication replication = replications[partitions.slotOf(execution.participant(0))];
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
