package io.reprise.execution.durable;

import io.reprise.catalog.ProcedureDefinition;
import io.reprise.execution.Answers;
import io.reprise.execution.Execution;
import io.reprise.execution.LocalPartitions;
import io.reprise.execution.Partition;
import io.reprise.execution.Result;
import io.reprise.execution.SiteMeter;
import io.reprise.execution.durable.adaptive.LoggedForm;
import io.reprise.execution.durable.adaptive.LoggingChooser;
import io.reprise.id.BucketSet;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogRecordTooLargeException;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.procedure.ProcedureException;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.metric.Counter;
import io.reprise.storage.PartitionStore;
import java.util.Optional;

/**
 * The log records of a site's transactions: chooses the form of each record, appends it to the rings of the participants, and keeps its
 * footprint. A transaction with several participants leaves one record, in the log of the partition that ran it, joined with the
 * others'. A boundary record holds the call with the answers from elsewhere, and the changes of the other partitions as data.
 *
 * <p>Owned by the site's thread. A record that the disk has no room for is abandoned, and the transaction is rolled back by the gate.
 */
final class CommitRecorder {
    private static final int NO_BUCKET = -1;

    private final LocalPartitions partitions;

    /** By slot. */
    private final PartitionLog[] logs;

    private final PartitionLog[] joined;
    private final RecordForms forms;

    /** By slot. */
    private final TransactionChanges changes;

    private final LogAdmission admission;

    /** By slot; null on a node that serves alone. */
    private final Replication[] replications;

    private final SiteMeter meter;
    private final CommandRecorder commandRecorder = new CommandRecorder();

    /** By slot, if footprints are collected; otherwise null. */
    private PartitionStore[] footprints;

    /** The choice of the adaptive method; otherwise null. */
    private LoggingChooser chooser;

    /** By slot, if images of commands are kept; otherwise null. */
    private ImageRing[] images;

    /** The ring with a claimed image of the present command, and the image's end; null: there is none. */
    private ImageRing claimed;

    private long imageEnd;

    /** The bytes of the image that was collected last. */
    private long imageBytes;

    /** The execution whose record was appended last, until {@link #forget}. */
    private Execution logged;

    /** Records so far, by form. */
    private final Counter commands = new Counter();

    private final Counter dataRecords = new Counter();

    /** Transactions that were logged as rows, because the image of their command had no room. */
    private final Counter imagesLogged = new Counter();

