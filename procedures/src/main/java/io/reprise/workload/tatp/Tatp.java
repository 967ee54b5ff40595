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
        Placement placement = database.placement();
        for (int partition = 0; partition < placement.partitions(); partition++) {
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

    /** Subscribers stay, each with 1 to 4 of everything, and each call forwarding belongs to a special facility. */
    @Override
    public List<Violation> check(Database database, List<Generator> ran) {
        List<Violation> violations = new ArrayList<>();
        expect(violations, database, "SELECT COUNT(*) FROM subscriber", options.subscribers());
        expect(violations, database, "SELECT COUNT(DISTINCT s_id) FROM access_info", options.subscribers());
        expect(violations, database, "SELECT COUNT(DISTINCT s_id) FROM special_facility", options.subscribers());
        Set<Long> facilities = keys(database, "SELECT s_id, sf_type FROM special_facility");
        if (!facilities.containsAll(keys(database, "SELECT s_id, sf_type FROM call_forwarding"))) {
            violations.add(new Violation(
                    "call forwardings belong to special facilities", "some belong to one that does not exist"));
        }
        long expected = LoadSubscribers.forwardings(options.subscribers(), options.seed());
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

    private static Set<Long> keys(Database database, String sql) {
        Set<Long> keys = new HashSet<>();
        Rows rows = database.query(sql);
        while (rows.next()) {
            keys.add(rows.longAt(0) << 8 | rows.longAt(1));
        }
        return keys;
    }

    private static void expect(List<Violation> violations, Database database, String sql, long expected) {
        Rows rows = database.query(sql);
        rows.next();
        if (rows.longAt(0) != expected) {
            violations.add(new Violation(sql, "gives " + rows.longAt(0) + " instead of " + expected));
        }
    }
}
