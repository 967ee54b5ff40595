package io.reprise.execution.durable;

import io.reprise.execution.CommitGate;
import io.reprise.execution.Invocation;
import io.reprise.execution.Lent;
import io.reprise.execution.Partition;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.Work;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.log.physiological.DataCollector;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.ProcedureException;
import io.reprise.runtime.agent.Agent;

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
 * <p>Owned by the site's thread; its duty cycle, which follows the executor's, wakes the log's writer once for all that
 * the executor has run, and lets replies go. Marks that it left in other partitions' logs need no waking of their own:
 * the writer is the same one, and is woken for the record that they belong to.
 */
public final class DurableGate implements CommitGate, Agent {
    private static final int NO_BUCKET = -1;

    private final PartitionLog own;
    private final PartitionLog[] logs;
    private final PartitionLog[] joined;
    private final LoggingMethod method;
    private final boolean synchronous;
    private final DataCollector[] collectors;
    private final CommandRecorder commandRecorder = new CommandRecorder();
    private final WaitingReplies waiting;
    private final SiteMeter meter;

    /**
     * A gate.
     *
     * @param logs by partition
     * @param collectors by partition, each used by whoever holds that partition
     * @param waitingReplies how many replies may wait
     */
    public DurableGate(
            int partition,
            PartitionLog[] logs,
            LoggingMethod method,
            DataCollector[] collectors,
            boolean synchronous,
            int waitingReplies,
            SiteMeter meter) {
        this.own = logs[partition];
        this.logs = logs.clone();
        this.joined = new PartitionLog[logs.length];
        this.method = method;
        this.synchronous = synchronous;
        this.collectors = collectors.clone();
        this.waiting = new WaitingReplies(waitingReplies);
        this.meter = meter;
    }

    @Override
    public String roleName() {
        return "replies-" + own.partition();
    }

    @Override
    public boolean hasRoom() {
        return own.hasRoom() && !waiting.isFull();
    }

    @Override
    public void commit(Partition at, Invocation invocation) {
        Work work = invocation.work();
        try {
            if (work instanceof SelfLogged selfLogged) {
                RecordBuilder record = own.begin(selfLogged.recordKind(), invocation.id(), NO_BUCKET, 0);
                selfLogged.writeRecord(record);
                publish(record, invocation);
            } else if (wrote(at, invocation)) {
                log(invocation);
            }
        } catch (LogRecordTooLargeException e) {
            invocation.fail(ErrorCode.INVALID_REQUEST, e.getMessage());
        } catch (ProcedureException e) {
            invocation.fail(e.code(), e.getMessage());
        }
    }

    private static boolean wrote(Partition at, Invocation invocation) {
        if (invocation.participantCount() == 1) {
            return at.store().hasWrites();
        }
        Lent lent = at.lent();
        for (int i = 0; i < lent.count(); i++) {
            if (lent.participant(i).store().hasWrites()) {
                return true;
            }
        }
        return false;
    }

    private void log(Invocation invocation) {
        if (method == LoggingMethod.COMMAND) {
            RecordBuilder record = begin(RecordKind.COMMAND, invocation);
            commandRecorder.record(invocation, record);
            publish(record, invocation);
        } else {
            logData(invocation);
        }
    }

    /** Replicated tables are the same at each participant: what one wrote to them is enough. */
    private void logData(Invocation invocation) {
        int count = invocation.participantCount();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += collectors[invocation.participant(i)].collect(i == 0);
        }
        if (bytes == 0) {
            return;
        }
        RecordBuilder record = begin(RecordKind.DATA, invocation);
        for (int i = 0; i < count; i++) {
            DataCollector collected = collectors[invocation.participant(i)];
            record.putBytes(collected.memory(), collected.address(), (int) collected.length());
        }
        publish(record, invocation);
    }

    private RecordBuilder begin(RecordKind kind, Invocation invocation) {
        return own.begin(kind, invocation.id(), invocation.bucket(), WriteHash.folded(invocation.writeHash()));
    }

    private void publish(RecordBuilder record, Invocation invocation) {
        int count = invocation.participantCount();
        if (count == 1) {
            record.end();
            return;
        }
        for (int i = 0; i < count; i++) {
            joined[i] = logs[invocation.participant(i)];
        }
        record.end(joined, count);
    }

    @Override
    public void leaving(int participant, Invocation invocation) {
        invocation.seen(participant, logs[invocation.participant(participant)].position());
    }

    @Override
    public void finished(Partition at, Invocation invocation) {
        if (!synchronous || waiting.isEmpty() && isDurable(invocation, own.position())) {
            meter.answeredAtOnce(invocation);
            invocation.reply();
        } else {
            waiting.add(invocation, own.position());
        }
    }

    private boolean isDurable(Invocation invocation, long position) {
        if (invocation.participantCount() == 1) {
            return own.durable() >= position;
        }
        for (int i = 0; i < invocation.participantCount(); i++) {
            if (logs[invocation.participant(i)].durable() < invocation.seen(i)) {
                return false;
            }
        }
        return true;
    }

    /** How many replies wait for the log. */
    public int waiting() {
        return waiting.size();
    }

    @Override
    public int doWork(long nowNs) {
        own.wakeWriter();
        waiting.groupEnded(meter.nowNs());
        int count = 0;
        while (!waiting.isEmpty() && isDurable(waiting.first(), waiting.firstPosition())) {
            Invocation invocation = waiting.first();
            meter.answered(invocation, waiting.firstEndedNs());
            waiting.removeFirst();
            invocation.reply();
            count++;
        }
        return count;
    }
}
