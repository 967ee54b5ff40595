package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.wire.ArgumentWriter;
import io.reprise.wire.ReplyReader;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An exception of an application's handler harms nobody else. */
@Timeout(30)
final class ThrowingHandlerTest {
    /** Of which call, by its cookie, and what it was told: null is a reply. */
    private record Told(long cookie, CallException why) {}

    private final BlockingQueue<Told> told = new LinkedBlockingQueue<>();
    private final List<Throwable> uncaught = new CopyOnWriteArrayList<>();

    private final ReplyHandler throwing = new ReplyHandler() {
        @Override
        public void replied(long cookie, ReplyReader reply) {
            told(cookie, null);
        }

        @Override
        public void failed(long cookie, CallException why) {
            told(cookie, why);
        }

        private void told(long cookie, CallException why) {
            Thread.currentThread().setUncaughtExceptionHandler((thread, thrown) -> {
                uncaught.add(thrown);
                throw new IllegalStateException("this one throws, too");
            });
            told.add(new Told(cookie, why));
            if (cookie % 2 == 0) {
                throw new IllegalStateException("of call " + cookie);
            }
            throw new AssertionError("of call " + cookie);
        }
    };

    private static Client connect(ScriptedServer server, Duration timeout) {
        return Client.connect(ClientSettings.to(server.address())
                .withCallTimeout(timeout)
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)));
    }

    private void call(Client client, ReplyHandler handler, int count) {
        for (int i = 0; i < count; i++) {
            client.call(client.procedure("Deposit"), new ArgumentWriter(), handler, i);
        }
    }

    /** Returns when what has to be known of the procedure is, which may take longer than a call of it has. */
    private void awaitKnown(Client client) throws InterruptedException {
        while (true) {
            try {
                call(client, throwing, 1);
                next();
                return;
            } catch (CallException late) {
                assertThat(late).hasMessageContaining("did not say within the call's timeout");
            }
        }
    }

    private Told next() throws InterruptedException {
        Told next = told.poll(20, TimeUnit.SECONDS);
        assertThat(next).as("what a handler was told").isNotNull();
        return next;
    }

    @Test
    void shouldKeepTheConnectionWhenAHandlerThrowsOfAReply() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.value(17));
                Client client = connect(server, Duration.ofSeconds(30))) {
            call(client, throwing, 2);

            assertThat(next()).isEqualTo(new Told(0, null));
            assertThat(next()).isEqualTo(new Told(1, null));
            assertThat(client.call("Deposit").longValue()).isEqualTo(17);
            assertThat(client.metrics().connects()).isEqualTo(1);
            assertThat(uncaught).extracting(Throwable::getMessage).containsExactly("of call 0", "of call 1");
        }
    }

    @Test
    void shouldConnectAgainWhenHandlersThrowOfTheEndOfAConnection() throws Exception {
        try (ScriptedServer server = new ScriptedServer(
                        ScriptedServer.NONE, ScriptedServer.NONE, ScriptedServer.LOST, ScriptedServer.value(17));
                Client client = connect(server, Duration.ofSeconds(30))) {
            call(client, throwing, 3);

            for (int i = 0; i < 3; i++) {
                assertThat(next().why()).isInstanceOf(UnknownOutcomeException.class);
            }
            assertThat(client.call("Deposit").longValue()).isEqualTo(17);
            assertThat(uncaught).hasSize(3);
        }
    }

    @Test
    void shouldTellOfOtherCallsWhoseTimeIsOverWhenAHandlerThrows() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.NONE);
                Client client = connect(server, Duration.ofMillis(100))) {
            awaitKnown(client);

            call(client, throwing, 2);
            next();
            next();

            call(client, throwing, 1);

            assertThat(next().why()).isInstanceOf(UnknownOutcomeException.class);
            assertThat(client.metrics().connects()).isEqualTo(1);
        }
    }

    @Test
    void shouldSayThatThereIsNoConnectionWhenAHandlerCallsAgainAtItsEnd() throws Exception {
        try (ScriptedServer server = new ScriptedServer(ScriptedServer.LOST);
                Client client = connect(server, Duration.ofSeconds(30))) {
            call(client, new AtItsEnd(() -> call(client, throwing, 1)), 1);

            assertThat(next().why().code()).isEqualTo(ErrorCode.NOT_CONNECTED);
        }
    }

    @Test
    void shouldCallAtAnotherNodeWhenAConnectionEnds() throws Exception {
        try (ScriptedServer losing = new ScriptedServer(ScriptedServer.value(17));
                ScriptedServer other = new ScriptedServer(ScriptedServer.value(17));
                Client client = Client.connect(ClientSettings.to(losing.address(), other.address()))) {
            while (client.metrics().connects() < 2) {
                Thread.onSpinWait();
            }
            // They take turns, as soon as both are known.
            for (int i = 0; i < 3; i++) {
                client.call("Deposit");
            }
            losing.loseCalls();
            AtItsEnd again = new AtItsEnd(() -> call(client, throwing, 1));

            call(client, again, 2);

            assertThat(next()).isEqualTo(new Told(0, null));
        }
    }

    /** Does something when its connection ends, and reports its exception. */
    private final class AtItsEnd implements ReplyHandler {
        private final Runnable action;

        AtItsEnd(Runnable action) {
            this.action = action;
        }

        @Override
        public void replied(long cookie, ReplyReader reply) {}

        @Override
        public void failed(long cookie, CallException why) {
            try {
                action.run();
            } catch (CallException thrown) {
                told.add(new Told(cookie, thrown));
            }
        }
    }
}
