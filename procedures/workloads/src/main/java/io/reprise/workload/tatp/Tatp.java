package io.reprise.workload.tatp;

import io.reprise.procedure.Rows;
import io.reprise.procedure.TextBuilder;
import io.reprise.workload.Database;
import io.reprise.workload.Ddl;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** TATP as a workload. */
public final class Tatp implements Workload {
    /** Positions in {@link #procedures}. */
    public static final int GET_SUBSCRIBER_DATA = 0;

    public static final int GET_NEW_DESTINATION = 1;
    public static final int GET_ACCESS_DATA = 2;
    public static final int UPDATE_SUBSCRIBER_DATA = 3;
    public static final int UPDATE_LOCATION = 4;
    public static final int INSERT_CALL_FORWARDING = 5;
    public static final int DELETE_CALL_FORWARDING = 6;

    static final long LOCATIONS = 0xFFFF_FFFFL;

    private static final List<String> BY_NUMBER = List.of(
            "GetSubscriberData",
            "GetNewDestination",
            "GetAccessData",
            "UpdateSubscriberData",
            "UpdateLocation",
            "InsertCallForwarding",
            "DeleteCallForwarding");
    private static final List<String> ROUTED = List.of(
            "GetSubscriberData",
            "GetNewDestination",
            "GetAccessData",
            "UpdateSubscriberData",
            "UpdateLocationRouted",
            "InsertCallForwardingRouted",
            "DeleteCallForwardingRouted");
    private static final int BATCH = 500;
    private static final int CHECKED_AT_ONCE = 200_000;

    private final TatpOptions options;

    /** With these options. */
    public Tatp(TatpOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "tatp";
    }

    @Override
    public String ddl() {
        return Ddl.resource(Tatp.class, "tatp.sql");
    }

    @Override
    public List<String> procedures() {
        return options.routed() ? ROUTED : BY_NUMBER;
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
            int[] batch = new int[BATCH];
            int count = 0;
            for (int id = 1; id <= options.subscribers(); id++) {
                if (placement.partitionOf(id) == partition) {
                    batch[count++] = id;
                }
                if (count == BATCH || id == options.subscribers()) {
                    database.call("LoadSubscribers", Arrays.copyOf(batch, count), options.seed());
                    count = 0;
                }
            }
        }
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new TatpGenerator(options, seed, placement, partition);
    }

    @Override
    public long loaded() {
        return LoadSubscribers.forwardings(options.subscribers(), options.seed());
    }

    /** The number of call forwardings. */
    @Override
    public long held(Database database) {
        return count(database, "SELECT COUNT(*) FROM call_forwarding");
    }

    /** Subscribers stay, each with 1 to 4 of everything, and each call forwarding belongs to a special facility. */
    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        List<Violation> violations = new ArrayList<>();
        expect(violations, database, "SELECT COUNT(*) FROM subscriber", options.subscribers());
        expect(violations, database, "SELECT COUNT(DISTINCT s_id) FROM access_info", options.subscribers());
        expect(violations, database, "SELECT COUNT(DISTINCT s_id) FROM special_facility", options.subscribers());
        for (int from = 1; from <= options.subscribers(); from += CHECKED_AT_ONCE) {
            Set<Long> facilities = keys(database, "special_facility", from);
            if (!facilities.containsAll(keys(database, "call_forwarding", from))) {
                violations.add(new Violation(
                        "call forwardings belong to special facilities",
                        "some belong to one that does not exist, of subscribers from " + from + " on"));
            }
        }
        long expected = before;
        for (Generator generator : ran) {
            expected += ((TatpGenerator) generator).forwardingsAdded();
        }
        expect(violations, database, "SELECT COUNT(*) FROM call_forwarding", expected);
        return violations;
    }

    /** Appends a subscriber's number. */
    static TextBuilder number(TextBuilder text, long id) {
        return text.clear().appendPadded(id, 15);
    }

    /** Those of some subscribers: all at once would be a longer result than servers send. */
    private static Set<Long> keys(Database database, String table, int from) {
        Set<Long> keys = new HashSet<>();
        Rows rows = database.query(
                "SELECT s_id, sf_type FROM " + table + " WHERE s_id BETWEEN ? AND ?", from, from + CHECKED_AT_ONCE - 1);
        while (rows.next()) {
            keys.add(rows.longAt(0) << 8 | rows.longAt(1));
        }
        return keys;
    }

    private static void expect(List<Violation> violations, Database database, String sql, long expected) {
        long actual = count(database, sql);
        if (actual != expected) {
            violations.add(new Violation(sql, "gives " + actual + " instead of " + expected));
        }
    }

    private static long count(Database database, String sql) {
        Rows rows = database.query(sql);
        rows.next();
        return rows.longAt(0);
    }
}
