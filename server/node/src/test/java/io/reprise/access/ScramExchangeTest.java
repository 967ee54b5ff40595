package io.reprise.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import org.junit.jupiter.api.Test;

/** SCRAM-SHA-256 by the example of RFC 7677. */
final class ScramExchangeTest {
    private static final ScramVerifier VERIFIER =
            ScramVerifier.of("pencil", Base64.getDecoder().decode("W22ZaJ0SNY7soEsUEjb6gQ=="), 4096);
    private static final String FIRST = "n,,n=user,r=rOprNGfwEbeRWgbNEkqO";
    private static final String LAST = "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=";
    private static final String PROOF = "dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    private static final String WRONG_PROOF = "eHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";

    private final List<Boolean> judged = new ArrayList<>();
    private final ScramExchange exchange =
            new ScramExchange(VERIFIER, "%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0", (right, clientKey) -> {
                judged.add(right);
                return right ? LoginOutcome.accepted(User.OWNER) : LoginOutcome.refused("wrong");
            });

    @Test
    void shouldFollowTheExampleOfTheRfc() {
        String challenge = exchange.first(FIRST);
        ScramExchange.End end = exchange.last(LAST + PROOF);

        assertThat(challenge)
                .isEqualTo("r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096");
        assertThat(end.message()).isEqualTo("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=");
        assertThat(judged).containsExactly(true);
    }

    @Test
    void shouldRefuseAWrongProof() {
        exchange.first(FIRST);

        assertThat(exchange.last(LAST + WRONG_PROOF).outcome().kind()).isEqualTo(LoginOutcome.Kind.REFUSED);
        assertThat(judged).containsExactly(false);
    }

    @Test
    void shouldRejectMalformedMessages() {
        for (String first : List.of("", "n,,", "p=tls-unique,,n=u,r=x", "n,,n=u", "n,,n=u,r=", "n,,r=x,n=u")) {
            assertThatThrownBy(() -> exchange.first(first)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> exchange.last(LAST + PROOF)).isInstanceOf(IllegalArgumentException.class);
        exchange.first(FIRST);
        for (String last : List.of("", LAST + "x", LAST.replace("biws", "eSws") + PROOF, "c=biws,r=other,p=" + PROOF)) {
            assertThatThrownBy(() -> exchange.last(last)).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(judged).isEmpty();
    }

    @Test
    void shouldKeepVerifiersInTheFileOfUsers() {
        User ann = new User(
                "ann",
                Rights.of(Right.CALL),
                java.util.Optional.of(PasswordHash.ofNone()),
                java.util.Optional.of(VERIFIER));

        assertThat(Users.parse(Users.NONE.with(ann).format(), "users").find("ann"))
                .contains(ann);
        assertThatThrownBy(() -> ScramVerifier.parse("scram-sha-256:4095:a:b:c"))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldGiveAnUnknownUserTheSameSaltEachTime() {
        byte[] key = {1, 2, 3};

        assertThat(ScramVerifier.ofNone(key, "x").salt())
                .isEqualTo(ScramVerifier.ofNone(key, "x").salt())
                .isNotEqualTo(ScramVerifier.ofNone(key, "y").salt());
    }
}
