package io.reprise.node.security;

import io.reprise.access.AccessMeter;
import io.reprise.access.Authenticator;
import io.reprise.access.Claim;
import io.reprise.access.LoginOutcome;
import io.reprise.access.LoginStart;
import io.reprise.access.Logins;
import io.reprise.access.RevokedCertificates;
import io.reprise.access.Users;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hashes passwords and verifies certificates one after the other, on a thread that is there while there are any.
 * However many logins come, they take one processor at most from transactions, and the network's threads nothing.
 * Logins that would wait for too long are turned away.
 */
final class LoginThreads implements Logins, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("io.reprise.access");
    private static final int WAITING = 64;
    private static final long IDLE_SECONDS = 10;

    private final Authenticator authenticator;
    private final ThreadPoolExecutor thread;

    LoginThreads(Authenticator authenticator, String nodeName) {
        this.authenticator = authenticator;
        thread = new ThreadPoolExecutor(
                1,
                1,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(WAITING),
                task -> Thread.ofPlatform()
                        .daemon()
                        .name("reprise-" + nodeName + "-logins")
                        .unstarted(task));
        thread.allowCoreThreadTimeOut(true);
    }

    @Override
    public void login(Claim claim, Consumer<LoginOutcome> told) {
        // Certificates are verified once more, which takes milliseconds.
        Optional<LoginOutcome> known = claim.certificates().isEmpty() ? authenticator.atOnce(claim) : Optional.empty();
        if (known.isPresent()) {
            told.accept(known.get());
            return;
        }
        try {
            thread.execute(() -> tell(told, check(claim)));
        } catch (RejectedExecutionException full) {
            told.accept(authenticator.turnAway(claim, WAITING + " logins wait already; try again later"));
        }
    }

    @Override
    public void start(Claim claim, Consumer<LoginStart> told) {
        if (claim.certificates().isEmpty()) {
            told.accept(authenticator.start(claim));
            return;
        }
        try {
            thread.execute(() -> {
                try {
                    told.accept(authenticator.start(claim));
                } catch (RejectedExecutionException closed) {
                    LOG.debug("The server has been closed before a login was answered");
                }
            });
        } catch (RejectedExecutionException full) {
            told.accept(new LoginStart.Decided(
                    authenticator.turnAway(claim, WAITING + " logins wait already; try again later")));
        }
    }

    /**
     * A caller that waits for the outcome holds one of few threads of HTTP, or a connection: it is told something
     * whatever happens.
     */
    private LoginOutcome check(Claim claim) {
        try {
            return authenticator.check(claim);
        } catch (RuntimeException | Error e) {
            LOG.error(
                    "A login from {} could not be looked at: this is a bug",
                    claim.from().getHostAddress(),
                    e);
            return authenticator.turnAway(claim, "the login could not be looked at; the node's log says why");
        }
    }

    private static void tell(Consumer<LoginOutcome> told, LoginOutcome outcome) {
        try {
            told.accept(outcome);
        } catch (RejectedExecutionException closed) {
            LOG.debug("The server has been closed before a login was answered");
        }
    }

    @Override
    public Users users() {
        return authenticator.users();
    }

    @Override
    public RevokedCertificates revoked() {
        return authenticator.revoked();
    }

    @Override
    public AccessMeter meter() {
        return authenticator.meter();
    }

    @Override
    public void close() {
        thread.shutdown();
    }
}
