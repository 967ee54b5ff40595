package io.reprise.workload.smallbank;

import io.reprise.procedure.Rows;
import io.reprise.workload.Database;
import io.reprise.workload.Ddl;
import io.reprise.workload.Generator;
import io.reprise.workload.Placement;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Smallbank as a workload. */
public final class Smallbank implements Workload {
    /** Positions in {@link #procedures}. */
    public static final int BALANCE = 0;

    public static final int DEPOSIT_CHECKING = 1;
    public static final int TRANSACT_SAVINGS = 2;
    public static final int AMALGAMATE = 3;
    public static final int WRITE_CHECK = 4;
    public static final int SEND_PAYMENT = 5;

    private static final List<String> PROCEDURES =
            List.of("Balance", "DepositChecking", "TransactSavings", "Amalgamate", "WriteCheck", "SendPayment");
    private static final long MIN_CENTS = 1_000_000;
    private static final long MAX_CENTS = 5_000_000;
    private static final int BATCH = 1_000;

    private final SmallbankOptions options;

    /** With these options. */
    public Smallbank(SmallbankOptions options) {
        this.options = options;
    }

    @Override
    public String name() {
        return "smallbank";
    }

    @Override
    public String ddl() {
        return Ddl.resource(Smallbank.class, "smallbank.sql");
    }

    @Override
    public List<String> procedures() {
        return PROCEDURES;
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
            for (int customer = 0; customer < options.customers(); customer++) {
                if (placement.partitionOf(customer) == partition) {
                    batch[count++] = customer;
                }
                if (count == BATCH || customer == options.customers() - 1) {
                    long[] customers = Arrays.copyOf(batch, count);
                    database.call("LoadAccounts", customers, MIN_CENTS, MAX_CENTS, options.seed());
                    count = 0;
                }
            }
        }
    }

    @Override
    public Generator generator(long seed, Placement placement, int partition) {
        return new SmallbankGenerator(options, seed, placement, partition);
    }

    @Override
    public long loaded() {
        return LoadAccounts.total(options.customers(), MIN_CENTS, MAX_CENTS, options.seed());
    }

    /** All customers' money, in cents. */
    @Override
    public long held(Database database) {
        return sum(database, "SELECT SUM(bal) FROM savings") + sum(database, "SELECT SUM(bal) FROM checking");
    }

    /**
     * Money is neither made nor lost: the present sum is the former one plus the money that committed calls paid in
     * or out.
     */
    @Override
    public List<Violation> check(Database database, long before, List<Generator> ran) {
        List<Violation> violations = new ArrayList<>();
        long expected = before;
        for (Generator generator : ran) {
            expected += ((SmallbankGenerator) generator).paidIn();
        }
        long actual = held(database);
        if (actual != expected) {
            violations.add(new Violation(
                    "money is conserved", "the accounts hold " + actual + " cents, but should hold " + expected));
        }
        for (String table : List.of("accounts", "savings", "checking")) {
            long count = count(database, "SELECT COUNT(*) FROM " + table);
            if (count != options.customers()) {
                violations.add(new Violation(
                        "no customer comes or goes", table + " has " + count + " rows, not " + options.customers()));
            }
        }
        long negative = count(database, "SELECT COUNT(*) FROM savings WHERE bal < 0");
        if (negative != 0) {
            violations.add(new Violation("savings are never negative", negative + " accounts are"));
        }
        return violations;
    }

    private static long sum(Database database, String sql) {
        Rows rows = database.query(sql);
        rows.next();
        return rows.isNull(0) ? 0 : rows.unscaledAt(0);
    }

    private static long count(Database database, String sql) {
        Rows rows = database.query(sql);
        rows.next();
        return rows.longAt(0);
    }
}
