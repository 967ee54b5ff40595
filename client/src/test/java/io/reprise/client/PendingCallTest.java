package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import io.reprise.wire.message.Replies;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class PendingCallTest {
    @ParameterizedTest
    @CsvSource({
        "STORAGE_UNAVAILABLE, true",
        "OVERLOADED, true",
        "SHUTTING_DOWN, true",
        "DEADLINE_PASSED, true",
        "INVALID_REQUEST, false",
        "INVALID_VALUE, false",
        "NOT_PERMITTED, false"
    })
    void shouldMakeACallAgainWhenItMayHaveRunAndALaterAttemptIsRefused(ErrorCode code, boolean retryIsSafe)
            throws IOException {
        var refusal = ScriptedServer.refusal(code, retryIsSafe);
        try (ScriptedServer server =
                        new ScriptedServer(ScriptedServer.LOST, refusal, refusal, ScriptedServer.value(17));
                Client client = connect(server, Duration.ofSeconds(30))) {
            long result = client.call("Deposit", 3, 100).longValue();

            assertThat(result).isEqualTo(17);
            assertThat(server.sequences()).as("one call, four attempts").containsExactly(1L, 1L, 1L, 1L);
        }
    }

    /** A call whose time ends while it is made again and again. */
    @FunctionalInterface
    private interface Attempts {
        /** Returns false, and has shown nothing, if there were too few of them for that. */
        boolean within(Duration timeout) throws IOException;
    }

    /** A short time if all goes on as usual; a long one if this machine stands still for most of it. */
    private static void untilTheTimeIsOver(Attempts attempts) throws IOException {
        assertThat(attempts.within(Duration.ofMillis(700)) || attempts.within(Duration.ofSeconds(15)))
                .as("whether there were enough attempts")
                .isTrue();
    }

    private static CompletableFuture<Reply> ended(CompletableFuture<Reply> call) {
        call.handle((reply, failure) -> reply).join();
        return call;
    }

    /** Each is half as long as it may be at least, and none is longer than a second. */
    private static void assertPausesGrow(ScriptedServer server, Duration timeout) {
        assertThat(server.sequences())
                .as("with pauses that grow")
                .hasSizeLessThanOrEqualTo(12 + 2 * (int) timeout.toSeconds());
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenLaterAttemptsAreRefusedUntilTheTimeIsOver() throws IOException {
        untilTheTimeIsOver(timeout -> {
            try (ScriptedServer server = new ScriptedServer(
                            ScriptedServer.LOST, ScriptedServer.refusal(ErrorCode.INVALID_REQUEST, false));
                    Client client = connect(server, timeout)) {
                CompletableFuture<Reply> call = ended(client.callAsync("Deposit", 3, 100));
                if (server.sequences().size() < 3) {
                    return false;
                }
                assertUnknownAfterARefusal(call);
                assertPausesGrow(server, timeout);
                return true;
            }
        });
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenThereIsNoSuchProcedureAnyMore() throws IOException {
        untilTheTimeIsOver(timeout -> {
            try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(1), ScriptedServer.LOST);
                    Client client = connect(server, timeout)) {
                if (ended(client.callAsync("Deposit", 3, 1)).isCompletedExceptionally()) {
                    return false;
                }
                server.dropProcedures();

                CompletableFuture<Reply> call = ended(client.callAsync("Deposit", 3, 100));

                // The first is asked for all calls, as soon as there is a connection.
                if (server.refusedQuestions() < 3) {
                    return false;
                }
                assertUnknownAfterARefusal(call);
                assertThat(server.sequences()).containsExactly(1L, 2L);
                return true;
            }
        });
    }

    @Test
    void shouldSayThatTheOutcomeIsUnknownWhenTheClientIsClosedBeforeItIsLearnt() throws IOException {
        CompletableFuture<Reply> call;
        try (ScriptedServer server = new ScriptedServer(
                        ScriptedServer.LOST, ScriptedServer.refusal(ErrorCode.INVALID_REQUEST, false));
                Client client = connect(server, Duration.ofMinutes(5))) {
            call = client.callAsync("Deposit", 3, 100);
            server.awaitCalls(3);
        }

        assertUnknownAfterARefusal(call);
    }

    private static void assertUnknownAfterARefusal(CompletableFuture<Reply> call) {
        assertThatThrownBy(call::join).cause().isInstanceOfSatisfying(UnknownOutcomeException.class, e -> {
            assertThat(e.retryIsSafe()).isFalse();
            assertThat(e).hasMessageContaining("INVALID_REQUEST: as it was told to say");
        });
    }

    /** The transaction ran and was rolled back, or committed before: the call has an outcome. */
    @ParameterizedTest
    @EnumSource(names = {"USER_ABORT", "CONSTRAINT_VIOLATION", "PROCEDURE_FAILURE", "TIME_LIMIT", "RESULT_LOST"})
    void shouldTakeAnOutcomeFromALaterAttempt(ErrorCode code) throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.LOST, ScriptedServer.failure(code, false));
                Client client = connect(server, Duration.ofSeconds(30))) {
            assertFails(client, code, false);

            assertThat(server.sequences()).hasSize(2);
        }
    }

    @ParameterizedTest
    @CsvSource({"STORAGE_UNAVAILABLE, true", "OVERLOADED, true", "INVALID_REQUEST, false", "NOT_PERMITTED, false"})
    void shouldEndACallWhoseFirstAttemptIsRefused(ErrorCode code, boolean retryIsSafe) throws IOException {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.refusal(code, retryIsSafe));
                Client client = connect(server, Duration.ofSeconds(30))) {
            assertFails(client, code, retryIsSafe);

            assertThat(server.sequences()).hasSize(1);
        }
    }

    @Test
    void shouldEndACallThatIsRefusedWhenNoAttemptMayHaveRun() throws IOException {
        try (ScriptedServer server = new ScriptedServer(
                        ScriptedServer.failure(ErrorCode.SHUTTING_DOWN, true),
                        ScriptedServer.failure(ErrorCode.OVERLOADED, true));
                Client client = connect(server, Duration.ofSeconds(30))) {
            assertFails(client, ErrorCode.OVERLOADED, true);

            assertThat(server.sequences()).hasSize(2);
        }
    }

    /** A server that closes takes a snapshot before it ends its connections. */
    @Test
    void shouldPauseBetweenAttemptsWhenTheServerIsClosing() throws IOException {
        untilTheTimeIsOver(timeout -> {
            try (ScriptedServer server = new ScriptedServer(ScriptedServer.refusal(ErrorCode.SHUTTING_DOWN, true));
                    Client client = connect(server, timeout)) {
                CompletableFuture<Reply> call = ended(client.callAsync("Deposit", 3, 100));
                // Of one whose refusal comes when its time is over nobody knows that it was refused.
                if (server.sequences().size() < 3 || client.metrics().unanswered() > 0) {
                    return false;
                }
                assertThatThrownBy(call::join)
                        .cause()
                        .isInstanceOf(CallException.class)
                        // The second where its time ended while an attempt was under way.
                        .hasMessageMatching(".*; the call was not run|as it was told to say");
                assertPausesGrow(server, timeout);
                return true;
            }
        });
    }

    /** It waits for a connection when its time is over, when the client is closed, and when the server no longer takes the user. */
    @Test
    void shouldSayThatACallWasNotRunWhenAllItsAttemptsWereRefused() {
        assertNotRun(
                refusedCall(call ->
                        call.expired(System.nanoTime() + Duration.ofHours(1).toNanos())),
                ErrorCode.NOT_CONNECTED);
        assertNotRun(
                refusedCall(call -> call.giveUp(ErrorCode.NOT_CONNECTED, "the client was closed")),
                ErrorCode.NOT_CONNECTED);
        assertNotRun(
                refusedCall(call -> call.refused(new CallException(ErrorCode.NOT_AUTHENTICATED, "not you", false))),
                ErrorCode.NOT_AUTHENTICATED);
    }

    /** Servers forget after an hour, and would run it again. */
    @Test
    void shouldNotMakeACallAgainThatWasFirstMadeNearlyAnHourAgo() {
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofDays(365))) {
            PendingCall call = call(timeout);
            call.sending();
            call.failed(0, new UnknownOutcomeException("the connection ended"));

            assertThat(call.expired(System.nanoTime() + Duration.ofMinutes(54).toNanos()))
                    .isFalse();
            assertThat(call.expired(System.nanoTime() + Duration.ofMinutes(56).toNanos()))
                    .isTrue();

            assertThatThrownBy(call.future()::join)
                    .cause()
                    .isInstanceOf(UnknownOutcomeException.class)
                    .hasMessageContaining("55 minutes ago");
        }
    }

    /** The time of day goes on while a machine sleeps, and with it that of servers. */
    @Test
    void shouldNotMakeACallAgainAfterTheMachineHasSleptForNearlyAnHour() {
        for (Duration timeout : List.of(Duration.ZERO, Duration.ofSeconds(30), Duration.ofDays(365))) {
            TimeOfDay clock = new TimeOfDay();
            PendingCall call = call(timeout, clock);
            call.sending();
            call.failed(0, new UnknownOutcomeException("the connection ended"));

            clock.go(Duration.ofMinutes(54));
            assertThat(call.expired(System.nanoTime())).isFalse();
            clock.go(Duration.ofMinutes(2));
            assertThat(call.expired(System.nanoTime())).isTrue();

            assertLongAgo(call);
        }
    }

    @Test
    void shouldSayWhyARepetitionThatIsUnderWayIsTheLast() {
        TimeOfDay clock = new TimeOfDay();
        PendingCall call = call(Duration.ZERO, clock);
        call.sending();
        call.failed(0, new UnknownOutcomeException("the connection ended"));
        call.sending();
        clock.go(Duration.ofMinutes(56));

        call.failed(0, new UnknownOutcomeException("there was no reply within the call's timeout"));

        assertLongAgo(call);
    }

    private static void assertLongAgo(PendingCall call) {
        assertThatThrownBy(call.future()::join)
                .cause()
                .isInstanceOf(UnknownOutcomeException.class)
                .hasMessageContaining("55 minutes ago")
                .hasMessageNotContaining("timeout");
    }

    /** Stands still until it is moved. */
    private static final class TimeOfDay extends Clock {
        private Instant now = Instant.EPOCH;

        void go(Duration time) {
            now = now.plus(time);
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    @Test
    void shouldWaitForAConnectionForAsLongAsItMayWhenNothingWasSent() {
        PendingCall call = call(Duration.ZERO);

        assertThat(call.expired(System.nanoTime() + Duration.ofDays(100).toNanos()))
                .isFalse();
        assertThat(call.future()).isNotDone();
    }

    private static PendingCall call(Duration timeout) {
        return call(timeout, Clock.systemUTC());
    }

    private static PendingCall call(Duration timeout, Clock wallClock) {
        return new PendingCall(
                new Sequences(),
                node(wallClock),
                new RemoteProcedure(null, "Deposit", 0),
                new ArgumentWriter(),
                timeout.toNanos());
    }

    /** One that never connects. */
    static NodeConnector node() {
        return node(Clock.systemUTC());
    }

    private static NodeConnector node(Clock wallClock) {
        return new Nodes(
                        ClientSettings.to(new InetSocketAddress("localhost", 1)),
                        1,
                        new Sequences(),
                        new Counters(),
                        null,
                        new Names(InetAddress::getAllByName),
                        List.of(),
                        wallClock)
                .all()
                .get(0);
    }

    private static CompletableFuture<Reply> refusedCall(Consumer<PendingCall> end) {
        PendingCall call = call(Duration.ofMinutes(1));
        byte[] refusal = Replies.newBuilder()
                .addReply(ScriptedServer.failure(ErrorCode.SHUTTING_DOWN, true))
                .build()
                .toByteArray();
        ReplyReader replies = new ReplyReader();
        replies.over(refusal, 0, refusal.length);
        replies.next();
        call.sending();
        call.replied(0, replies);

        end.accept(call);
        return call.future();
    }

    private static void assertNotRun(CompletableFuture<Reply> call, ErrorCode code) {
        assertThatThrownBy(call::join)
                .cause()
                .isInstanceOfSatisfying(
                        CallException.class, e -> assertThat(e.code()).isEqualTo(code));
    }

    private static void assertFails(Client client, ErrorCode code, boolean retryIsSafe) {
        assertThatThrownBy(() -> client.call("Deposit", 3, 100)).isInstanceOfSatisfying(CallException.class, e -> {
            assertThat(e.code()).isEqualTo(code);
            assertThat(e.retryIsSafe()).isEqualTo(retryIsSafe);
        });
    }

    private static Client connect(ScriptedServer server, Duration timeout) {
        return Client.connect(ClientSettings.to(server.address())
                .withCallTimeout(timeout)
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)));
    }
}
