package io.reprise.engine;

import io.reprise.log.LogRecords;
import io.reprise.log.RecordKind;
import io.reprise.recovery.replay.ImageRecord;
import io.reprise.recovery.replay.RecordObserver;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The cut of a cluster up to which a node's log is replayed: records with higher ids are left out. Notes the partitions whose
 * streams reach the cut behind the snapshot; the content of others does not count. Owned by the replaying thread.
 */
final class RecoveryCut implements RecordObserver {
    private final long id;
    private final SortedSet<Integer> reached = new TreeSet<>();

    RecoveryCut(long id) {
        this.id = id;
    }

    /** The id of the cut's transaction. */
    long id() {
        return id;
    }

    /** Whether the partition's stream has the cut. */
    boolean isReached(int partition) {
        return reached.contains(partition);
    }

    @Override
    public void record(LogRecords record) {
        if (record.kind() == RecordKind.DATA && record.transactionId() == id) {
            reached.add(record.partition());
        } else if (record.kind() == RecordKind.IMAGE
                && ImageRecord.decode(record.payloadCopy()).part() == ImageRecord.Part.BEGIN) {
            reached.remove(record.partition());
        }
    }
}
