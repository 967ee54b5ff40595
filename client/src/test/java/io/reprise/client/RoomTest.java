package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Who waits for room does so for the call's time. */
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
final class RoomTest {
    private static final ReplyHandler NOBODY = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {}

        @Override
        public void failed(long cookie, CallException why) {}
    };

    private static Client connect(ScriptedServer server, Duration timeout) {
        return Client.connect(ClientSettings.to(server.address())
                .withMaxCalls(1, true)
                .withSilenceTimeout(Duration.ZERO)
                .withCallTimeout(timeout));
    }

    @Test
    void shouldRefuseACallWhenThereIsNoRoomWithinItsTime() throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.NONE);
                Client client = connect(server, Duration.ofMillis(100))) {
            client.callAsync("Deposit");
            server.awaitCalls(1);

            assertThatThrownBy(() -> client.call("Deposit")).isInstanceOf(OverloadedException.class);
            assertThatThrownBy(() -> client.sql("SELECT 1")).isInstanceOf(OverloadedException.class);
            assertThatThrownBy(() -> client.callAsync("Deposit").join())
                    .cause()
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("there was no room within the call's timeout; the call was not sent");
            RemoteProcedure deposit = client.procedure("Deposit");
            assertThatThrownBy(() -> client.call(deposit, new ArgumentWriter(), NOBODY, 0))
                    .isInstanceOf(OverloadedException.class);
            assertThat(client.offer(deposit, new ArgumentWriter(), NOBODY, 0)).isFalse();
            assertThat(server.calls()).hasSize(1);
        }
    }

    @Test
    void shouldCountTheTimeThatACallWaitedForRoom() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, Duration.ofSeconds(20))) {
            RemoteProcedure deposit = client.procedure("Deposit");
            server.holdReplies();
            client.offer(deposit, new ArgumentWriter(), NOBODY, 0);
            Thread waiting = new Thread(() -> client.offer(deposit, new ArgumentWriter(), NOBODY, 0));
            waiting.start();
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                LockSupport.parkNanos(1_000_000);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(300));
            server.letRepliesGo();

            server.awaitCalls(2);
            assertThat(server.calls().get(0).getTimeoutMs()).isBetween(19_000, 20_001);
            assertThat(server.calls().get(1).getTimeoutMs()).isLessThan(19_800);
        }
    }

    @Test
    void shouldWaitOnWhenTheCallHasAllTheTime() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, Duration.ZERO)) {
            server.holdReplies();
            client.callAsync("Deposit");
            server.awaitCalls(1);
            CompletableFuture<Reply> second = CompletableFuture.supplyAsync(() -> client.call("Deposit"));
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            server.letRepliesGo();

            assertThat(second.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(17);
        }
    }

    /** The first call of a procedure waits for what the server says of that, too. */
    @Test
    void shouldFailWithinItsTimeWhenTheServerDoesNotSayHowAProcedureIsCalled() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, Duration.ofMillis(300))) {
            server.answerNoQuestions();
            RemoteProcedure deposit = client.procedure("Deposit");

            assertThatThrownBy(() -> client.offer(deposit, new ArgumentWriter(), NOBODY, 0))
                    .isInstanceOf(CallException.class)
                    .hasMessageContaining("within the call's timeout")
                    .hasMessageContaining("Deposit");
            assertThat(server.calls()).isEmpty();
        }
    }
}
