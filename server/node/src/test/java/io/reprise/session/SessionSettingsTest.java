package io.reprise.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** The settings of a session: the time limit of requests follows each way in which it can change. */
final class SessionSettingsTest {
    private final SessionSettings settings = new SessionSettings();

    @Test
    void shouldKeepTheTimeLimitThatWasSet() {
        assertThat(settings.statementTimeoutMs()).isZero();

        settings.set("Statement_Timeout", "7s", false);
        assertThat(settings.statementTimeoutMs()).isEqualTo(7_000);

        assertThatThrownBy(() -> settings.set("statement_timeout", "soon", false))
                .isInstanceOf(SessionException.class);
        assertThat(settings.statementTimeoutMs()).isEqualTo(7_000);
    }

    @Test
    void shouldReturnToTheEarlierTimeLimitWhenATransactionEnds() {
        settings.set("statement_timeout", "2s", false);

        settings.set("STATEMENT_TIMEOUT", "50", true);
        assertThat(settings.statementTimeoutMs()).isEqualTo(50);

        settings.transactionEnded();
        assertThat(settings.statementTimeoutMs()).isEqualTo(2_000);
    }

    @Test
    void shouldReturnToTheTimeLimitOfTheLoginWhenItIsReset() {
        settings.startup("statement_timeout", "3s");
        assertThat(settings.statementTimeoutMs()).isEqualTo(3_000);

        settings.set("statement_timeout", "0", false);
        assertThat(settings.statementTimeoutMs()).isZero();
        settings.reset("STATEMENT_timeout");
        assertThat(settings.statementTimeoutMs()).isEqualTo(3_000);

        settings.set("statement_timeout", "4s", false);
        settings.resetAll();
        assertThat(settings.statementTimeoutMs()).isEqualTo(3_000);
    }
}