    /** Commands without an image, because it had no room. */
    private final Counter imagesMissed = new Counter();

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
        forms = new RecordForms(partitions, method, meter);
        changes = new TransactionChanges(partitions, collectors);
        this.admission = admission;
        this.replications = replications;
        this.meter = meter;
    }

    /** Keeps footprints of all that is logged. Called before any transaction, with the stores by slot. */
    void keepFootprints(PartitionStore[] stores) {
        footprints = stores.clone();
    }

    /** Keeps an image of the rows that each command writes. Called before any transaction, with rings by slot. */
    void keepImages(ImageRing[] rings) {
        images = rings.clone();
    }

    /** Any thread: transactions that were logged as rows, because the image of their command had no room. */
    long imagesLogged() {
        return imagesLogged.get();
    }

    /** Any thread: commands without an image, because it had no room. */
    long imagesMissed() {
        return imagesMissed.get();
    }

    /** Chooses forms by the adaptive method. Called before any transaction; needs footprints. */
    void chooseBy(LoggingChooser newChooser) {
        chooser = newChooser;
        forms.chooseBy(newChooser, footprints);
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
        return switch (forms.of(at, execution)) {
            case COMMAND -> logCommand(at, execution);
            case DATA -> logData(at, execution);
            case BOUNDARY -> logBoundary(at, execution);
        };
    }

    private String logCommand(Partition at, Execution execution) {
        if (hasNoImage(at, execution) && logRows(at, execution)) {
            return null;
        }
        RecordBuilder record = begin(at, RecordKind.COMMAND, execution);
        commandRecorder.record(execution.work(), execution.request(), record);
        return publishIfAdmitted(at, record, execution, LoggedForm.COMMAND);
    }

    private String logBoundary(Partition at, Execution execution) {
        if (hasNoImage(at, execution) && logRows(at, execution)) {
            return null;
        }
        long bytes = Integer.BYTES + changes.collectElsewhere(at, execution);
        // The hash of the changes at home, which are all that a replay of the call makes.
        RecordBuilder record =
                begin(at, RecordKind.BOUNDARY, execution, at.store().writeHash());
        record.putVarint(bucketsAt(at, execution));
        Answers answers = at.lent().answers();
        record.putVarint(answers.length());
        record.putBytes(answers.segment(), 0, answers.length());
        long length = record.makeRoom(bytes);
        long to = changes.writeElsewhereTo(record.memory(), length + Integer.BYTES, at, execution);
        record.memory().putInt(length, (int) (to - length - Integer.BYTES));
        record.wroteUpTo(to);
        commandRecorder.record(execution.work(), execution.request(), record);
        return publishIfAdmitted(at, record, execution, LoggedForm.BOUNDARY);
    }

    /** A bit for each of the transaction's buckets, set if the partition has it. */
    private static long bucketsAt(Partition at, Execution execution) {
        BucketSet buckets = execution.buckets();
        long bits = 0;
        for (int i = 0; i < buckets.size(); i++) {
            if (execution.map().partition(buckets.get(i)) == at.id()) {
                bits |= 1L << i;
            }
        }
        return bits;
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

    private String logData(Partition at, Execution execution) {
        long bytes = changes.collect(execution);
        return bytes == 0 ? null : logData(at, execution, bytes);
    }

    /** Logs the changes that were collected last. */
    private String logData(Partition at, Execution execution, long bytes) {
        long hash = replications == null ? execution.outcome().writeHash() : changes.hash(execution);
        RecordBuilder record = begin(at, RecordKind.DATA, execution, hash);
        // Room for a large record is made in other memory, so it comes before the question for the memory.
        long to = record.makeRoom(bytes);
        record.wroteUpTo(changes.writeTo(record.memory(), to, execution));
        return publishIfAdmitted(at, record, execution, LoggedForm.DATA);
    }

    /**
     * Writes the image of a call, to be published before its record, so that the record's reader finds it. Returns true if images are kept
     * and this one has no room; then its bytes are {@link #imageBytes}.
     */
    private boolean hasNoImage(Partition at, Execution execution) {
        claimed = null;
        if (images == null) {
            return false;
        }
        ImageRing ring = images[at.slot()];
        try {
            imageBytes = changes.collect(execution);
        } catch (ProcedureException tooLarge) {
            // The command is logged all the same; it is run again then.
            imageBytes = 0;
            return true;
        }
        long to = ring.claim(imageBytes);
        if (to == 0) {
            return true;
        }
        imageEnd = changes.writeTo(ring.memory(), to, execution);
        claimed = ring;
        return false;
    }

    /**
     * Logs the changes of a call whose image has no room, so that runs have no command. Returns false if the call has to be logged, because
     * its procedure is pinned to that, or because the log does not admit so many bytes.
     */
    private boolean logRows(Partition at, Execution execution) {
        boolean mayBeRows = imageBytes > 0 && execution.work().logging() == ProcedureDefinition.Logging.AS_CONFIGURED;
        boolean logged = mayBeRows && logCollected(at, execution);
        (logged ? imagesLogged : imagesMissed).increment();
        return logged;
    }

    private boolean logCollected(Partition at, Execution execution) {
        try {
            return logData(at, execution, imageBytes) == null;
        } catch (LogRecordTooLargeException e) {
            return false;
        }
    }

    /**
     * A data record depends on nothing, so its footprint has writes only, as those of the partitions elsewhere in a boundary record. The
     * latter's call has the home as its only part.
     */
    private void keepFootprint(Partition at, Execution execution, long payloadBytes, LoggedForm form) {
        int count = execution.participantCount();
        int version = execution.work().version();
        for (int i = 0; i < count; i++) {
            PartitionStore store = footprints[partitions.slotOf(execution.participant(i))];
            boolean boundary = form == LoggedForm.BOUNDARY;
            boolean home = execution.participant(i) == at.id();
            boolean data = form == LoggedForm.DATA || boundary && !home;
            int parts = !boundary ? count : home ? 1 : count - 1;
            if (data) {
                store.footprint().forget();
            } else if (!execution.work().tellsReads()) {
                store.footprint().makeCoarse();
            }
            if (data || !forms.hasToldWrites()) {
                store.tellWrites();
            }
            if (parts > 1) {
                store.footprint().parts(parts);
            }
            store.footprint().commit(execution.id(), version, count > 1, !home, data);
        }
        if (chooser != null) {
            chooser.logged(version, count > 1, form, payloadBytes, meter.averageNs());
        }
    }

    /** Appends a record whose size was not known before. A record that fits into the ring is always admitted. */
    private String publishIfAdmitted(Partition at, RecordBuilder record, Execution execution, LoggedForm form) {
        long bytes = record.payloadBytes();
        if (record.isSpilled()) {
            Optional<String> refusal = admission.refusal(logs[at.slot()].spilledBytes() + bytes);
            if (refusal.isPresent()) {
                record.abandon();
                return refusal.get();
            }
        }
        if (form != LoggedForm.DATA && claimed != null) {
            claimed.publish(execution.id(), imageEnd);
            claimed = null;
        }
        publish(record, execution);
        (form == LoggedForm.DATA ? dataRecords : commands).increment();
        if (footprints != null) {
            keepFootprint(at, execution, bytes, form);
        }
        return null;
    }

    private RecordBuilder begin(Partition at, RecordKind kind, Execution execution) {
        return begin(at, kind, execution, execution.outcome().writeHash());
    }

    private RecordBuilder begin(Partition at, RecordKind kind, Execution execution, long writeHash) {
        RecordBuilder record =
                logs[at.slot()].begin(kind, execution.id(), execution.bucket(), WriteHash.folded(writeHash));
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
