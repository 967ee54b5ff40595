package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.catalog.Catalog;
import io.reprise.catalog.Table;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.runtime.file.FileStore;
import io.reprise.runtime.memory.Memory;
import io.reprise.runtime.time.Clock;
import io.reprise.snapshot.file.BlockReader;
import io.reprise.snapshot.file.BlockRows;
import io.reprise.snapshot.file.DataFileEntry;
import io.reprise.snapshot.file.Manifest;
import io.reprise.sql.parse.CatalogScript;
import io.reprise.storage.PartitionStore;
import io.reprise.storage.RowAccess;
import io.reprise.storage.TableStore;
import io.reprise.storage.image.RowImageCodec;
import io.reprise.storage.row.RowLayout;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Partitions with their sweeps and a maker of snapshots, all run by the test's thread. */
public final class SnapshotRig implements AutoCloseable {
    public static final String DDL = """
            CREATE TABLE ITEM (ID BIGINT NOT NULL, NAME VARCHAR(20), NOTE VARCHAR(5000), AMOUNT DOUBLE, PRIMARY KEY (ID));
            PARTITION TABLE ITEM ON COLUMN ID;
            CREATE TABLE EVENT (KIND BIGINT NOT NULL, HAPPENED TIMESTAMP, DATA VARBINARY(100));
            PARTITION TABLE EVENT ON COLUMN KIND;
            CREATE TABLE COUNTRY (CODE BIGINT NOT NULL, NAME VARCHAR(100) NOT NULL, PRIMARY KEY (CODE));
            CREATE TABLE SETTING (ID BIGINT NOT NULL, PART DECIMAL(10,2), PRIMARY KEY (ID));
            """;

    public static final DatabaseId DATABASE = new DatabaseId(0x0123456789ABCDEFL, 0x0FEDCBA98765430AL);

    private static final Memory IMAGES = Memory.reserve(64 << 20);

    /** Moves by a step whenever it is looked at, so that each slice of a sweep is a short one. */
    static final class TickingClock implements Clock {
        long nowNs = 1;
        long stepNs = 2_000;

        @Override
        public long nanoTime() {
            nowNs += stepNs;
            return nowNs;
        }

        @Override
        public long epochMicros() {
            return 1_700_000_000_000_000L;
        }
    }

    final TickingClock clock = new TickingClock();
    public final List<PartitionStore> stores = new ArrayList<>();
    final List<PartitionSweep> sweeps = new ArrayList<>();
    final List<SnapshotReport> reports = new ArrayList<>();
    SnapshotAgent agent;
    public Catalog catalog;

    /** The requested start that has not begun yet. */
    SnapshotStart toBegin;

    long logPosition = 1000;
    long transactionId = 100;
    long nextId = 1;
    private boolean busy;

    /** Settings with which even a few rows make several batches. */
    static SnapshotSettings small() {
        return new SnapshotSettings(0, 0, 2, 1, 1, 1_000, 2048, 2, 1 << 20, 64 << 10, 0);
    }

    SnapshotRig(int partitions, SnapshotSettings settings, FileStore files) {
        this(partitions);
        startAgent(settings, files);
    }

    /** Stores only. */
    public SnapshotRig(int partitions) {
        this(partitions, CatalogScript.load(DDL));
    }

    /** Stores of another schema. */
    public SnapshotRig(int partitions, Catalog schema) {
        catalog = schema;
        for (int i = 0; i < partitions; i++) {
            stores.add(new PartitionStore(
                    new PartitionStore.Options(i, 1L << 30, 64L << 30, Buckets.DEFAULT, buckets(i, partitions))));
            for (Table table : catalog.tables().values()) {
                stores.get(i).createTable(table);
            }
        }
    }

    static BitSet buckets(int partition, int partitions) {
        BitSet buckets = new BitSet(Buckets.DEFAULT.count());
        for (int bucket = partition; bucket < Buckets.DEFAULT.count(); bucket += partitions) {
            buckets.set(bucket);
        }
        return buckets;
    }

    void startAgent(SnapshotSettings settings, FileStore files) {
        for (int i = 0; i < stores.size(); i++) {
            sweeps.add(new PartitionSweep(i, stores.get(i), new OutcomesOfTwoParts(i), settings, clock, null, null));
        }
        agent = new SnapshotAgent(
                settings,
                new SnapshotAgent.Wiring(
                        DATABASE, start -> toBegin = start, () -> logPosition, reports::add, false, null, null),
                files,
                clock,
                sweeps,
                0,
                Set.of());
    }

