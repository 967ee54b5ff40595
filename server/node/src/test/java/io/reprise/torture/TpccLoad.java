package io.reprise.torture;

import io.reprise.engine.Reprise;
import io.reprise.procedure.Rows;
import io.reprise.runtime.SeededRandomness;
import io.reprise.workload.ArgumentList;
import io.reprise.workload.EngineDatabase;
import io.reprise.workload.Generator;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * TPC-C, small, with its twelve conditions; new orders and payments are counted. Each client makes them in districts of its
 * own, by which it is known whose they are; warehouses, customers and stock it shares with all others.
 */
final class TpccLoad implements VictimLoad {
    private static final int WAREHOUSES = 3;
    private static final int CUSTOMERS_OF_DISTRICT = 20;

    /** Of a call of either kind, the district where it is made. */
    private static final int DISTRICT_ARGUMENT = 1;

    private final Tpcc tpcc = new Tpcc(
            TpccOptions.small(WAREHOUSES).withSizes(100, CUSTOMERS_OF_DISTRICT).withRemote(10, 30));

    @Override
    public String ddl() {
        return tpcc.ddl();
    }

    @Override
    public List<String> kinds() {
        return tpcc.procedures().subList(Tpcc.NEW_ORDER, Tpcc.PAYMENT + 1);
    }

    /** Loading is not one transaction: after a kill in it the test begins with an empty directory. */
    @Override
    public boolean isFilled(Reprise engine) {
        Rows rows = engine.sql("SELECT COUNT(*) FROM warehouse").rows();
        return rows.next() && rows.longAt(0) == WAREHOUSES;
    }

    @Override
    public void fill(Reprise engine) {
        tpcc.load(new EngineDatabase(engine));
    }

    @Override
    public List<String> check(Reprise engine) {
        List<String> problems = new ArrayList<>();
        // The conditions are those of a loaded database; one that should be and is not is noticed by who knows that.
        if (isFilled(engine)) {
            tpcc.check(new EngineDatabase(engine), List.of()).forEach(violation -> problems.add(violation.toString()));
        }
        return problems;
    }

    @Override
    public WriteCounts found(Reprise engine) {
        WriteCounts found = new WriteCounts(KilledDatabase.WRITERS, kinds().size());
        // A new district has an order and a payment of each customer.
        Rows orders = engine.sql(
                        "SELECT d_id, SUM(d_next_o_id - 1 - " + CUSTOMERS_OF_DISTRICT + ") FROM district GROUP BY d_id")
                .rows();
        while (orders.next()) {
            found.add(client(orders.longAt(0)), Tpcc.NEW_ORDER, orders.longAt(1));
        }
        Rows payments = engine.sql("SELECT h_d_id, COUNT(*) FROM history GROUP BY h_d_id")
                .rows();
        while (payments.next()) {
            long loaded = (long) WAREHOUSES * CUSTOMERS_OF_DISTRICT;
            found.add(client(payments.longAt(0)), Tpcc.PAYMENT, payments.longAt(1) - loaded);
        }
        return found;
    }

    private static int client(long district) {
        return (int) (district - 1) % KilledDatabase.CLIENTS;
    }

    @Override
    public Client client(Reprise engine, int client, long seed) {
        EngineDatabase database = new EngineDatabase(engine);
        Generator generator = tpcc.generator(seed + client, database.placement(), -1);
        SeededRandomness random = new SeededRandomness(seed + client);
        ArgumentList call = new ArgumentList();
        return written -> {
            int procedure = generator.next(call);
            Object[] arguments = call.toArray();
            boolean counted = procedure == Tpcc.NEW_ORDER || procedure == Tpcc.PAYMENT;
            if (counted) {
                arguments[DISTRICT_ARGUMENT] = districtOf(client, random);
            }
            engine.call(tpcc.procedures().get(procedure), arguments);
            return counted ? procedure : NOTHING;
        };
    }

    private static long districtOf(int client, SeededRandomness random) {
        int own = (Tpcc.DISTRICTS - 1 - client) / KilledDatabase.CLIENTS + 1;
        return 1L + client + (long) KilledDatabase.CLIENTS * random.nextInt(own);
    }
}
