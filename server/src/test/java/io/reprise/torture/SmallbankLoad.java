package io.reprise.torture;

import io.reprise.node.Reprise;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.workload.smallbank.Smallbank;
import io.reprise.workload.smallbank.SmallbankOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Smallbank. Each client has a customer of its own, whom it pays a cent at a time, into checking and savings in turn: what
 * they hold says how many payments there were. All others move money among themselves, and their total stays.
 */
final class SmallbankLoad implements VictimLoad {
    private static final int CUSTOMERS = 200;
    private static final long START_CENTS = 1_000_000;

    private final Smallbank smallbank = new Smallbank(SmallbankOptions.uniform(CUSTOMERS));

    @Override
    public String ddl() {
        return smallbank.ddl();
    }

    @Override
    public void fill(Reprise engine) {
        for (long customer = number(engine, "SELECT COUNT(*) FROM accounts"); customer < CUSTOMERS; customer++) {
            engine.call("LoadAccounts", new long[] {customer}, START_CENTS, START_CENTS, 1L);
        }
    }

    @Override
    public List<String> check(Reprise engine, long[] acknowledged) {
        List<String> problems = new ArrayList<>();
        long customers = number(engine, "SELECT COUNT(*) FROM accounts");
        for (String table : List.of("savings", "checking")) {
            long accounts = number(engine, "SELECT COUNT(*) FROM " + table);
            if (accounts != customers) {
                problems.add(customers + " customers have " + accounts + " accounts of " + table);
            }
        }
        if (customers < CUSTOMERS) {
            return problems;
        }
        for (int client = 0; client < acknowledged.length; client++) {
            checkClient(engine, client, acknowledged, problems);
        }
        String others = " WHERE custid >= " + acknowledged.length;
        long money = cents(engine, "SELECT SUM(bal) FROM savings" + others)
                + cents(engine, "SELECT SUM(bal) FROM checking" + others);
        long expected = 2 * START_CENTS * (CUSTOMERS - acknowledged.length);
        if (money != expected) {
            problems.add("the other customers have " + money + " cents, and should have " + expected);
        }
        return problems;
    }

    private static void checkClient(Reprise engine, int client, long[] acknowledged, List<String> problems) {
        long checking = cents(engine, "SELECT bal FROM checking WHERE custid = " + client) - START_CENTS;
        long savings = cents(engine, "SELECT bal FROM savings WHERE custid = " + client) - START_CENTS;
        long found = checking + savings;
        if (checking - savings != found % 2) {
            problems.add("client " + client + " was paid " + checking + " cents into checking and " + savings
                    + " into savings, but payments take turns");
        }
        if (found < acknowledged[client] || found > acknowledged[client] + 1) {
            problems.add("client " + client + " was answered " + acknowledged[client] + " payments, but has " + found);
        }
        acknowledged[client] = found;
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
        return number -> {
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
                    engine.call(number % 2 == 1 ? "DepositChecking" : "TransactSavings", (long) client, 1L);
                    return true;
                }
            }
            return false;
        };
    }
}
