package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.CallException;
import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import io.reprise.client.ErrorCode;
import io.reprise.client.UnknownOutcomeException;
import io.reprise.execution.durable.LoggingMethod;
import io.reprise.simulation.SimulatedFileStore;
import java.io.BufferedReader;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Clients pay into a bank while the network misbehaves and the server is killed: each payment is there, once. Other
 * seeds: {@code -Dreprise.seed=N}; more kills: {@code -Dreprise.kills=N}, more calls through the bad network: {@code
 * -Dreprise.calls=N}.
 */
final class RetryTest {
    private static final int PAYERS = 4;
    private static final Duration PATIENCE = Duration.ofMinutes(3);

    @TempDir
    Path directory;

    private final long seed = Long.getLong("reprise.seed", System.nanoTime());
    private final AtomicLong paid = new AtomicLong();
    private final AtomicLong calls = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @Test
    void shouldPayOnceThoughTheServerIsKilled() throws Exception {
        int kills = Integer.getInteger("reprise.kills", 2);
        Process process = start(0);
        int port = port(process);
        try (Client client = Client.connect(settings(port).withConnectTimeout(Duration.ofMinutes(1)))) {
            List<Thread> payers = startPayers(client);
            Random random = new Random(seed);
            for (int i = 0; i < kills; i++) {
                long until = calls.get() + 50 + random.nextInt(100);
                awaitCalls(until);
                process.destroyForcibly().waitFor();
                process = start(port);
                port(process);
            }
            awaitCalls(calls.get() + 50);
            finish(payers);

            assertThat(total(client)).as("seed %d", seed).isEqualTo(paid.get());
        } finally {
            process.destroyForcibly().waitFor();
        }
    }

    @Test
    void shouldPayOnceThoughTheNetworkMisbehaves() throws Exception {
        try (Server server = BankServer.open(directory, 2, LoggingMethod.COMMAND, 0);
                FaultProxy proxy = new FaultProxy(server.address(), seed, 100);
                Client client = Client.connect(settings(proxy.address().getPort()))) {
            // Not before: a client that was never connected says so and does not go on trying.
            proxy.misbehave();
            List<Thread> payers = startPayers(client);
            awaitCalls(Integer.getInteger("reprise.calls", 1_000));
            // As many chunks as calls may pass, and by chance nothing has happened to any of them.
            while (proxy.faults() == 0) {
                awaitCalls(calls.get() + 1);
            }
            finish(payers);
            proxy.behave();

            assertThat(BankServer.total(server)).as("seed %d", seed).isEqualTo(paid.get());
        }
    }

