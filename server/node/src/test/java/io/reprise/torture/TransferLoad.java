package io.reprise.torture;

import io.reprise.engine.Reprise;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** {@link Transfers} under load. */
final class TransferLoad implements VictimLoad {
    @Override
    public String ddl() {
        return Transfers.DDL;
    }

    @Override
    public List<Class<?>> procedures() {
        return List.of(Transfers.class, Transfers.Move.class, Transfers.Gather.class);
    }

    @Override
    public List<String> kinds() {
        return List.of("journal");
    }

    @Override
    public boolean isFilled(Reprise engine) {
        return accounts(engine) == Transfers.ACCOUNTS;
    }

    @Override
    public void fill(Reprise engine) {
        for (long id = accounts(engine); id < Transfers.ACCOUNTS; id++) {
            engine.call("OpenAccount", id, Transfers.START);
        }
    }

    private static long accounts(Reprise engine) {
        return one(engine, "SELECT COUNT(*) FROM account");
    }

    @Override
    public List<String> check(Reprise engine) {
        List<String> problems = new ArrayList<>();
        checkJournal(engine, problems);
        checkBalances(engine, problems);
        checkLatest(engine, problems);
        return problems;
    }

    @Override
    public WriteCounts found(Reprise engine) {
        WriteCounts found = new WriteCounts(KilledDatabase.WRITERS, kinds().size());
        for (int client = 0; client < KilledDatabase.CLIENTS; client++) {
            found.set(client, 0, one(engine, "SELECT MAX(seq) FROM journal WHERE client = ?", (long) client));
        }
        return found;
    }

    private static void checkJournal(Reprise engine, List<String> problems) {
        Rows rows = engine.sql("SELECT client, COUNT(*), MIN(seq), MAX(seq) FROM journal GROUP BY client")
                .rows();
        while (rows.next()) {
            if (rows.longAt(2) != 1 || rows.longAt(1) != rows.longAt(3)) {
                problems.add("client " + rows.longAt(0) + " has " + rows.longAt(1) + " entries, numbered from "
                        + rows.longAt(2) + " to " + rows.longAt(3));
            }
        }
    }

    /** Nothing is half done: each account's balance follows from the journal, except for collected money. */
    private static void checkBalances(Reprise engine, List<String> problems) {
        long[] expected = new long[Transfers.ACCOUNTS];
        Arrays.fill(expected, Transfers.START);
        long collected = 0;
        Rows rows = engine.sql("SELECT origin, target, SUM(amount) FROM journal GROUP BY origin, target")
                .rows();
        while (rows.next()) {
            int origin = (int) rows.longAt(0);
            int target = (int) rows.longAt(1);
            long amount = rows.longAt(2);
            if (target < 0) {
                expected[origin] += amount;
                collected += amount;
            } else {
                expected[origin] -= amount;
                expected[target] += amount;
            }
        }
        Rows accounts =
                engine.sql("SELECT id, balance FROM account ORDER BY id").rows();
        long taken = 0;
        int count = 0;
        while (accounts.next()) {
            long lacks = expected[(int) accounts.longAt(0)] - accounts.longAt(1);
            if (lacks < 0 || collected == 0 && lacks > 0) {
                problems.add("account " + accounts.longAt(0) + " holds " + accounts.longAt(1)
                        + ", but the journal says " + expected[(int) accounts.longAt(0)]);
            }
            taken += lacks;
            count++;
        }
        if (count != Transfers.ACCOUNTS && (count > Transfers.ACCOUNTS || taken + collected > 0)) {
            problems.add("there are " + count + " accounts");
        }
        if (taken != collected) {
            problems.add("the accounts lack " + taken + ", but " + collected + " was collected");
        }
    }

    private static void checkLatest(Reprise engine, List<String> problems) {
        for (long client = 0; client < KilledDatabase.CLIENTS; client++) {
            long written = one(engine, "SELECT MAX(seq) FROM latest WHERE client = ?", client);
            long entered = one(engine, "SELECT MAX(seq) FROM journal WHERE target = -1 AND client = ?", client);
            if (written != entered) {
                problems.add("client " + client + " collected in entry " + entered + ", but the replicated table says "
                        + written);
            }
        }
    }

    private static long one(Reprise engine, String sql, Object... arguments) {
        Rows rows = engine.sql(sql, arguments).rows();
        return rows.next() && !rows.isNull(0) ? rows.longAt(0) : 0;
    }

    @Override
    public Client client(Reprise engine, int client, long seed) {
        SeededRandomness random = new SeededRandomness(seed + client);
        return written -> {
            long number = written[0] + 1;
            long origin = random.nextInt(Transfers.ACCOUNTS);
            if (random.nextInt(40) == 0) {
                engine.call("Gather", origin, (long) client, number);
                return 0;
            }
            long target = random.nextInt(3) == 0 ? origin : random.nextInt(Transfers.ACCOUNTS);
            engine.call("Move", origin, target, (long) client, number, (long) random.nextInt(400));
            return 0;
        };
    }
}
