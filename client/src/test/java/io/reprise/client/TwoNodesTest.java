package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Unsent calls go to any connected node, and calls that may have run only to theirs. */
@Timeout(60)
final class TwoNodesTest {
    private static final ReplyHandler NOBODY = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {}

        @Override
        public void failed(long cookie, CallException why) {}
    };

    private ScriptedServer first;
    private ScriptedServer second;

    @BeforeEach
    void startServers() throws IOException {
        first = new ScriptedServer(ScriptedServer.value(1));
        second = new ScriptedServer(ScriptedServer.value(2));
    }

    @AfterEach
    void stopServers() throws IOException {
        first.close();
        second.close();
    }

    private Client connect(Duration timeout) {
        return Client.connect(ClientSettings.to(first.address(), second.address())
                .withCallTimeout(timeout)
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)));
    }

    /** Both end their connections; returns when the client has seen it. */
    private void awaitNoConnection(Client client) {
        while (client.metrics().connects() < 2) {
            // One that is being made just now could come behind the end of the other.
            LockSupport.parkNanos(1_000_000);
        }
        first.goAway();
        second.goAway();
        RemoteProcedure deposit = client.procedure("Deposit");
        while (true) {
            try {
                client.offer(deposit, new ArgumentWriter(), NOBODY, 0);
                LockSupport.parkNanos(1_000_000);
            } catch (CallException ended) {
                if (ended.getMessage().startsWith("no server can be reached")) {
                    return;
                }
            }
        }
    }

    @Test
    void shouldSendWhatWasNotSentToTheNodeThatIsThereFirst() throws Exception {
        try (Client client = connect(Duration.ofSeconds(40))) {
            awaitNoConnection(client);
            List<CompletableFuture<Reply>> statements = new ArrayList<>();
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                statements.add(client.sqlAsync("SELECT 1"));
                calls.add(client.callAsync("Deposit", i));
            }

            second.comeBack();

            for (CompletableFuture<Reply> statement : statements) {
                assertThat(statement.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(1);
            }
            for (CompletableFuture<Reply> call : calls) {
                assertThat(call.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldMakeACallAgainOnlyWhereItMayHaveRun() throws Exception {
        second.goAway();
        try (Client client = connect(Duration.ofSeconds(40))) {
            first.goAway();
            CompletableFuture<Reply> lost = client.callAsync("Deposit", 3);
            while (client.metrics().unanswered() == 0) {
                // Calls made before the client has seen the end of the connection may be sent there, too.
                LockSupport.parkNanos(1_000_000);
            }
            second.comeBack();
            assertThat(client.call("Deposit", 4).longValue())
                    .as("it is connected")
                    .isEqualTo(2);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            assertThat(lost).isNotDone();

            first.comeBack();

            assertThat(lost.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(1);
            assertThat(first.sequences()).containsExactly(1L, 1L);
            assertThat(second.sequences()).containsExactly(2L);
        }
    }

    @Test
    void shouldMakeACallElsewhereThatANodeHasRefusedBecauseItCloses() throws Exception {
        try (ScriptedServer closing = new ScriptedServer(ScriptedServer.refusal(ErrorCode.SHUTTING_DOWN, true));
                Client client = Client.connect(ClientSettings.to(closing.address(), second.address())
                        .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)))) {
            for (int i = 0; i < 4; i++) {
                assertThat(client.call("Deposit", i).longValue()).isEqualTo(2);
            }
        }
    }

    @Test
    void shouldSayWhyNoNodeIsConnectedWhenTheTimeIsOver() {
        try (Client client = connect(Duration.ofMillis(200))) {
            awaitNoConnection(client);

            assertThatThrownBy(() -> client.sql("SELECT 1"))
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED))
                    .hasMessageStartingWith("there was no connection to any server within the statement's timeout: ")
                    .hasMessageContaining(":" + first.address().getPort() + ": ")
                    .hasMessageContaining(":" + second.address().getPort() + ": ")
                    .hasMessageEndingWith("; the statement was not sent");
        }
    }
}
