package io.reprise.node;

import io.reprise.cluster.Topology;
import io.reprise.engine.Options;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.net.peer.PeerPort;
import io.reprise.net.peer.PeerSettings;
import io.reprise.net.reprise.PortSettings;
import io.reprise.procedure.ErrorCode;
import io.reprise.procedure.Procedure;
import io.reprise.procedure.ProcedureException;
import io.reprise.procedure.Rows;
import io.reprise.procedure.Statement;
import io.reprise.runtime.time.SystemClock;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Servers whose topology is set by the test, in place of a cluster's. Each has data of its own, and rejects calls of
 * accounts that it does not lead, as an engine does that is not the leader. The sum over all nodes tells how often calls ran.
 */
final class TestCluster implements AutoCloseable {
    static final int ACCOUNTS = 40;
    static final int PARTITIONS = 4;

    private static final DatabaseId DATABASE = DatabaseId.of(4, 2 << 8, Buckets.DEFAULT);
    private static final String DDL = """
            CREATE TABLE account (id BIGINT NOT NULL, balance BIGINT NOT NULL, led BIGINT NOT NULL, PRIMARY KEY (id));
            PARTITION TABLE account ON COLUMN id;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.TestCluster$Add;
            CREATE PROCEDURE PARTITION ON TABLE account COLUMN id FROM CLASS io.reprise.node.TestCluster$Spell;
            """;

    private final List<PeerPort> peers = new ArrayList<>();
    private final List<Server> servers = new ArrayList<>();
    private final int[] leaders = new int[PARTITIONS];
    private int version;

    /** Adds to a balance, where the account is led. */
    public static final class Add extends Procedure {
        private final Statement led = sql("SELECT led, balance FROM account WHERE id = ?");
        private final Statement add = sql("UPDATE account SET balance = balance + ? WHERE id = ?");

        /** Gives the new balance of this node. */
        public long run(long id, long amount) {
            led.set(0, id).first();
            if (led.rows().longAt(0) == 0) {
                throw new ProcedureException(ErrorCode.MOVED, "the account " + id + " is led elsewhere");
            }
            long balance = led.rows().longAt(1);
            add.set(0, amount).set(1, id).update();
            return balance + amount;
        }
    }

    /** Takes arguments of several kinds, and answers with rows. */
    public static final class Spell extends Procedure {
        private final Statement led = sql("SELECT led FROM account WHERE id = ?");
        private final Statement row = sql("SELECT id, balance FROM account WHERE id = ?");

        /** Gives the row, if the text is long enough. */
        public Rows run(long id, String text, long[] numbers) {
            led.set(0, id).first();
            if (led.rows().longAt(0) == 0) {
                throw new ProcedureException(ErrorCode.MOVED, "the account " + id + " is led elsewhere");
            }
            if (text.length() < numbers.length) {
                throw abort("the text " + text + " is too short for " + numbers.length + " numbers");
            }
            return row.set(0, id).query();
        }
    }

    TestCluster(int nodes) {
        for (int node = 0; node < nodes; node++) {
            int number = node;
            PeerPort port = new PeerPort(
                    PeerSettings.of("test", DATABASE, node, loopback()),
                    SystemClock.INSTANCE,
                    task -> Thread.ofPlatform().daemon().name("peers-" + number).unstarted(task));
            peers.add(port);
            servers.add(open(node));
        }
        int[] first = new int[PARTITIONS];
        Arrays.setAll(first, partition -> partition % nodes);
        lead(first);
    }

    private Server open(int node) {
        Options options = Options.create()
                .name("node-" + node)
                .partitions(PARTITIONS)
                .memoryPerPartition(64 << 20)
                .ddl(DDL);
        Server server = Server.open(
                options,
                PortSettings.at(loopback()),
                Optional.empty(),
                Optional.of(new ServerCluster(node, peers.get(node))),
                () -> {});
        for (int id = 0; id < ACCOUNTS; id++) {
            server.engine().sql("INSERT INTO account VALUES (?, 0, 0)", (long) id);
        }
        return server;
    }

    private static InetSocketAddress loopback() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    /** Gives each partition a leader, or none (-1): first on the nodes, then in the topology. */
    void lead(int... byPartition) {
        System.arraycopy(byPartition, 0, leaders, 0, PARTITIONS);
        for (int node = 0; node < servers.size(); node++) {
            if (isUp(node)) {
                for (int id = 0; id < ACCOUNTS; id++) {
                    long led = leaders[partitionOf(id)] == node ? 1 : 0;
                    servers.get(node).engine().sql("UPDATE account SET led = ? WHERE id = ?", led, (long) id);
                }
            }
        }
        tell();
    }

    /** Tells all nodes the topology. */
    void tell() {
        version++;
        TreeMap<Integer, String> clients = new TreeMap<>();
        TreeMap<Integer, String> between = new TreeMap<>();
        for (int node = 0; node < servers.size(); node++) {
            if (isUp(node)) {
                clients.put(node, text(servers.get(node).address()));
                between.put(node, text(peers.get(node).address()));
            }
        }
        List<Integer> named = Arrays.stream(leaders).boxed().toList();
        for (int node = 0; node < servers.size(); node++) {
            if (isUp(node)) {
                Server server = servers.get(node);
                server.topology(new Topology(version, server.engine().buckets(), named, clients, between));
            }
        }
    }

    private static String text(InetSocketAddress address) {
        return "127.0.0.1:" + address.getPort();
    }

    int partitionOf(long id) {
        for (int node = 0; node < servers.size(); node++) {
            if (isUp(node)) {
                var buckets = servers.get(node).engine().buckets();
                return buckets.partition(buckets.bucketOf(id));
            }
        }
        throw new IllegalStateException("no node is up");
    }

    int leaderOf(long id) {
        return leaders[partitionOf(id)];
    }

    boolean isUp(int node) {
        return servers.get(node) != null;
    }

    Server server(int node) {
        return servers.get(node);
    }

    InetSocketAddress address(int node) {
        return servers.get(node).address();
    }

    /** Ends a node's process, as far as others see it. */
    void stop(int node) {
        peers.get(node).close();
        servers.get(node).close();
        servers.set(node, null);
    }

    /** The sum of the balances on a node. */
    long total(int node) {
        var rows = servers.get(node)
                .engine()
                .sql("SELECT SUM(balance) FROM account")
                .rows();
        rows.next();
        return rows.longAt(0);
    }

    /** The sum of the balances on all nodes that are up. */
    long total() {
        long total = 0;
        for (int node = 0; node < servers.size(); node++) {
            total += isUp(node) ? total(node) : 0;
        }
        return total;
    }

    @Override
    public void close() {
        for (int node = 0; node < servers.size(); node++) {
            if (isUp(node)) {
                stop(node);
            }
        }
    }
}
