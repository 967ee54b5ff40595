package io.reprise.recovery.replay;

import io.reprise.catalog.Catalog;
import io.reprise.id.Buckets;
import io.reprise.log.FramesInMemory;
import io.reprise.log.RecordBuilder;
import io.reprise.log.RecordKind;
import io.reprise.log.WriteHash;
import io.reprise.record.command.CommandWriter;
import io.reprise.record.data.DataCollector;
import io.reprise.record.data.Payloads;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import java.lang.foreign.MemorySegment;
import java.util.BitSet;
import java.util.List;
import java.util.TreeMap;

/** A table on a single partition that logs each write to a source of frames, as data or as a command. */
final class LiveTable implements AutoCloseable {
    static final Catalog CATALOG = CatalogScript.load("""
            CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, a BIGINT NOT NULL);
            PARTITION TABLE t ON COLUMN id;
            """);
    static final int TABLE = CATALOG.table("T").orElseThrow().id();

    private static final String INSERT = "INSERT INTO t VALUES (?, ?)";
    private static final String UPDATE = "UPDATE t SET a = ? WHERE id = ?";
    private static final String DELETE = "DELETE FROM t WHERE id = ?";

    final FramesInMemory frames = new FramesInMemory();
    final TreeMap<Long, Long> rows = new TreeMap<>();
    private final PartitionStore store;
    private final TableStore table;
    private final RowAccess access;
    private final DataCollector collector;
    private final CommandWriter writer = new CommandWriter();
    long lastId = 1000;

    LiveTable() {
        BitSet all = new BitSet();
        all.set(0, Buckets.DEFAULT.count());
        store = new PartitionStore(new PartitionStore.Options(0, 64L << 20, all));
        store.createTable(CATALOG.table("T").orElseThrow());
        table = store.table(TABLE);
        access = new RowAccess(store, table);
        collector = new DataCollector(store, true);
    }

    /** Inserts a row, or changes the one that is there. */
    void put(long id, long value, boolean asCommand) {
        long row = find(id);
        store.begin(++lastId);
        if (row == 0) {
            access.insert(Buckets.DEFAULT.of(id), List.of(id, value));
            commit(id, asCommand, INSERT, id, value);
        } else {
            access.update(row, 0, 1, value);
            commit(id, asCommand, UPDATE, value, id);
        }
        rows.put(id, value);
    }

    void delete(long id, boolean asCommand) {
        store.begin(++lastId);
        table.delete(find(id));
        commit(id, asCommand, DELETE, id);
        rows.remove(id);
    }

    private long find(long id) {
        for (long row = table.first(); row != 0; row = table.next(row)) {
            if (access.read(row).getFirst().equals(id)) {
                return row;
            }
        }
        return 0;
    }

    private void commit(long id, boolean asCommand, String statement, long... arguments) {
        int hash = WriteHash.folded(store.writeHash());
        if (asCommand) {
            logCommand(Buckets.DEFAULT.of(id), hash, statement, arguments);
        } else {
            logData(Buckets.DEFAULT.of(id), Payloads.collect(collector, true));
        }
        store.commit();
    }

    /** Logs a data record under the last id. */
    void logData(int bucket, byte... payload) {
        frames.log().begin(RecordKind.DATA, lastId, bucket, 0).putBytes(payload).end();
    }

    /** Logs a statement under the last id. */
    void logCommand(int bucket, int hash, String statement, long... arguments) {
        writer.beginStatement(statement);
        for (long argument : arguments) {
            writer.putInteger(argument);
        }
        RecordBuilder record = frames.log().begin(RecordKind.COMMAND, lastId, bucket, hash);
        MemorySegment bytes = writer.segment();
        record.putBytes(bytes, 0, writer.length()).end();
    }

    @Override
    public void close() {
        frames.close();
        store.close();
    }
}
