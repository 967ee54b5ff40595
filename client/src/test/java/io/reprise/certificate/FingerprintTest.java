package io.reprise.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.client.ClientTls;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class FingerprintTest {
    private static final String DIGITS = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    @Test
    void shouldTakeWhatOthersPrint() {
        String withColons = DIGITS.toUpperCase(java.util.Locale.ROOT).replaceAll("(..)(?!$)", "$1:");

        assertThat(Fingerprint.parse(DIGITS)).isEqualTo(DIGITS);
        assertThat(withColons).startsWith("9F:86:D0:").hasSize(95);
        assertThat(Fingerprint.parse(withColons)).isEqualTo(DIGITS);
        assertThat(ClientTls.pinned(withColons)).isNotNull();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/etc/node.crt", "9f86d081", DIGITS + "00", ":" + DIGITS, DIGITS + ":"})
    void shouldRefuseWhatIsNoSha256(String text) {
        assertThat(Fingerprint.isOne(text)).isFalse();
        assertThatThrownBy(() -> ClientTls.pinned(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not the SHA-256 of a certificate");
    }
}
