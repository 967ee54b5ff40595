package io.reprise.recovery.replay;

import io.reprise.log.LogRecords;

/** Sees each record of a replay in log order, before it is applied. On the replaying thread. */
@FunctionalInterface
public interface RecordObserver {
    /** The cursor stands at a record, and stays there. */
    void record(LogRecords records);

    /** This observer, and another one behind it. */
    default RecordObserver and(RecordObserver next) {
        return records -> {
            record(records);
            next.record(records);
        };
    }
}
