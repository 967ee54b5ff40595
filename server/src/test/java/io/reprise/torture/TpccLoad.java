package io.reprise.torture;

import io.reprise.node.EngineDatabase;
import io.reprise.node.Reprise;
import io.reprise.procedure.Rows;
import io.reprise.workload.ArgumentList;
import io.reprise.workload.Generator;
import io.reprise.workload.tpcc.Tpcc;
import io.reprise.workload.tpcc.TpccOptions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.LongStream;

/** TPC-C, small, with its twelve conditions; new orders and payments are counted. */
final class TpccLoad implements VictimLoad {
    private final Tpcc tpcc = new Tpcc(TpccOptions.small(3).withSizes(100, 20).withRemote(10, 30));

    @Override
    public String ddl() {
        return tpcc.ddl();
    }

    @Override
    public void fill(Reprise engine) {
        if (count(engine, "SELECT COUNT(*) FROM warehouse") == 0) {
            tpcc.load(new EngineDatabase(engine));
        }
    }

    @Override
    public List<String> check(Reprise engine, long[] acknowledged) {
        List<String> problems = new ArrayList<>();
        if (count(engine, "SELECT COUNT(*) FROM warehouse") == 0) {
            return problems;
        }
        tpcc.check(new EngineDatabase(engine), List.of()).forEach(violation -> problems.add(violation.toString()));
        long found =
                count(engine, "SELECT SUM(d_next_o_id) FROM district") + count(engine, "SELECT COUNT(*) FROM history");
        long answered = LongStream.of(acknowledged).sum();
        if (answered > 0 && (found < answered || found > answered + acknowledged.length)) {
            problems.add("new orders and payments: " + answered + " were answered, " + found + " are there");
        }
        // All that was found counts as the first client's.
        Arrays.fill(acknowledged, 0);
        acknowledged[0] = found;
        return problems;
    }

    private static long count(Reprise engine, String sql) {
        Rows rows = engine.sql(sql).rows();
        return rows.next() && !rows.isNull(0) ? rows.longAt(0) : 0;
    }

    @Override
    public Client client(Reprise engine, int client, long seed) {
        EngineDatabase database = new EngineDatabase(engine);
        Generator generator = tpcc.generator(seed + client, database.placement(), -1);
        ArgumentList call = new ArgumentList();
        return number -> {
            int procedure = generator.next(call);
            engine.call(tpcc.procedures().get(procedure), call.toArray());
            return procedure == Tpcc.NEW_ORDER || procedure == Tpcc.PAYMENT;
        };
    }
}
