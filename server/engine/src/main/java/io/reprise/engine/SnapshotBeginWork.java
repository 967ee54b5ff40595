package io.reprise.engine;

import io.reprise.execution.durable.SelfLogged;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import java.util.function.LongConsumer;

/** The moment of a snapshot: its place in the log is where a replay on top of the snapshot begins. */
final class SnapshotBeginWork extends AdministrationWork implements SelfLogged {
    SnapshotBeginWork(LongConsumer action) {
        super("snapshot", action);
    }

    @Override
    public RecordKind recordKind() {
        return RecordKind.SNAPSHOT_BEGIN;
    }

    @Override
    public void writeRecord(RecordBuilder record) {
        // Its presence is its only content.
    }
}
