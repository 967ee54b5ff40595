package io.reprise.torture;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ErrorCode;
import io.reprise.client.Rows;
import io.reprise.runtime.SeededRandomness;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Clients that live on while the process that they call is killed and started again: some with the client library, which
 * makes calls again by itself, and a {@link RepeatingCaller}.
 */
final class Callers implements AutoCloseable {
    private static final int LIBRARIES = 3;
    private static final int UNDER_WAY = 8;
    private static final int PATIENCE_SECONDS = 120;

    /** Below those that the system gives to outgoing connections, of which one could connect to itself. */
    private static final int FIRST_PORT = 12_000;

    private static final int PORTS = 16_000;

    private final CallLedger ledger = new CallLedger(LIBRARIES + 1);
    private final AtomicBoolean stop = new AtomicBoolean();
    private final List<Client> clients = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /** Connects to a process that is there. */
    Callers(int port, long seed) {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
        ClientSettings settings = ClientSettings.to(address)
                .withConnectTimeout(Duration.ofSeconds(PATIENCE_SECONDS))
                .withCallTimeout(Duration.ofSeconds(4 * PATIENCE_SECONDS))
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(50));
        for (int i = 0; i < LIBRARIES; i++) {
            int caller = i;
            Client client = Client.connect(settings);
            clients.add(client);
            SeededRandomness random = new SeededRandomness(seed + caller);
            threads.add(Thread.ofPlatform().daemon().start(() -> call(client, caller, random)));
        }
        RepeatingCaller repeating =
                new RepeatingCaller(address, ledger, LIBRARIES, new SeededRandomness(seed + LIBRARIES), stop);
        threads.add(Thread.ofPlatform().daemon().start(repeating));
    }

    /** One that nobody listens at. */
    static int freePort() throws IOException {
        SeededRandomness random = SeededRandomness.unpredictable();
        while (true) {
            int port = FIRST_PORT + random.nextInt(PORTS);
            try (ServerSocket tried = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return tried.getLocalPort();
            } catch (java.net.BindException taken) {
                // Another one, then.
            }
        }
    }

    CallLedger ledger() {
        return ledger;
    }

    /** Makes calls up to the end, so many at once. */
    private void call(Client client, int caller, SeededRandomness random) {
        Semaphore room = new Semaphore(UNDER_WAY);
        try {
            while (!stop.get()) {
                room.acquire();
                Tickets.Kind kind = anyKind(random);
                int number = ledger.ask(caller, kind);
                client.callAsync(kind.procedure, arguments(kind, caller, number, random))
                        .whenComplete((reply, failure) -> {
                            if (failure == null) {
                                ledger.answered(caller, number, reply.longValue());
                            } else {
                                failed(caller, number, failure);
                            }
                            room.release();
                        });
            }
            if (!room.tryAcquire(UNDER_WAY, PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("calls have no answer after " + PATIENCE_SECONDS + " s");
            }
        } catch (InterruptedException | RuntimeException e) {
            ledger.failed(caller, -1, e);
        }
    }

    private void failed(int caller, int number, Throwable failure) {
        if (!(failure instanceof CallException ended)) {
            ledger.failed(caller, number, failure);
        } else if (ended.code() == ErrorCode.USER_ABORT) {
            ledger.rolledBack(caller, number);
        } else if (ended.code() != ErrorCode.OVERLOADED) {
            ledger.failed(caller, number, failure);
        }
    }

    static Tickets.Kind anyKind(SeededRandomness random) {
        return switch (random.nextInt(10)) {
            case 0 -> Tickets.Kind.ALL;
            case 1, 2, 3 -> Tickets.Kind.TWO;
            default -> Tickets.Kind.ONE;
        };
    }

    static Object[] arguments(Tickets.Kind kind, long caller, long number, SeededRandomness random) {
        long counter = random.nextInt(Tickets.COUNTERS);
        long other = (counter + 1 + random.nextInt(Tickets.COUNTERS - 1)) % Tickets.COUNTERS;
        return kind == Tickets.Kind.TWO
                ? new Object[] {counter, other, caller, number}
                : new Object[] {counter, caller, number};
    }

    /** Compares what is there with what was answered, while calls go on. Returns what is wrong. */
    List<String> check() {
        long begunNs = System.nanoTime();
        Rows rows = clients.get(0)
                .sql("SELECT counter, ticket, kind, caller, number, answer FROM drawn")
                .rows();
        List<long[]> drawn = new ArrayList<>();
        while (rows.next()) {
            drawn.add(IntStream.range(0, rows.columns()).mapToLong(rows::longAt).toArray());
        }
        return ledger.problems(drawn, begunNs);
    }

    /** Waits until answers were given again, so that there were some. */
    void awaitRepetition() {
        long before = ledger.repeatedAnswers();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (ledger.repeatedAnswers() == before && System.nanoTime() - deadlineNs < 0) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Makes no new calls, waits for the answers of all, and compares again. */
    List<String> finish() throws InterruptedException {
        stop.set(true);
        for (Thread thread : threads) {
            thread.join(TimeUnit.SECONDS.toMillis(2L * PATIENCE_SECONDS));
            if (thread.isAlive()) {
                return List.of("a caller has not ended");
            }
        }
        return check();
    }

    @Override
    public void close() {
        stop.set(true);
        clients.forEach(Client::close);
    }
}
