package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A client that is closed leaves nothing behind, and whoever calls it meanwhile is told so. */
@Timeout(60)
final class ClosedClientTest {
    private static final int ROUNDS = 300;
    private static final int CALLERS = 3;

    private static final ReplyHandler NOBODY = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {}

        @Override
        public void failed(long cookie, CallException why) {}
    };

    private static Client connect(ScriptedServer server) {
        return Client.connect(ClientSettings.to(server.address()).withConnectTimeout(Duration.ofSeconds(30)));
    }

    /** Makes one call after the other until one fails; each call has a new name, or all have the same. */
    private static Throwable callUntilItFails(Client client, String how) {
        try {
            for (int i = 0; ; i++) {
                switch (how) {
                    case "new procedures" -> client.call("Procedure" + i);
                    case "one procedure" -> client.call("Procedure");
                    default ->
                        client.call(
                                client.procedure("Procedure" + i / 64 % 100), new ArgumentWriter().add(i), NOBODY, i);
                }
            }
        } catch (OverloadedException full) {
            return callUntilItFails(client, "one procedure");
        } catch (RuntimeException failure) {
            return failure;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"new procedures", "one procedure", "handlers"})
    void shouldFailWithItsOwnExceptionsWhenItIsClosedWhileCallsAreMade(String how) throws Exception {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17))) {
            for (int round = 0; round < ROUNDS; round++) {
                Client client = connect(server);
                CountDownLatch begun = new CountDownLatch(CALLERS);
                List<Thread> callers = IntStream.range(0, CALLERS)
                        .mapToObj(i -> new Thread(() -> {
                            begun.countDown();
                            failures.add(callUntilItFails(client, how));
                        }))
                        .toList();
                callers.forEach(Thread::start);
                begun.await();
                client.close();
                for (Thread caller : callers) {
                    caller.join(TimeUnit.SECONDS.toMillis(20));
                    assertThat(caller.isAlive())
                            .as("a caller waits still: %s", List.of(caller.getStackTrace()))
                            .isFalse();
                }
            }
        }

        assertThat(failures)
                .hasSize(ROUNDS * CALLERS)
                .allSatisfy(failure -> assertThat(failure).isInstanceOf(CallException.class));
    }

    @Test
    void shouldKeepTheProgramFromEndingWithNoThreadWhenItIsClosed() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17))) {
            Client client = connect(server);
            client.call("First");

            client.close();

            assertThat(Thread.getAllStackTraces().keySet())
                    .filteredOn(thread -> !thread.isDaemon())
                    .extracting(Thread::getName)
                    .as("threads that a program waits for, and that are the network library's")
                    .noneMatch(name -> name.startsWith("globalEventExecutor"));
        }
    }

    @Test
    void shouldRefuseAProcedureThatAnotherClientHasMade() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                ScriptedServer other = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server);
                Client stranger = connect(other)) {
            client.call("Deposit");
            RemoteProcedure withdraw = stranger.procedure("Withdraw");

            assertThatThrownBy(() -> client.call(withdraw, new ArgumentWriter(), NOBODY, 1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("Withdraw")
                    .hasMessageContaining("another client");
            assertThat(server.calls()).as("nothing else was called instead").hasSize(1);
        }
    }

    @Test
    void shouldSayThatItWasInterruptedWhenTheThreadThatConnectsIs() throws Exception {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            ClientSettings settings = ClientSettings.to((InetSocketAddress) silent.getLocalSocketAddress());
            Thread.currentThread().interrupt();

            assertThatThrownBy(() -> Client.connect(settings))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("interrupted");
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
