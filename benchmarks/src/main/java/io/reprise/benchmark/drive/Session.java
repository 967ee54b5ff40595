package io.reprise.benchmark.drive;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.NodeMetrics;
import io.reprise.workload.Database;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/** Connections to a server, and the workload that is driven over them. One thread's. */
public final class Session implements AutoCloseable {
    private final Workload workload;
    private final List<Client> clients = new ArrayList<>();
    private final List<Generator> ran = new ArrayList<>();
    private final Database database;
    private long seed;
    private long before;

    /**
     * Connects.
     *
     * @param count number of clients: each has a connection, a network thread, and a thread that makes calls
     * @param seed the same gives the same calls, if the database is the same
     */
    public Session(Workload workload, ClientSettings settings, int count, long seed) {
        this.workload = workload;
        this.seed = seed;
        try {
            for (int i = 0; i < count; i++) {
                clients.add(connect(settings));
            }
        } catch (RuntimeException | Error failure) {
            close();
            throw failure;
        }
        database = new ClientDatabase(clients.get(0));
    }

    /**
     * Connects, if need be with a second attempt: with its first one a process loads all that a client consists of, which can take
     * longer than a connection may where many processes want the processor.
     */
    static Client connect(ClientSettings settings) {
        try {
            return Client.connect(settings);
        } catch (CallException first) {
            return Client.connect(settings);
        }
    }

    /** Fills the empty tables. */
    public void load() {
        workload.load(database);
        before = workload.loaded();
    }

    /** Looks at what others have left, so that it can be told from what this session will do. */
    public void begin() {
        before = workload.held(database);
    }

    public Workload workload() {
        return workload;
    }

    /**
     * Makes calls without waiting for their replies.
     *
     * @param perSecond rate of all clients together; 0: as many as may be under way
     */
    public Drive drive(double perSecond) {
        Failures failures = new Failures();
        List<Load> loads = new ArrayList<>();
        for (Client client : clients) {
            loads.add(new Driver(client, workload, generator(), perSecond / clients.size(), failures));
        }
        return Drive.start(loads, failures);
    }

    /** Makes calls by so many threads that wait for each reply. */
    public Drive callers(int count) {
        Failures failures = new Failures();
        List<Load> loads = new ArrayList<>();
        for (int i = 0; i < clients.size(); i++) {
            List<Generator> generators = new ArrayList<>();
            for (int caller = i; caller < count; caller += clients.size()) {
                generators.add(generator());
            }
            loads.add(new Callers(clients.get(i), workload, generators, failures));
        }
        return Drive.start(loads, failures);
    }

    private Generator generator() {
        Generator generator = workload.generator(seed++, database.placement(), -1);
        ran.add(generator);
        return generator;
    }

    /** The number of replies of each node since the clients connected. */
    SortedMap<String, Long> repliesByNode() {
        SortedMap<String, Long> replies = new TreeMap<>();
        for (Client client : clients) {
            for (NodeMetrics node : client.nodes()) {
                String name = node.number() < 0 ? node.address() : "node " + node.number();
                replies.merge(name, node.replies(), Long::sum);
            }
        }
        return replies;
    }

    /** Checks the workload's invariants, when all drives have stopped: each reply is kept, nothing else has happened. */
    public List<Workload.Violation> check() {
        return workload.check(database, before, ran);
    }

    @Override
    public void close() {
        clients.forEach(Client::close);
    }
}
