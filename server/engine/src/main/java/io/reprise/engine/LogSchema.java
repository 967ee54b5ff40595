package io.reprise.engine;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.DdlException;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.log.LogRecords;
import io.reprise.log.PayloadPrinter;
import io.reprise.record.command.CommandPrinter;
import io.reprise.record.data.DataPrinter;
import io.reprise.record.footprint.FootprintPrinter;
import io.reprise.recovery.replay.BucketMove;
import io.reprise.recovery.replay.RecoveryChoice;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.HashMap;
import java.util.Map;

/**
 * The names of tables, columns and procedures at a place in the log, found by reading the log up to there, from its
 * beginning or from a snapshot. Prints payloads with these names. No transaction is run for it. One thread.
 */
final class LogSchema implements PayloadPrinter, AutoCloseable {
    /** Rows are printed one at a time; strings have at most a megabyte. */
    private static final long MEMORY_LIMIT = 1L << 31;

    private final Map<Long, String> procedures = new HashMap<>();
    private final FootprintPrinter footprints = new FootprintPrinter(this::tableName);
    private final CommandPrinter commands = new CommandPrinter(procedures::get);
    private Catalog catalog = Catalog.empty();
    private PartitionStore store;
    private DataPrinter data;

    private final Buckets buckets;

    LogSchema(Buckets buckets) {
        this.buckets = buckets;
        openStore();
    }

    /** A record has been passed: a change of the schema counts from here on. */
    void pass(LogRecords records) {
        switch (records.kind()) {
            case CATALOG -> change(payload(records));
            default -> {}
        }
    }

    /** Makes a change, or a whole schema of none, as a snapshot has it. */
    void change(byte[] encoded) {
        SchemaRecord record;
        try {
            record = SchemaRecord.decode(encoded);
            catalog = CatalogScript.applyRecorded(record.whole() ? Catalog.empty() : catalog, record.script())
                    .withCounters(record.catalogVersion(), record.nextTableId());
        } catch (DdlException | IllegalArgumentException e) {
            // The earlier log is not known, or the record is none: nameless parts are printed without names.
            return;
        }
        record.procedures().forEach(procedure -> procedures.put((long) procedure.version(), procedure.name()));
        openStore();
    }

    private void openStore() {
        close();
        store = new PartitionStore(PartitionStore.Options.single(MEMORY_LIMIT, buckets));
        for (Table table : catalog.tables().values()) {
            store.createTable(table);
        }
        data = new DataPrinter(store);
    }

    @Override
    public void print(LogRecords records, StringBuilder to) {
        switch (records.kind()) {
            case COMMAND -> commands.print(records, to);
            case DATA -> data.print(records, to);
            case BOUNDARY -> printBoundary(records, to);
            case CALLS -> printCalls(records, to);
            case FOOTPRINT -> footprints.print(records, to);
            case CATALOG -> printChange(payload(records), to);
            case SCHEMA -> printChange(ClusterChange.record(payload(records)), to);
            case MOVE -> to.append(BucketMove.decode(payload(records)).text());
            case STATE_HASH -> printState(payload(records), to);
            case RECOVERY_CHOICE ->
                to.append(RecoveryChoice.decode(payload(records)).text());
            default -> {}
        }
    }

    private void printBoundary(LogRecords records, StringBuilder to) {
        int parts = records.parts();
        records.showPart(0);
        commands.print(records, to);
        to.append(" with ").append(records.answersBytes()).append(" bytes of answers from elsewhere");
        if (parts > 1) {
            to.append(", and there: ");
            records.showPart(1);
            data.print(records, to);
        }
    }

    private void printCalls(LogRecords records, StringBuilder to) {
        String separator = "";
        int parts = records.parts();
        for (int part = 0; part < parts; part++) {
            records.showPart(part);
            to.append(separator);
            commands.print(records, to);
            to.append(" with ").append(records.answersBytes()).append(" bytes of answers from elsewhere");
            separator = "; ";
        }
    }

    private String tableName(int id) {
        for (Table table : catalog.tables().values()) {
            if (table.id() == id) {
                return table.name();
            }
        }
        return null;
    }

    private static void printChange(byte[] encoded, StringBuilder to) {
        SchemaRecord record;
        try {
            record = SchemaRecord.decode(encoded);
        } catch (IllegalArgumentException e) {
            to.append("(not a change of the schema: ").append(e.getMessage()).append(')');
            return;
        }
        to.append(record.script().strip().replaceAll("\\s+", " "));
        String separator = " -- makes ";
        for (SchemaRecord.MadeProcedure procedure : record.procedures()) {
            to.append(separator)
                    .append(procedure.name())
                    .append(" (version ")
                    .append(procedure.version())
                    .append(')');
            separator = ", ";
        }
        if (!record.jars().isEmpty()) {
            to.append(" -- with ").append(record.jars().size()).append(" jars");
        }
    }

    private void printState(byte[] encoded, StringBuilder to) {
        try {
            to.append(StateHash.decode(encoded).describe(catalog));
        } catch (IllegalArgumentException e) {
            to.append("(not a state hash: ").append(e.getMessage()).append(')');
        }
    }

    private static byte[] payload(LogRecords records) {
        byte[] bytes = new byte[records.payloadBytes()];
        MemorySegment.copy(
                records.memory().segment(), ValueLayout.JAVA_BYTE, records.payload(), bytes, 0, bytes.length);
        return bytes;
    }

    @Override
    public void close() {
        if (store != null) {
            store.close();
            store = null;
        }
    }
}
