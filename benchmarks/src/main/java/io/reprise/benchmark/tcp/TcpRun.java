package io.reprise.benchmark.tcp;

import io.reprise.benchmark.Context;
import io.reprise.benchmark.drive.Drive;
import io.reprise.benchmark.drive.Session;
import io.reprise.client.ClientSettings;
import io.reprise.workload.Workload;
import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** A server process with a loaded workload, and a client of it in this process. */
final class TcpRun implements AutoCloseable {
    private static final int CALLS = 1 << 13;

    private final ServerSetup setup;
    private final ServerProcess server;
    private final ClientSettings settings;
    private final Session session;

    private TcpRun(ServerSetup setup, ServerProcess server, ClientSettings settings, Session session) {
        this.setup = setup;
        this.settings = settings;
        this.server = server;
        this.session = session;
    }

    /** Starts a server and loads the workload, by calls. */
    static TcpRun start(Context context, ServerSetup setup) throws IOException {
        RunCertificate certificate = new RunCertificate(context.scratch());
        if (setup.encrypted()) {
            certificate.make();
        }
        ServerProcess server = ServerProcess.start(setup, context.scratch().resolve(String.join("-", setup.words())));
        try {
            ClientSettings usual = ClientSettings.to(server.address())
                    .withMaxCalls(CALLS, true)
                    .withCallTimeout(Duration.ofSeconds(60));
            ClientSettings settings = setup.encrypted() ? usual.withTls(certificate.trust()) : usual;
            Session session = new Session(setup.instance(), settings, 1, 1);
            session.load();
            return new TcpRun(setup, server, settings, session);
        } catch (RuntimeException | Error failure) {
            server.close();
            throw failure;
        }
    }

    /**
     * Other clients of the server, which don't wait when too many calls are under way: their further calls are
     * refused.
     */
    Session impatient(int clients) {
        return new Session(setup.instance(), settings.withMaxCalls(CALLS, false), clients, 1 << 12);
    }

    /** Starts to make calls without waiting for replies. */
    Drive drive(double perSecond) {
        return session.drive(perSecond);
    }

    /** Starts threads that wait for each reply. */
    Drive callers(int count) {
        return session.callers(count);
    }

    ServerProcess server() {
        return server;
    }

    /** The processor time that both processes have had. */
    double cpuSeconds() {
        return serverCpuSeconds() + driverCpuSeconds();
    }

    /** The processor time that this process has had, which makes the calls. */
    double driverCpuSeconds() {
        return ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toNanos()
                / 1e9;
    }

    double serverCpuSeconds() {
        return server.cpu().toNanos() / 1e9;
    }

    /** Checks the workload's invariants. */
    void check() {
        check(session);
    }

    /** The same after all calls since the load were those of other clients, which know what was replied. */
    static void check(Session session) {
        List<Workload.Violation> violations = session.check();
        if (!violations.isEmpty()) {
            throw new IllegalStateException("the database is not what the replies say: " + violations);
        }
    }

    @Override
    public void close() throws IOException {
        session.close();
        server.close();
    }
}
