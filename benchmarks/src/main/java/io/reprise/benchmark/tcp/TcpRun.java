package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Context;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.workload.Generator;
import io.reprise.workload.Workload;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A server process with a loaded workload, and a client of it in this process. */
final class TcpRun implements AutoCloseable {
    private static final int CALLS = 1 << 13;

    private final Workload workload;
    private final ServerProcess server;
    private final Client client;
    private final ClientDatabase database;
    private final List<Generator> ran = new ArrayList<>();
    private long seed = 1;

    private TcpRun(Workload workload, ServerProcess server, Client client, ClientDatabase database) {
        this.workload = workload;
        this.server = server;
        this.client = client;
        this.database = database;
    }

    /** Starts a server and loads the workload, by calls. */
    static TcpRun start(Context context, TcpWorkload which, int partitions, Log log) throws IOException {
        Path folder = context.scratch().resolve(which + "-" + partitions + "-" + log);
        ServerProcess server = ServerProcess.start(which, partitions, log, folder);
        try {
            Client client = Client.connect(ClientSettings.to(server.address())
                    .withMaxCalls(CALLS, true)
                    .withCallTimeout(Duration.ofSeconds(60)));
            ClientDatabase database = new ClientDatabase(client, partitions);
            Workload workload = which.workload();
            workload.load(database);
            return new TcpRun(workload, server, client, database);
        } catch (RuntimeException | Error failure) {
            server.close();
            throw failure;
        }
    }

    Client client() {
        return client;
    }

    /** A source of calls, which the checks at the end will ask for what it was told. */
    Generator generator() {
        Generator generator = workload.generator(seed++, database.placement(), -1);
        ran.add(generator);
        return generator;
    }

    /** Starts to make calls. */
    Driver drive(double perSecond) {
        Driver driver = new Driver(client, workload, generator(), perSecond);
        driver.start();
        return driver;
    }

    Workload workload() {
        return workload;
    }

    /** The processor time that both processes have had. */
    double cpuSeconds() {
        return (server.cpu().toNanos()
                        + ProcessHandle.current()
                                .info()
                                .totalCpuDuration()
                                .orElse(Duration.ZERO)
                                .toNanos())
                / 1e9;
    }

    double serverCpuSeconds() {
        return server.cpu().toNanos() / 1e9;
    }

    /** Checks the workload's invariants. */
    void check() {
        List<Workload.Violation> violations = workload.check(database, ran);
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the database is not what the replies say: " + violations);
        }
    }

    @Override
    public void close() throws IOException {
        client.close();
        server.close();
    }
}
