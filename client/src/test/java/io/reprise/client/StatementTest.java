package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Statements while there is no connection: nothing has been sent, so they can wait for one. */
@Timeout(60)
final class StatementTest {
    private static final ReplyHandler NOBODY = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {}

        @Override
        public void failed(long cookie, CallException why) {}
    };

    private static Client connect(ScriptedServer server, Duration reconnect, Duration timeout) {
        return Client.connect(
                ClientSettings.to(server.address()).withCallTimeout(timeout).withReconnect(reconnect, reconnect));
    }

    /** Returns when the connection has ended; a call with a handler doesn't wait for another one. */
    private static void cut(Client client) {
        RemoteProcedure deposit = client.procedure("Deposit");
        while (true) {
            try {
                client.offer(deposit, new ArgumentWriter(), NOBODY, 0);
                LockSupport.parkNanos(1_000_000);
            } catch (CallException notSent) {
                // Otherwise its time was over before it was known how the procedure is called.
                assertThat(notSent.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
                if (notSent.getMessage().startsWith("no server can be reached")) {
                    return;
                }
            }
        }
    }

    @Test
    void shouldWaitForAConnectionWithinTheirTime() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.LOST);
                Client client = connect(server, Duration.ofMillis(500), Duration.ofSeconds(30))) {
            cut(client);

            var later = client.sqlAsync("SELECT 1");
            assertThat(client.sql("SELECT 1").longValue()).isEqualTo(1);
            assertThat(later.get(20, TimeUnit.SECONDS).longValue()).isEqualTo(1);
        }
    }

    @Test
    void shouldSayThatTheyWereNotSentWhenThereIsNoConnectionWithinTheirTime() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.LOST);
                Client client = connect(server, Duration.ofMinutes(1), Duration.ofMillis(200))) {
            cut(client);

            assertThatThrownBy(() -> client.sql("SELECT 1"))
                    .isInstanceOfSatisfying(CallException.class, e -> {
                        assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED);
                        assertThat(e.retryIsSafe()).isTrue();
                    })
                    .hasMessageContaining("within the statement's timeout")
                    .hasMessageEndingWith("the statement was not sent");
        }
    }

    @Test
    void shouldEndThoseThatWaitWhenTheClientIsClosed() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.LOST)) {
            Client client = connect(server, Duration.ofMinutes(1), Duration.ofMinutes(1));
            cut(client);
            var waiting = client.sqlAsync("SELECT 1");

            client.close();

            assertThatThrownBy(() -> waiting.get(20, TimeUnit.SECONDS))
                    .cause()
                    .hasMessageContaining("the client was closed; the statement was not sent");
        }
    }
}
