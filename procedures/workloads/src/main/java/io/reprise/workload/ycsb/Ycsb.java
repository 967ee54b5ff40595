package io.reprise.workload.ycsb;

import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Ddl;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** YCSB as a workload. */
public final class Ycsb implements Workload {
    /** Positions in {@link #procedures}. */
    public static final int READ = 0;

    public static final int UPDATE = 1;
    public static final int INSERT = 2;
    public static final int READ_MODIFY_WRITE = 3;
    public static final int SCAN = 4;

    private static final List<String> PROCEDURES =
            List.of("ReadRecord", "UpdateRecord", "InsertRecord", "ReadModifyWriteRecord", "ScanRecords");
    private static final int BATCH = 500;

    private final YcsbOptions options;

    /** With these options. */
    public Ycsb(YcsbOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "ycsb-" + options.mix().name().toLowerCase(java.util.Locale.ROOT);
    }

    @Override
    public String ddl() {
        String ddl = Ddl.resource(Ycsb.class, "ycsb.sql");
        return options.mix().scans() ? ddl + Ddl.resource(Ycsb.class, "ycsb-scan.sql") : ddl;
    }

    @Override
    public List<String> procedures() {
        return options.mix().scans() ? PROCEDURES : PROCEDURES.subList(0, SCAN);
    }

    @Override
    public void load(Database database) {
        load(database, 0, 1);
    }

    /** Each part has its share of the partitions. */
    @Override
    public void load(Database database, int part, int parts) {
        Placement placement = database.placement();
        for (int partition = part; partition < placement.partitions(); partition += parts) {
            long[] batch = new long[BATCH];
            int count = 0;
            for (int record = 0; record < options.records(); record++) {
                long key = key(record);
                if (placement.partitionOf(key) == partition) {
                    batch[count++] = key;
                }
                if (count == BATCH || record == options.records() - 1) {
                    database.call("LoadRecords", Arrays.copyOf(batch, count), options.seed());
                    count = 0;
                }
            }
        }
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new YcsbGenerator(options, seed, placement, partition);
    }

    @Override
    public long loaded() {
        return options.records();
    }

    /** The number of records. */
    @Override
    public long held(Database database) {
        Rows rows = database.query("SELECT COUNT(*) FROM usertable");
        rows.next();
        return rows.longAt(0);
    }

    /** Each record that was loaded or inserted is there once, with fields of full length. */
    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        List<Violation> violations = new ArrayList<>();
        long expected = before;
        for (Generator generator : ran) {
            expected += ((YcsbGenerator) generator).inserted();
        }
        StringBuilder query = new StringBuilder("SELECT COUNT(*)");
        for (int field = 0; field < Fields.COUNT; field++) {
            query.append(", MIN(CHAR_LENGTH(field").append(field).append("))");
        }
        Rows rows = database.query(query.append(" FROM usertable").toString());
        rows.next();
        if (rows.longAt(0) != expected) {
            violations.add(new Violation(
                    "records are those loaded and inserted",
                    "there are " + rows.longAt(0) + " instead of " + expected));
        }
        for (int field = 0; field < Fields.COUNT; field++) {
            if (rows.longAt(1 + field) != Fields.LENGTH) {
                violations.add(new Violation(
                        "fields are " + Fields.LENGTH + " characters long", "some of field" + field + " are shorter"));
            }
        }
        return violations;
    }

    /** A record's key: its position in the order of insertion, scrambled (FNV-1a over its eight bytes), positive. */
    static long key(long record) {
        long hash = 0xCBF29CE484222325L;
        for (long rest = record, i = 0; i < 8; i++, rest >>>= 8) {
            hash = (hash ^ (rest & 0xFF)) * 0x100000001B3L;
        }
        return hash & Long.MAX_VALUE;
    }
}
