package io.reprise.engine;

import io.reprise.execution.durable.SelfLogged;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import java.util.function.LongConsumer;
import java.util.function.Supplier;

/** The moment of a snapshot: its place in the log is where a replay on top of the snapshot begins. */
final class SnapshotBeginWork extends AdministrationWork implements SelfLogged {
    private final Supplier<byte[]> streams;

    /**
     * The moment of a snapshot.
     *
     * @param streams on a node of a cluster, the state of its streams, for a START record; null on a node that serves alone
     */
    SnapshotBeginWork(LongConsumer action, Supplier<byte[]> streams) {
        super("snapshot", action);
        this.streams = streams;
    }

    @Override
    public RecordKind recordKind() {
        return RecordKind.SNAPSHOT_BEGIN;
    }

    @Override
    public void writeRecord(RecordBuilder record) {
        // Its presence is its only content.
    }

    /** A replay on top of the snapshot begins with it. */
    @Override
    public RecordKind secondKind() {
        return streams == null ? null : RecordKind.START;
    }

    @Override
    public void writeSecond(RecordBuilder record) {
        record.putBytes(streams.get());
    }
}
