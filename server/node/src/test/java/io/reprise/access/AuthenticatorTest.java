package io.reprise.access;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.simulation.SimulatedClock;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class AuthenticatorTest {
    private static final PasswordHash HASH = hash("correct horse");
    private static final User ANN = new User("ann", Rights.of(Right.CALL), Optional.of(HASH));

    private final SimulatedClock clock = new SimulatedClock();
    private final AccessMeter meter = new AccessMeter();
    private final Authenticator authenticator =
            new Authenticator(Users.NONE.with(ANN), "secret-token", meter, clock, Optional.empty());

    private static InetAddress address(String text) {
        try {
            return InetAddress.getByName(text);
        } catch (UnknownHostException e) {
            throw new IllegalStateException(e);
        }
    }

    /** A hash of few rounds, so that a test can check many passwords. */
    private static PasswordHash hash(String password) {
        return PasswordHash.of(password, 1000);
    }

    private static Claim claim(String name, String password, InetAddress from) {
        return new Claim(name, password, from, List.of());
    }

    private LoginOutcome check(String name, String password) {
        return authenticator.check(claim(name, password, address("192.0.2.1")));
    }

    @Test
    void shouldTakeTheRightPasswordAndNoOther() {
        assertThat(check("ann", "correct horse").user()).contains(ANN);
        assertThat(check("ann", "correct horses").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(check("ann", "").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(check("ANN", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(meter.logins(LoginOutcome.Kind.ACCEPTED)).isEqualTo(1);
        assertThat(meter.logins(LoginOutcome.Kind.REFUSED)).isEqualTo(3);
    }

    @Test
    void shouldSayTheSameOfAnUnknownUserAsOfAWrongPassword() {
        LoginOutcome unknown = check("bob", "correct horse");
        LoginOutcome wrong = check("ann", "wrong");

        assertThat(unknown).isEqualTo(wrong);
    }

    @Test
    void shouldRecogniseAPasswordWithoutTheSlowHashWhenItWasRightBefore() {
        Optional<LoginOutcome> before = authenticator.atOnce(claim("ann", "correct horse", address("192.0.2.1")));
        check("ann", "correct horse");

        Optional<LoginOutcome> after = authenticator.atOnce(claim("ann", "correct horse", address("192.0.2.9")));

        assertThat(before).isEmpty();
        assertThat(after.flatMap(LoginOutcome::user)).contains(ANN);
        assertThat(authenticator.atOnce(claim("ann", "other", address("192.0.2.9"))))
                .isEmpty();
    }

    @Test
    void shouldForgetAPasswordWhenTheUserHasAnotherOrIsGone() {
        check("ann", "correct horse");
        User changed = new User("ann", ANN.rights(), Optional.of(hash("battery staple")));

        authenticator.replace(Users.NONE.with(changed));

        assertThat(authenticator.atOnce(claim("ann", "correct horse", address("192.0.2.1"))))
                .isEmpty();
        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(check("ann", "battery staple").user()).contains(changed);
        authenticator.replace(Users.NONE);
        assertThat(check("ann", "battery staple").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
    }

    /** Five wrong passwords, from 192.0.2.1. */
    private void guess(String name) {
        for (int i = 0; i < FailedLogins.FREE; i++) {
            assertThat(check(name, "guess " + i).kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        }
    }

    @Test
    void shouldLookAtNoPasswordForAWhileWhenTooManyWereWrong() {
        guess("ann");

        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        assertThat(check("ann", "correct horse").message()).contains("in 2 s");
        assertThat(authenticator
                        .check(claim("ann", "correct horse", address("192.0.2.2")))
                        .kind())
                .as("from another address")
                .isEqualTo(LoginOutcome.Kind.ACCEPTED);
        assertThat(check("ann", "correct horse").kind())
                .as("it is known by now, but not from here")
                .isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertThat(check("ann", "wrong").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertThat(check("ann", "wrong, too").kind()).as("twice as long").isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
    }

    /** To compare with a password that is known takes no time, and no slow hash bounds it. */
    @Test
    void shouldNotCompareGuessesWithAKnownPasswordWithoutEnd() {
        authenticator.check(claim("ann", "correct horse", address("192.0.2.9")));

        for (int i = 0; i < 1000; i++) {
            // Nobody waits for what comes of them, as when too many logins are waiting.
            authenticator.atOnce(claim("ann", "guess " + i, address("192.0.2.1")));
        }

        assertThat(authenticator
                        .atOnce(claim("ann", "correct horse", address("192.0.2.1")))
                        .map(LoginOutcome::kind))
                .contains(LoginOutcome.Kind.TURNED_AWAY);
        assertThat(authenticator
                        .atOnce(claim("ann", "correct horse", address("192.0.2.9")))
                        .map(LoginOutcome::kind))
                .contains(LoginOutcome.Kind.ACCEPTED);
    }

    @Test
    void shouldBoundGuessesAtTheUserWhoIsRecognisedWhileHisAddressWaits() {
        check("ann", "correct horse");
        guess("ann");

        assertThat(check("ann", "correct horse").kind())
                .as("as many were wrong for himself as may be")
                .isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        clock.advance(TimeUnit.SECONDS.toNanos(1));
        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
    }

    @Test
    void shouldRecogniseWhoHasBeenThereWhileHisAddressWaitsForGuessesAtAnother() {
        authenticator.replace(Users.NONE.with(ANN).with(new User("bob", ANN.rights(), Optional.of(hash("mine")))));
        check("ann", "correct horse");
        guess("bob");

        assertThat(check("bob", "mine").kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
        // A mistyped one counts here, too.
        for (int i = 0; i < FailedLogins.FREE; i++) {
            assertThat(check("ann", "correct hrose " + i).kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        }
        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
    }

    /** As by an old instance of a program that runs beside the new one, with the password that the user had before. */
    @Test
    void shouldCountAWrongPasswordOnceWhenItIsSentAgainAndAgain() {
        for (int i = 0; i < 10 * FailedLogins.FREE; i++) {
            assertThat(check("ann", "the old one").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
            clock.advance(TimeUnit.SECONDS.toNanos(3));
        }

        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
        for (int i = 0; i < FailedLogins.FREE; i++) {
            check("ann", "the old one");
        }
        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
        assertThat(meter.logins(LoginOutcome.Kind.TURNED_AWAY)).isZero();
    }

    @Test
    void shouldTakeAPasswordThatWasWrongBeforeItWasTheUsers() {
        assertThat(check("ann", "battery staple").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        User changed = new User("ann", ANN.rights(), Optional.of(hash("battery staple")));

        authenticator.replace(Users.NONE.with(changed));

        assertThat(check("ann", "battery staple").user()).contains(changed);
    }

    /** He could guess on for ever, as long as he logs in as himself now and then. */
    @Test
    void shouldNotForgetWrongPasswordsOfOneUserWhenAnotherLogsInFromTheSameAddress() {
        authenticator.replace(Users.NONE
                .with(ANN)
                .with(new User("bob", ANN.rights(), Optional.of(hash("mine"))))
                .with(new User("cid", ANN.rights(), Optional.of(hash("mine too")))));
        for (int i = 1; i < FailedLogins.FREE; i++) {
            check("ann", "guess " + i);
        }

        assertThat(check("bob", "mine").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
        assertThat(check("cid", "mine too").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);
        assertThat(check("bob", "mine").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);

        assertThat(check("ann", "the last guess").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(check("ann", "one more").kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        assertThat(check("bob", "mine").kind()).as("he is known").isEqualTo(LoginOutcome.Kind.ACCEPTED);
    }

    @Test
    void shouldForgetWhatAUserHasMistypedAndNothingElseWhenHisPasswordIsFoundRight() {
        check("bob", "none of this name");
        for (int i = 2; i < FailedLogins.FREE; i++) {
            check("ann", "correct hrose " + i);
        }

        assertThat(check("ann", "correct horse").kind()).isEqualTo(LoginOutcome.Kind.ACCEPTED);

        for (int i = 2; i < FailedLogins.FREE; i++) {
            assertThat(check("ann", "corect horse " + i).kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        }
        assertThat(check("ann", "the fifth, with bob's").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(check("ann", "too many").kind()).isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
    }

    /** One guess at Ann's password from each of as many networks as are counted, none of which was there before. */
    private void guessFromManyNetworks() {
        for (int i = 0; i < FailedLogins.MOST_ADDRESSES; i++) {
            InetAddress network = address("2001:db8:0:" + Integer.toHexString(i) + "::1");
            authenticator.atOnce(claim("ann", "guess " + i, network));
            clock.advance(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private boolean isRecognised(String from) {
        return authenticator
                .atOnce(claim("ann", "correct horse", address(from)))
                .flatMap(LoginOutcome::user)
                .isPresent();
    }

    @Test
    void shouldRecogniseWhoHasBeenThereWhenMoreAddressesGuessThanAreCounted() {
        check("ann", "correct horse");

        guessFromManyNetworks();

        assertThat(isRecognised("192.0.2.1")).as("Ann has been here").isTrue();
        assertThat(isRecognised("192.0.2.9"))
                .as("a stranger's guess is not compared")
                .isFalse();
        assertThat(authenticator
                        .check(claim("ann", "correct horse", address("192.0.2.9")))
                        .user())
                .as("but looked at")
                .contains(ANN);
        assertThat(isRecognised("192.0.2.9")).as("no stranger any more").isTrue();
        assertThat(isRecognised("192.0.2.1"))
                .as("nor is Ann at her first place")
                .isTrue();
        clock.advance(TimeUnit.MINUTES.toNanos(10));
        assertThat(isRecognised("192.0.2.8")).as("when there has been peace").isTrue();
    }

    @Test
    void shouldCountTheLatestWhenMoreAddressesGuessThanAreCounted() {
        check("ann", "correct horse");
        guessFromManyNetworks();

        for (int i = 0; i < FailedLogins.FREE; i++) {
            authenticator.atOnce(claim("ann", "guess " + i, address("192.0.2.1")));
        }

        assertThat(isRecognised("192.0.2.1")).isFalse();
        assertThat(authenticator
                        .atOnce(claim("ann", "correct horse", address("192.0.2.1")))
                        .map(LoginOutcome::kind))
                .contains(LoginOutcome.Kind.TURNED_AWAY);
    }

    @Test
    void shouldRememberWhereAPasswordWasRightWhenItIsHashedOnceMore() {
        check("ann", "correct horse");
        guessFromManyNetworks();
        guess("bob");

        authenticator.check(claim("ann", "correct horse", address("192.0.2.9")));

        assertThat(isRecognised("192.0.2.1")).as("while the address waits").isTrue();
    }

    @Test
    void shouldTakeAllAddressesOfANetworkForOneWhenItIsIpv6() {
        for (int i = 1; i <= FailedLogins.FREE; i++) {
            authenticator.check(claim("ann", "wrong " + i, address("2001:db8::" + i)));
        }

        assertThat(authenticator
                        .check(claim("ann", "wrong", address("2001:db8::ffff")))
                        .kind())
                .isEqualTo(LoginOutcome.Kind.TURNED_AWAY);
        assertThat(authenticator
                        .check(claim("ann", "wrong", address("2001:db9::1")))
                        .kind())
                .isEqualTo(LoginOutcome.Kind.REFUSED);
    }

    @Test
    void shouldOpenEverythingForTheToken() {
        assertThat(check(User.TOKEN_NAME, "secret-token").user().orElseThrow().rights())
                .isEqualTo(Rights.ALL);
        assertThat(check(User.TOKEN_NAME, "guess").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(check("", "secret-token").kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
    }

    @Test
    void shouldSaltEachPassword() {
        PasswordHash hash = PasswordHash.of("correct horse");
        PasswordHash again = PasswordHash.of("correct horse");

        assertThat(again.salt()).isNotEqualTo(hash.salt());
        assertThat(again.hash()).isNotEqualTo(hash.hash());
        assertThat(again.iterations()).isGreaterThanOrEqualTo(210_000);
        assertThat(List.of(hash.toString(), again.toString())).noneMatch(text -> text.contains("horse"));
        assertThat(PasswordHash.parse(again.toString())).isEqualTo(again);
    }
}
