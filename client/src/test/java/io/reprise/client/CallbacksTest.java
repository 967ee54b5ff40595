package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Calls end whatever completes their futures. */
@Timeout(30)
final class CallbacksTest {
    private static final Executor NETWORK_THREAD = Runnable::run;

    private static Client connect(ScriptedServer server, Executor callbacks) {
        return Client.connect(ClientSettings.to(server.address()).withCallbacks(callbacks));
    }

    @Test
    void shouldMakeTheFirstCallOfAProcedureWhenTheOnlyThreadForCallbacksWaitsForIt() throws Exception {
        ExecutorService one = Executors.newSingleThreadExecutor();
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, one)) {
            CompletableFuture<Reply> second = client.callAsync("First").thenApply(first -> client.call("Second"));

            assertThat(second.get(10, TimeUnit.SECONDS).longValue()).isEqualTo(17);
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void shouldTellWhatCameOfCallsWhenTheirExecutorRefuses() throws Exception {
        Executor refusing = task -> {
            throw new RejectedExecutionException("it is shut down");
        };
        try (ScriptedServer server = new ScriptedServer(
                        ScriptedServer.value(17), ScriptedServer.failure(ErrorCode.OVERLOADED, true));
                Client client = connect(server, refusing)) {
            assertThat(client.callAsync("First").get(10, TimeUnit.SECONDS).longValue())
                    .isEqualTo(17);
            assertThatThrownBy(() -> client.callAsync("First").get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(OverloadedException.class);
        }
    }

    @Test
    void shouldEndTheFirstCallOfAProcedureWhenItsTimeIsOverBeforeTheServerHasSaidWhatItIs() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client =
                        Client.connect(ClientSettings.to(server.address()).withCallTimeout(Duration.ofMillis(100)))) {
            server.answerNoQuestions();

            assertThatThrownBy(() -> client.callAsync("First").get(20, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOfSatisfying(
                            CallException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_CONNECTED))
                    .hasMessageContaining("the call was not sent");
        }
    }

    @Test
    void shouldCloseWhenTheNetworkThreadSaysSo() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, NETWORK_THREAD)) {
            server.holdReplies();
            CompletableFuture<Void> closed = client.callAsync("First").thenRun(client::close);
            server.letRepliesGo();

            closed.get(10, TimeUnit.SECONDS);
            client.close();

            assertThatThrownBy(() -> client.call("First")).isInstanceOf(CallException.class);
        }
    }

    /** The network thread waits for a callback, and the callback for the network thread. */
    @Test
    void shouldCloseWhenTheNetworkThreadIsKept() throws Exception {
        CountDownLatch kept = new CountDownLatch(1);
        CountDownLatch closed = new CountDownLatch(1);
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, ForkJoinPool.commonPool())) {
            client.call("First");
            ReplyHandler keeping = new ReplyHandler() {
                @Override
                public void replied(long cookie, ReplyReader reply) {
                    kept.countDown();
                    while (closed.getCount() > 0) {
                        LockSupport.parkNanos(1_000_000);
                    }
                }

                @Override
                public void failed(long cookie, CallException why) {}
            };
            client.call(client.procedure("First"), new ArgumentWriter(), keeping, 0);
            kept.await();

            try {
                CompletableFuture.runAsync(client::close).get(20, TimeUnit.SECONDS);
            } finally {
                closed.countDown();
            }
        }
    }

    @Test
    void shouldEndABulkOfRowsWhenThereWasNoMemoryForOneOfThem() throws Exception {
        BigDecimal noMemory = new BigDecimal("17.00") {
            private static final long serialVersionUID = 1L;

            @Override
            public BigInteger unscaledValue() {
                throw new OutOfMemoryError("as it was told to say");
            }
        };
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, ForkJoinPool.commonPool())) {
            BulkCalls bulk = client.bulk("First", (number, row, why) -> {});
            bulk.add(1);

            assertThatThrownBy(() -> bulk.add(noMemory)).isInstanceOf(OutOfMemoryError.class);

            assertThat(CompletableFuture.supplyAsync(bulk::finish).get(10, TimeUnit.SECONDS))
                    .isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"call", "sql"})
    void shouldRefuseToWaitOnTheNetworkThread(String what) throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, NETWORK_THREAD)) {
            server.holdReplies();
            CompletableFuture<Reply> second = client.callAsync("First")
                    .thenApply(first -> what.equals("call") ? client.call("First") : client.sql("SELECT 1"));
            server.letRepliesGo();

            assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("the network thread");
            assertThat(client.call("First").longValue()).isEqualTo(17);
        }
    }

    @Test
    void shouldRefuseToWaitForRowsOnTheNetworkThread() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17), ScriptedServer.NONE);
                Client client = connect(server, NETWORK_THREAD)) {
            server.holdReplies();
            CompletableFuture<Long> rows = client.callAsync("First").thenApply(first -> {
                BulkCalls bulk = client.bulk("First", (number, row, why) -> {});
                bulk.add(1);
                return bulk.finish();
            });
            server.letRepliesGo();

            assertThatThrownBy(rows::join)
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IllegalStateException.class);
        }
    }

    /** As in the pool that is usual on a machine with two processors. */
    @Test
    void shouldEndABulkOfRowsWhenTheOnlyThreadOfThePoolForCallbacksWaitsForIt() throws Exception {
        ForkJoinPool one = new ForkJoinPool(1);
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, one)) {
            server.holdReplies();
            CompletableFuture<Long> rows = client.callAsync("First").thenApply(first -> {
                BulkCalls bulk = client.bulk("First", (number, row, why) -> {});
                bulk.add(1);
                bulk.add(2);
                return bulk.finish();
            });
            server.letRepliesGo();

            assertThat(rows.get(10, TimeUnit.SECONDS)).isEqualTo(2);
        } finally {
            one.shutdownNow();
        }
    }

    @Test
    void shouldMakeKnownWhatIsThrownByWhoIsToldOfRejectedRows() throws Exception {
        BlockingQueue<Throwable> uncaught = new LinkedBlockingQueue<>();
        ExecutorService one = Executors.newSingleThreadExecutor(task -> {
            Thread thread = new Thread(task);
            thread.setUncaughtExceptionHandler((in, thrown) -> uncaught.add(thrown));
            return thread;
        });
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.failure(ErrorCode.OVERLOADED, true));
                Client client = connect(server, one);
                BulkCalls bulk = client.bulk("First", (number, row, why) -> {
                    throw new IllegalStateException("of row " + number);
                })) {
            bulk.add(1);
            bulk.finish();

            assertThat(uncaught.poll(10, TimeUnit.SECONDS)).hasMessage("of row 1");
            assertThat(bulk.rejected()).isEqualTo(1);
        } finally {
            one.shutdownNow();
        }
    }
}
