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
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A caller waits for room for its call's time. */
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
            CompletableFuture<Reply> first = client.callAsync("Deposit");
            while (server.calls().isEmpty()) {
                if (first.isDone()) {
                    // Its time was over before the server had said what has to be known of the procedure.
                    first = client.callAsync("Deposit");
                }
                LockSupport.parkNanos(1_000_000);
            }

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

    /** A handler's call takes the place of the call that has ended, also if nobody waits for room. */
    @Test
    void shouldLetAHandlerUseThePlaceOfTheCallThatHasEnded() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client =
                        Client.connect(ClientSettings.to(server.address()).withMaxCalls(1, false))) {
            RemoteProcedure deposit = client.procedure("Deposit");
            CompletableFuture<List<Boolean>> taken = new CompletableFuture<>();
            client.call(
                    deposit,
                    new ArgumentWriter(),
                    new ReplyHandler() {
                        @Override
                        public void replied(long cookie, ReplyReader reply) {
                            taken.complete(List.of(
                                    client.offer(deposit, new ArgumentWriter(), NOBODY, 1),
                                    client.offer(deposit, new ArgumentWriter(), NOBODY, 2)));
                        }

                        @Override
                        public void failed(long cookie, CallException why) {
                            taken.completeExceptionally(why);
                        }
                    },
                    0);

            assertThat(taken.get(20, TimeUnit.SECONDS))
                    .as("one, and no more than one")
                    .containsExactly(true, false);
            server.awaitCalls(2);
        }
    }

    /**
     * The results of calls made on the network thread, one after the other, when the first has been answered. None
     * are made if it was not, as its time was over before.
     */
    private static List<CompletableFuture<Reply>> chained(Client client, int count, Runnable answered)
            throws Exception {
        CompletableFuture<List<CompletableFuture<Reply>>> made = new CompletableFuture<>();
        client.callAsync("Deposit").whenComplete((reply, failure) -> {
            List<CompletableFuture<Reply>> calls = new ArrayList<>();
            if (failure == null) {
                answered.run();
            }
            for (int i = 0; failure == null && i < count; i++) {
                calls.add(i % 2 == 0 ? client.callAsync("Deposit") : client.sqlAsync("SELECT 1"));
            }
            made.complete(calls);
        });
        return made.get(20, TimeUnit.SECONDS);
    }

    private static void assertOverloaded(CompletableFuture<Reply> call, String why) {
        assertThatThrownBy(() -> call.get(10, TimeUnit.SECONDS))
                .cause()
                .isInstanceOf(OverloadedException.class)
                .hasMessageContaining(why);
    }

    @Test
    void shouldRefuseWhatIsCalledOnTheNetworkThreadWhenNobodyShallWaitForRoom() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = Client.connect(ClientSettings.to(server.address())
                        .withMaxCalls(1, false)
                        .withCallbacks(Runnable::run))) {
            List<CompletableFuture<Reply>> calls = chained(client, 3, server::answerNoCalls);

            assertOverloaded(calls.get(1), "; the call was not sent");
            assertOverloaded(calls.get(2), "; the call was not sent");
            assertThat(calls.get(0)).as("has the place of the one before").isNotDone();
        }
    }

    @Test
    void shouldSayThatThereWasNoRoomWhenWhatIsCalledOnTheNetworkThreadHasWaitedForItsTime() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = Client.connect(ClientSettings.to(server.address())
                        .withMaxCalls(1, true)
                        .withSilenceTimeout(Duration.ZERO)
                        .withCallTimeout(Duration.ofMillis(300))
                        .withCallbacks(Runnable::run))) {
            List<CompletableFuture<Reply>> calls = List.of();
            while (calls.isEmpty()) {
                calls = chained(client, 3, server::answerNoCalls);
            }

            assertOverloaded(calls.get(1), "there was no room within the call's timeout; the statement was not sent");
            assertOverloaded(calls.get(2), "wait for a connection or for room already");
        }
    }

    @Test
    void shouldSendWhatIsCalledOnTheNetworkThreadWhenThereIsRoomAgain() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = Client.connect(ClientSettings.to(server.address())
                        .withMaxCalls(2, true)
                        .withCallbacks(Runnable::run))) {
            for (CompletableFuture<Reply> call : chained(client, 4, () -> {})) {
                assertThat(call.get(10, TimeUnit.SECONDS).longValue()).isIn(1L, 17L);
            }
        }
    }

    @Test
    void shouldCountTheTimeThatACallWaitedForRoom() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, Duration.ofMinutes(5))) {
            RemoteProcedure deposit = client.procedure("Deposit");
            server.holdReplies();
            client.offer(deposit, new ArgumentWriter(), NOBODY, 0);
            waits(() -> client.offer(deposit, new ArgumentWriter(), NOBODY, 0));
            long waitsNs = System.nanoTime();
            while (System.nanoTime() - waitsNs < TimeUnit.MILLISECONDS.toNanos(300)) {
                LockSupport.parkNanos(1_000_000);
            }
            server.letRepliesGo();

            server.awaitCalls(2);
            // The first has waited for what the server says of the procedure.
            assertThat(server.calls().get(0).getTimeoutMs()).isBetween(280_000, 300_001);
            assertThat(server.calls().get(1).getTimeoutMs()).isLessThan(299_800);
        }
    }

    @Test
    void shouldLetAnotherCallHaveTheRoomWhenTheOneThatWaitedIsTooLong() throws Exception {
        ArgumentWriter tooLong = new ArgumentWriter().add(new byte[2 << 20]);

        assertNextHasRoom((client, deposit) -> client.offer(deposit, tooLong, NOBODY, 0));
        assertNextHasRoom((client, deposit) -> client.sql("SELECT ?", (Object) new byte[2 << 20]));
    }

    @Test
    void shouldLetAnotherCallHaveTheRoomWhenTheOneThatWaitedCanNotBegin() throws Exception {
        ReplyHandler failing = new ReplyHandler() {
            @Override
            public void sending() {
                throw new IllegalStateException("as the test wants it");
            }

            @Override
            public void replied(long cookie, ReplyReader reply) {}

            @Override
            public void failed(long cookie, CallException why) {}
        };

        assertNextHasRoom((client, deposit) -> client.offer(deposit, new ArgumentWriter(), failing, 0));
    }

    /** One call is under way, one that will fail and a good one wait; then the first is answered. */
    private static void assertNextHasRoom(BiConsumer<Client, RemoteProcedure> failing) throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, Duration.ofMinutes(5))) {
            RemoteProcedure deposit = client.procedure("Deposit");
            server.holdReplies();
            client.offer(deposit, new ArgumentWriter(), NOBODY, 0);
            Thread first = waits(() -> assertThatThrownBy(() -> failing.accept(client, deposit)));
            Thread second = waits(() -> client.offer(deposit, new ArgumentWriter(), NOBODY, 0));
            server.letRepliesGo();

            second.join(10_000);
            assertThat(second.isAlive()).isFalse();
            first.join();
            server.awaitCalls(2);
        }
    }

    /** A thread that waits, or has ended. */
    private static Thread waits(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
            LockSupport.parkNanos(1_000_000);
        }
        return thread;
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

    /** A call may have a million bytes: thousands of them would fill the heap of whoever makes them. */
    @Test
    void shouldRefuseCallsThatHaveManyBytesLongBeforeThereAreManyOfThem() throws Exception {
        int bytes = 1_000_000;
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.NONE);
                Client client =
                        Client.connect(ClientSettings.to(server.address()).withMaxCalls(8192, false))) {
            RemoteProcedure store = client.procedure("Store");
            ArgumentWriter arguments = new ArgumentWriter().add(new byte[bytes]);
            int taken = 0;
            while (taken < 60 && client.offer(store, arguments, NOBODY, taken)) {
                taken++;
            }

            assertThat((long) taken * bytes).isBetween(32L << 20, (32L << 20) + 2 * bytes);
            assertThatThrownBy(() -> client.call(store, arguments, NOBODY, 0))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("32 MiB");
        }
    }

    /** Calls sent before the client has seen the end of the connection would wait only afterwards. */
    private static void awaitNoConnection(Client client) {
        while (true) {
            try {
                client.partitions();
                LockSupport.parkNanos(1_000_000);
            } catch (CallException notConnected) {
                return;
            }
        }
    }

    @Test
    void shouldRefuseCallsThatWaitForAConnectionWhenTheyHaveManyBytes() throws Exception {
        Object block = new byte[1_000_000];
        ScriptedServer server = new ScriptedServer(ScriptedServer.LOST);
        try (Client client = Client.connect(ClientSettings.to(server.address())
                .withReconnect(Duration.ofMinutes(1), Duration.ofMinutes(1))
                .withCallbacks(Runnable::run))) {
            CompletableFuture<Reply> first = client.callAsync("Store", block);
            awaitNoConnection(client);
            List<CompletableFuture<Reply>> later = new ArrayList<>();
            while (later.size() < 60
                    && (later.isEmpty() || !later.get(later.size() - 1).isDone())) {
                later.add(client.callAsync("Store", block));
            }

            assertThat(first).isNotDone();
            assertThat(later).hasSizeBetween(32, 40);
            assertThatThrownBy(() -> later.get(later.size() - 1).join())
                    .cause()
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("wait for a connection");
        } finally {
            server.close();
        }
    }

    @Test
    void shouldRefuseCallsThatWaitForWhatTheServerSaysOfTheirProcedureWhenTheyHaveManyBytes() throws Exception {
        Object block = new byte[1_000_000];
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.NONE);
                Client client = Client.connect(ClientSettings.to(server.address())
                        .withMaxCalls(8192, false)
                        .withCallbacks(Runnable::run))) {
            server.answerNoQuestions();
            List<CompletableFuture<Reply>> made = new ArrayList<>();
            while (made.size() < 60
                    && (made.isEmpty() || !made.get(made.size() - 1).isDone())) {
                made.add(client.callAsync("Store", block));
            }

            assertThat(made).hasSizeBetween(33, 40);
        }
    }

    @Test
    void shouldWaitForWhatTheServerSaysOfTheProcedureWhenManyCallsDoAlready() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client =
                        Client.connect(ClientSettings.to(server.address()).withMaxCalls(2, true))) {
            List<CompletableFuture<Reply>> made = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                made.add(client.callAsync("Deposit"));
            }

            for (CompletableFuture<Reply> each : made) {
                assertThat(each.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(17);
            }
        }
    }
}
