package io.reprise.node.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.access.AccessMeter;
import io.reprise.access.Authenticator;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.Users;
import io.reprise.runtime.time.Clock;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class LoginThreadsTest {
    /** Fails when it is asked a second time, by the thread that looks at passwords. */
    private static final class FailingClock implements Clock {
        private final AtomicInteger asked = new AtomicInteger();

        @Override
        public long nanoTime() {
            if (asked.incrementAndGet() == 2) {
                throw new IllegalStateException("the clock is broken");
            }
            return 0;
        }

        @Override
        public long epochMicros() {
            return 0;
        }
    }

    @Test
    void shouldAnswerALoginWhenLookingAtItFails() throws Exception {
        AccessMeter meter = new AccessMeter();
        Authenticator authenticator =
                new Authenticator(Users.NONE, "token", meter, new FailingClock(), Optional.empty());
        CompletableFuture<LoginOutcome> told = new CompletableFuture<>();
        CompletableFuture<LoginOutcome> next = new CompletableFuture<>();
        Claim claim = new Claim("ann", "correct horse", InetAddress.getLoopbackAddress(), List.of());

        try (LoginThreads logins = new LoginThreads(authenticator, "test")) {
            logins.login(claim, told::complete);

            assertThat(told.get(60, TimeUnit.SECONDS).kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
            assertThat(meter.logins(LoginOutcome.Kind.TURNED_AWAY)).isEqualTo(1);
            logins.login(claim, next::complete);
            assertThat(next.get(60, TimeUnit.SECONDS).kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        }
    }
}
