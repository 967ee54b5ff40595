package io.reprise.execution.durable;

import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.execution.Result;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.id.BucketSet;
import io.reprise.log.LogAdmission;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.metric.Counter;
import io.reprise.storage.PartitionStore;
import java.util.Optional;

/**
 * The log records of a site's transactions: chooses the form of each record, appends it to the rings of the participants, and keeps its
 * footprint. A transaction with several participants leaves one record, in the log of the partition that ran it, joined with the
 * others'.
 *
 * <p>Owned by the site's thread. A record that the disk has no room for is abandoned, and the transaction is rolled back by the gate.
 */
final class CommitRecorder {
    private static final int NO_BUCKET = -1;

    private final LocalPartitions partitions;

    /** By slot. */
    private final PartitionLog[] logs;

    private final PartitionLog[] joined;
    private final LoggingMethod method;

    /** By slot. */
    private final DataCollector[] collectors;

    private final LogAdmission admission;

    /** By slot; null on a node that serves alone. */
    private final Replication[] replications;

    private final SiteMeter meter;
    private final CommandRecorder commandRecorder = new CommandRecorder();

    /** By slot, if footprints are collected; otherwise null. */
    private PartitionStore[] footprints;

    /** The choice of the adaptive method; otherwise null. */
    private LoggingChooser chooser;

    /** Whether the footprint of the present transaction has its writes. */
    private boolean toldWrites;

    /** The execution whose record was appended last, until {@link #forget}. */
    private Execution logged;

    /** Records so far, by form. */
    private final Counter commands = new Counter();

    private final Counter dataRecords = new Counter();

    CommitRecorder(
            LocalPartitions partitions,
            PartitionLog[] logs,
            LoggingMethod method,
            DataCollector[] collectors,
            LogAdmission admission,
            Replication[] replications,
            SiteMeter meter) {
        this.partitions = partitions;
        this.logs = logs;
        this.joined = new PartitionLog[logs.length];
        this.method = method;
        this.collectors = collectors.clone();
        this.admission = admission;
        this.replications = replications;
        this.meter = meter;
    }

    /** Keeps footprints of all that is logged. Called before any transaction, with the stores by slot. */
    void keepFootprints(PartitionStore[] stores) {
        footprints = stores.clone();
    }

    /** Chooses forms by the adaptive method. Called before any transaction; needs footprints. */
    void chooseBy(LoggingChooser newChooser) {
        chooser = newChooser;
    }

    /** Any thread: commands that were logged. */
    long commands() {
        return commands.get();
    }

    /** Any thread: data records that were logged. */
    long dataRecords() {
        return dataRecords.get();
    }

    /** Whether the execution has a record in the log. */
    boolean hasLogged(Execution execution) {
        return logged == execution;
    }

    /** Lets go of the execution that was logged last. */
    void forget() {
        logged = null;
    }

    /**
     * Appends the record of a transaction that wrote something.
     *
     * @return null, or why the log does not admit the record
     */
    String log(Partition at, Execution execution) {
        toldWrites = false;
        if (isLoggedAsCommand(execution)) {
            RecordBuilder record = begin(at, RecordKind.COMMAND, execution);
            commandRecorder.record(execution.work(), execution.request(), record);
            return publishIfAdmitted(at, record, execution, false);
        }
        return logData(at, execution);
    }

    /** Appends the records that a change of the schema writes itself. It has seen to room before it did anything. */
    void logSelf(Partition at, Execution execution, SelfLogged work) {
        RecordBuilder record = logs[at.slot()].begin(work.recordKind(), execution.id(), NO_BUCKET, 0);
        work.writeRecord(record);
        publish(record, execution);
        if (work.secondKind() != null) {
            RecordBuilder second = logs[at.slot()].begin(work.secondKind(), execution.id(), NO_BUCKET, 0);
            work.writeSecond(second);
            publish(second, execution);
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

    /** The adaptive choice. A candidate's writes enter its footprint before its record, because its frequency depends on them. */
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
    private String logData(Partition at, Execution execution) {
        int count = execution.participantCount();
        long bytes = 0;
        for (int i = 0; i < count; i++) {
            bytes += collectors[partitions.slotOf(execution.participant(i))].collect(i == 0);
        }
        if (bytes == 0) {
            return null;
        }
        RecordBuilder record = begin(at, RecordKind.DATA, execution);
        long to = record.makeRoom(bytes);
        for (int i = 0; i < count; i++) {
            to = collectors[partitions.slotOf(execution.participant(i))].writeTo(record.memory(), to);
        }
        record.wroteUpTo(to);
        return publishIfAdmitted(at, record, execution, true);
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

    /** Appends a record whose size was not known before. A record that fits into the ring is always admitted. */
    private String publishIfAdmitted(Partition at, RecordBuilder record, Execution execution, boolean data) {
        long bytes = record.payloadBytes();
        if (record.isSpilled()) {
            Optional<String> refusal = admission.refusal(logs[at.slot()].spilledBytes() + bytes);
            if (refusal.isPresent()) {
                record.abandon();
                return refusal.get();
            }
        }
        publish(record, execution);
        (data ? dataRecords : commands).increment();
        if (footprints != null) {
            keepFootprint(execution, bytes, data);
        }
        return null;
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
            Replication replication =
                    replications == null ? null : replications[partitions.slotOf(execution.participant(0))];
            if (replication != null && !(execution.work() instanceof SelfLogged)) {
                replication.publish(record, execution.id());
            } else {
                record.end();
            }
            return;
        }
        for (int i = 0; i < count; i++) {
            joined[i] = logs[partitions.slotOf(execution.participant(i))];
        }
        record.end(joined, count);
    }
}
