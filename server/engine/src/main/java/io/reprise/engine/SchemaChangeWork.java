package io.reprise.engine;

import io.reprise.execution.durable.SelfLogged;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import java.util.function.LongConsumer;

/** A change of the schema: logged as such, between the transactions that saw the schema before and after it. */
final class SchemaChangeWork extends AdministrationWork implements SelfLogged {
    private final byte[] encoded;

    SchemaChangeWork(SchemaRecord record, LongConsumer action) {
        super("schema change", action);
        this.encoded = record.encode();
    }

    @Override
    public RecordKind recordKind() {
        return RecordKind.CATALOG;
    }

    @Override
    public void writeRecord(RecordBuilder record) {
        record.putBytes(encoded);
    }
}
