package io.reprise.torture;

import io.reprise.engine.Reprise;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Smallbank. Each client has a customer of its own, whom it pays a cent at a time, into checking and savings in turn:
 * the balances tell the number of payments. All others move money among themselves, and their total stays.
 */
final class SmallbankLoad implements VictimLoad {
    private static final int CUSTOMERS = 200;
    private static final long START_CENTS = 1_000_000;

    /** Positions in {@link #kinds}. */
    private static final int CHECKING = 0;

    private static final int SAVINGS = 1;

    private final Smallbank smallbank = new Smallbank(SmallbankOptions.uniform(CUSTOMERS));

    @Override
    public String ddl() {
        return smallbank.ddl();
    }

    @Override
    public List<String> kinds() {
        return List.of("DepositChecking", "TransactSavings");
    }

    @Override
    public boolean isFilled(Reprise engine) {
        return customers(engine) == CUSTOMERS;
    }

    @Override
    public void fill(Reprise engine) {
        for (long customer = customers(engine); customer < CUSTOMERS; customer++) {
            engine.call("LoadAccounts", new long[] {customer}, START_CENTS, START_CENTS, 1L);
        }
    }

    @Override
    public List<String> check(Reprise engine) {
        List<String> problems = new ArrayList<>();
        long customers = customers(engine);
        for (String table : List.of("savings", "checking")) {
            long accounts = number(engine, "SELECT COUNT(*) FROM " + table);
            if (accounts != customers) {
                problems.add(customers + " customers have " + accounts + " accounts of " + table);
            }
        }
        WriteCounts found = found(engine);
        for (int client = 0; client < KilledDatabase.CLIENTS; client++) {
            long[] payments = found.of(client);
            long more = payments[CHECKING] - payments[SAVINGS];
            if (more < 0 || more > 1) {
                problems.add("client " + client + " made " + payments[CHECKING] + " payments into checking and "
                        + payments[SAVINGS] + " into savings, but they take turns");
            }
        }
        String others = " WHERE custid >= " + KilledDatabase.CLIENTS;
        long money = cents(engine, "SELECT SUM(bal) FROM savings" + others)
                + cents(engine, "SELECT SUM(bal) FROM checking" + others);
        long expected = 2 * START_CENTS * Math.max(0, customers - KilledDatabase.CLIENTS);
        if (money != expected) {
            problems.add("the other customers have " + money + " cents, and should have " + expected);
        }
        return problems;
    }

    @Override
    public WriteCounts found(Reprise engine) {
        WriteCounts found = new WriteCounts(KilledDatabase.WRITERS, kinds().size());
        for (int client = 0; client < KilledDatabase.CLIENTS; client++) {
            found.set(client, CHECKING, paid(engine, "checking", client));
            found.set(client, SAVINGS, paid(engine, "savings", client));
        }
        return found;
    }

    /** In cents, which are as many payments. A customer who is not there has been paid nothing. */
    private static long paid(Reprise engine, String table, int client) {
        String where = " FROM " + table + " WHERE custid = " + client;
        long accounts = number(engine, "SELECT COUNT(*)" + where);
        return cents(engine, "SELECT SUM(bal)" + where) - accounts * START_CENTS;
    }

    private static long customers(Reprise engine) {
        return number(engine, "SELECT COUNT(*) FROM accounts");
    }

    private static long number(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        return rows.next() && !rows.isNull(0) ? rows.longAt(0) : 0;
    }

    private static long cents(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        return rows.next() && !rows.isNull(0)
                ? rows.decimalAt(0).movePointRight(2).longValueExact()
                : 0;
    }

    @Override
    public Client client(Reprise engine, int client, long seed) {
        SeededRandomness random = new SeededRandomness(seed + client);
        int clients = KilledDatabase.CLIENTS;
        return written -> {
            long from = clients + random.nextLong(CUSTOMERS - clients);
            long to = clients + random.nextLong(CUSTOMERS - clients);
            switch (random.nextInt(8)) {
                case 0 -> engine.call("Balance", from);
                case 1 -> {
                    if (from != to) {
                        engine.call("Amalgamate", from, to);
                    }
                }
                case 2, 3, 4 -> {
                    if (from != to) {
                        engine.call("SendPayment", from, to, 1L + random.nextLong(5_000));
                    }
                }
                default -> {
                    int kind = written[CHECKING] == written[SAVINGS] ? CHECKING : SAVINGS;
                    engine.call(kinds().get(kind), (long) client, 1L);
                    return kind;
                }
            }
            return NOTHING;
        };
    }
}
