package io.reprise.benchmark.drive;

import io.reprise.client.Client;
import io.reprise.client.Reply;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Text;
import io.reprise.workload.Database;
import io.reprise.workload.Placement;
import io.reprise.workload.ScalarRows;

/** A server as the loaders and checkers of workloads see a database. */
final class ClientDatabase implements Database {
    private final Client client;
    private final int partitions;

    ClientDatabase(Client client) {
        this.client = client;
        this.partitions = client.partitions();
    }

    @Override
    public Rows call(String procedure, Object... arguments) {
        return rows(client.call(procedure, plain(arguments)));
    }

    @Override
    public Rows query(String sql, Object... arguments) {
        return rows(client.sql(sql, plain(arguments)));
    }

    private static Object[] plain(Object[] arguments) {
        Object[] plain = arguments.clone();
        for (int i = 0; i < plain.length; i++) {
            if (plain[i] instanceof Text text) {
                plain[i] = text.toString();
            }
        }
        return plain;
    }

    @Override
    public Placement placement() {
        return new Placement() {
            @Override
            public int partitions() {
                return partitions;
            }

            @Override
            public int partitionOf(long partitioningValue) {
                return client.partitionOf(partitioningValue);
            }
        };
    }

    private static Rows rows(Reply reply) {
        Object value = reply.value();
        return switch (value) {
            case null -> ScalarRows.none();
            case Boolean b -> ScalarRows.of(b ? 1 : 0);
            case Long n -> ScalarRows.of(n.longValue());
            case Double d -> ScalarRows.of(d.doubleValue());
            case String s -> ScalarRows.of(s);
            case io.reprise.client.Rows rows -> new ClientRows(rows);
            default -> throw new IllegalStateException(value.toString());
        };
    }
}