    @Test
    void shouldSayThatAnOutcomeIsUnknownWhenTheTimeIsOver() throws Exception {
        AtomicBoolean lost = new AtomicBoolean();
        try (Server server = BankServer.open(new SimulatedFileStore(1));
                TcpProxy proxy = new TcpProxy(server.address(), (from, to, connection, toClient) -> {
                    if (toClient) {
                        passOnUntil(lost, from, to);
                    } else {
                        from.getInputStream().transferTo(to.getOutputStream());
                    }
                });
                Client client = Client.connect(PatientClient.of(proxy.address())
                        .withCallTimeout(Duration.ofSeconds(3))
                        .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)))) {
            makeAFirstCall(client);
            lost.set(true);

            var call = client.callAsync("Deposit", 1, 100);
            awaitTotal(server, 100);
            proxy.close();

            assertThatThrownBy(call::join)
                    .cause()
                    .isInstanceOfSatisfying(
                            UnknownOutcomeException.class,
                            e -> assertThat(e.retryIsSafe()).isFalse());
            assertThatThrownBy(() -> client.call("Deposit", 1, 1)).isInstanceOfSatisfying(CallException.class, e -> {
                assertThat(e.code()).as("of what was not sent").isEqualTo(ErrorCode.NOT_CONNECTED);
                assertThat(e.retryIsSafe()).isTrue();
            });
            assertThat(BankServer.total(server)).isEqualTo(100);
        }
    }

    /** Until one is answered: on a busy machine the first may take longer than a test's calls may. It deposits nothing. */
    private static void makeAFirstCall(Client client) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        boolean answered = false;
        while (!answered) {
            try {
                client.call("Deposit", 1, 0);
                answered = true;
            } catch (CallException late) {
                if (System.nanoTime() > deadline) {
                    throw late;
                }
            }
        }
    }

    private static void awaitTotal(Server server, long total) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (BankServer.total(server) != total) {
            assertThat(System.nanoTime()).as("the call has not run").isLessThan(deadline);
            LockSupport.parkNanos(1_000_000);
        }
    }

    /** Between the greeting and the first call a client asks for the numbers of its procedures; nobody else waits for the answers. */
    @Test
    void shouldConnectAgainWhenAServerFallsSilentBehindItsWelcome() throws Exception {
        AtomicInteger silent = new AtomicInteger(-1);
        try (Server server = BankServer.open(new SimulatedFileStore(1));
                TcpProxy proxy = new TcpProxy(server.address(), (from, to, connection, toClient) -> {
                    if (connection == silent.get() && toClient) {
                        passOnOnlyTheWelcome(from, to);
                    } else {
                        from.getInputStream().transferTo(to.getOutputStream());
                    }
                });
                Client client = connectAtLast(ClientSettings.to(proxy.address())
                        .withConnectTimeout(Duration.ofMillis(500))
                        .withSilenceTimeout(Duration.ZERO)
                        .withCallTimeout(Duration.ofMinutes(1))
                        .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)))) {
            client.call("Deposit", 1, 1);
            int before = proxy.connections();
            silent.set(before);
            proxy.cut();

            client.call("Deposit", 1, 1);

            assertThat(proxy.connections() - before)
                    .as("first silent, then whole")
                    .isGreaterThanOrEqualTo(2);
            assertThat(BankServer.total(server)).isEqualTo(2);
        }
    }

    /** The time for connecting is short for the sake of what comes later, and may be too short for a busy machine. */
    private static Client connectAtLast(ClientSettings settings) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                return Client.connect(settings);
            } catch (CallException late) {
                if (System.nanoTime() > deadline) {
                    throw late;
                }
            }
        }
    }

    private static void passOnOnlyTheWelcome(Socket from, Socket to) throws IOException {
        DataInputStream in = new DataInputStream(from.getInputStream());
        DataOutputStream out = new DataOutputStream(to.getOutputStream());
        byte[] welcome = new byte[in.readInt()];
        in.readFully(welcome);
        out.writeInt(welcome.length);
        out.write(welcome);
        in.transferTo(OutputStream.nullOutputStream());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "DROP PROCEDURE Deposit | INVALID_REQUEST: there is no procedure Deposit",
                "CREATE OR REPLACE PROCEDURE Deposit AS DELETE FROM account WHERE id = ? | INVALID_REQUEST: the statement has 1 parameter",
                "CREATE OR REPLACE PROCEDURE FROM CLASS io.reprise.node.BankServer$Replacements$Deposit | INVALID_VALUE:"
            })
    void shouldNotSayThatACallWasNotRunWhenItRanAndItsRepetitionIsRefused(String change, String refusal)
            throws Exception {
        AtomicBoolean lost = new AtomicBoolean();
        CountDownLatch changed = new CountDownLatch(1);
        try (Server server = BankServer.open(new SimulatedFileStore(1));
                TcpProxy proxy = new TcpProxy(server.address(), (from, to, connection, toClient) -> {
                    if (connection == 0 && toClient) {
                        passOnUntil(lost, from, to);
                    } else {
                        if (connection != 0) {
                            // Else the call could be made again before the change.
                            await(changed);
                        }
                        from.getInputStream().transferTo(to.getOutputStream());
                    }
                });
                Client client = Client.connect(PatientClient.of(proxy.address())
                        .withCallTimeout(Duration.ofSeconds(4))
                        .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)))) {
            makeAFirstCall(client);
            lost.set(true);

            var call = client.callAsync("Deposit", 1, 100);
            awaitTotal(server, 100);
            server.engine().ddl(change);
            changed.countDown();

            assertThatThrownBy(call::join)
                    .cause()
                    .isInstanceOf(UnknownOutcomeException.class)
                    .hasMessageContaining(refusal);
            assertThat(BankServer.total(server)).isEqualTo(100);
        }
    }

    private static void await(CountDownLatch latch) throws InterruptedIOException {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException();
        }
    }

    /** The first reply after that is lost, and with it the connection. */
    private static void passOnUntil(AtomicBoolean lost, Socket from, Socket to) throws IOException {
        byte[] bytes = new byte[4096];
        for (int count = from.getInputStream().read(bytes);
                count >= 0 && !lost.get();
                count = from.getInputStream().read(bytes)) {
            to.getOutputStream().write(bytes, 0, count);
        }
    }

    @Test
    void shouldNotRepeatAStatement() throws Exception {
        try (Server server = BankServer.open(directory, 1, LoggingMethod.COMMAND, 0);
                FaultProxy proxy = new FaultProxy(server.address(), seed, Integer.MAX_VALUE);
                Client client =
                        Client.connect(PatientClient.of(proxy.address()).withCallTimeout(Duration.ofSeconds(2)))) {
            var update = client.sqlAsync("UPDATE account SET balance = balance + 1");
            proxy.close();

            boolean answered = true;
            boolean sent = true;
            try {
                update.join();
            } catch (CompletionException e) {
                answered = false;
                sent = e.getCause() instanceof UnknownOutcomeException;
                if (!sent) {
                    assertThat(e.getCause())
                            .isInstanceOfSatisfying(
                                    CallException.class,
                                    notSent -> assertThat(notSent.code()).isEqualTo(ErrorCode.NOT_CONNECTED));
                }
            }
            List<Long> possible =
                    answered ? List.of((long) BankServer.ACCOUNTS) : List.of(0L, (long) BankServer.ACCOUNTS);
            assertThat(BankServer.total(server)).isIn(sent ? possible : List.of(0L));
        }
    }

    private ClientSettings settings(int port) {
        return ClientSettings.to(new InetSocketAddress(InetAddress.getLoopbackAddress(), port))
                .withCallTimeout(Duration.ofMinutes(2))
                .withSilenceTimeout(Duration.ofMillis(300))
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(50));
    }

    private List<Thread> startPayers(Client client) {
        List<Thread> payers = new ArrayList<>();
        for (int i = 0; i < PAYERS; i++) {
            Random random = new Random(seed * 31 + i);
            payers.add(Thread.ofPlatform().name("payer-" + i).start(() -> pay(client, random)));
        }
        return payers;
    }

    private void pay(Client client, Random random) {
        try {
            while (!stop.get()) {
                long amount = 1L + random.nextInt(1000);
                switch (random.nextInt(10)) {
                    case 0 -> {
                        client.call("DepositEverywhere", amount);
                        paid.addAndGet(amount * BankServer.ACCOUNTS);
                    }
                    case 1 -> {
                        client.call("AddToAll", amount);
                        paid.addAndGet(amount * BankServer.ACCOUNTS);
                    }
                    default -> {
                        client.call("Deposit", random.nextInt(BankServer.ACCOUNTS), amount);
                        paid.addAndGet(amount);
                    }
                }
                calls.incrementAndGet();
            }
        } catch (Throwable e) {
            failure.set(e);
        }
    }

    private void awaitCalls(long count) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (calls.get() < count) {
            if (failure.get() != null || System.nanoTime() > deadline) {
                throw new AssertionError("seed " + seed + ": after " + calls + " calls", failure.get());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void finish(List<Thread> payers) throws InterruptedException {
        stop.set(true);
        for (Thread payer : payers) {
            payer.join();
        }
        if (failure.get() != null) {
            throw new AssertionError("seed " + seed, failure.get());
        }
    }

    private static long total(Client client) {
        var rows = client.sql("SELECT SUM(balance) FROM account").rows();
        rows.next();
        return rows.longAt(0);
    }

    private Process start(int port) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Xmx256m",
                        // It lives too shortly for code that is compiled well, and for more threads that collect.
                        "-XX:TieredStopAtLevel=1",
                        "-XX:+UseSerialGC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BankServer.class.getName(),
                        directory.toString(),
                        "2",
                        LoggingMethod.COMMAND.name(),
                        String.valueOf(port))
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static int port(Process process) throws IOException {
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = out.readLine();
        while (line != null && !line.startsWith("port ")) {
            line = out.readLine();
        }
        assertThat(line).as("the server's port").isNotNull();
        return Integer.parseInt(line.substring("port ".length()));
    }
}