    /** Runs the transaction that is the snapshot's moment, if one was asked for. */
    boolean beginIfAsked() {
        if (toBegin == null) {
            return false;
        }
        SnapshotStart start = toBegin;
        toBegin = null;
        transactionId++;
        stores.forEach(store -> store.begin(transactionId));
        start.begun(transactionId, catalog, new byte[] {1, 2, 3});
        stores.forEach(PartitionStore::commit);
        start.durable(++logPosition);
        return true;
    }

    /** By turns as if there were transactions to run and as if there were none: rows leave in another way then. */
    int sweep(int partition) {
        busy = !busy;
        return sweeps.get(partition).doWork(clock.nanoTime(), busy);
    }

    int work() {
        return agent.doWork(clock.nanoTime());
    }

    /** Makes a snapshot while nothing else happens. */
    SnapshotReport snapshot() {
        var future = agent.request();
        for (int i = 0; i < 1_000_000 && !future.isDone(); i++) {
            work();
            beginIfAsked();
            for (int partition = 0; partition < sweeps.size(); partition++) {
                sweep(partition);
            }
        }
        assertThat(future).isDone();
        return future.join();
    }

    public RowAccess access(int partition, String table) {
        PartitionStore store = stores.get(partition);
        return new RowAccess(store, table(partition, table));
    }

    public TableStore table(int partition, String name) {
        return stores.get(partition).table(catalog.table(name).orElseThrow().id());
    }

    /** All rows of all partitions: table name and row id, and the bytes of the row's image. Replicated ones once. */
    public Map<String, String> images() {
        Map<String, String> images = new TreeMap<>();
        for (PartitionStore store : stores) {
            images.putAll(images(store));
        }
        return images;
    }

    /** The same of one partition. */
    public Map<String, String> images(PartitionStore store) {
        Map<String, String> images = new TreeMap<>();
        for (Table definition : catalog.tables().values()) {
            TableStore table = store.table(definition.id());
            RowImageCodec codec = new RowImageCodec(store, table);
            for (long row = table.first(); row != 0; row = table.next(row)) {
                long end = codec.writeRow(row, IMAGES, 4096);
                images.put(key(definition.name(), table.rowId(row)), hex(IMAGES, 4096, end - 4096));
            }
        }
        return images;
    }

    private static String key(String table, long rowId) {
        return table + " " + (rowId >>> RowLayout.SEQUENCE_BITS) + ":" + (rowId & (1L << RowLayout.SEQUENCE_BITS) - 1);
    }

    private static String hex(Memory memory, long address, long length) {
        byte[] bytes = new byte[(int) length];
        for (int i = 0; i < length; i++) {
            bytes[i] = memory.getByte(address + i);
        }
        return HexFormat.of().formatHex(bytes);
    }

    /** The same of a snapshot; fails if a row is there twice. */
    public static Map<String, String> images(FileStore files, Manifest manifest) {
        Map<String, String> images = new TreeMap<>();
        try (BlockReader reader = new BlockReader(files, manifest)) {
            BlockRows rows = new BlockRows();
            for (DataFileEntry file : manifest.files()) {
                reader.open(file);
                for (int block = 0; block < reader.blocks(); block++) {
                    reader.read(block, rows);
                    while (rows.next()) {
                        String key = key(manifest.tables().get(rows.table()).name(), rows.rowId());
                        String before = images.put(key, hex(rows.memory(), rows.image(), rows.length()));
                        assertThat(before).as("%s is there twice", key).isNull();
                    }
                }
            }
        }
        return images;
    }

    void assertNoMarks() {
        for (PartitionStore store : stores) {
            for (Table definition : catalog.tables().values()) {
                TableStore table = store.table(definition.id());
                for (long row = table.first(); row != 0; row = table.next(row)) {
                    assertThat(store.memory().getLong(row) & RowLayout.SNAPSHOT_BITS)
                            .as("marks of a row of %s", definition.name())
                            .isZero();
                }
            }
        }
    }

    @Override
    public void close() {
        if (agent != null) {
            agent.close();
        }
        sweeps.forEach(PartitionSweep::close);
        stores.forEach(PartitionStore::close);
    }
}
