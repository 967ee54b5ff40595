package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ClientSettingsTest {
    private final ClientSettings usual = ClientSettings.to(new InetSocketAddress("localhost", 1));

    @ParameterizedTest
    @ValueSource(longs = {-1, 99_999_999_999L, Long.MAX_VALUE})
    void shouldRefuseATimeThatIsNone(long seconds) {
        Duration none = Duration.ofSeconds(seconds);

        assertThatThrownBy(() -> usual.withCallTimeout(none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the timeout of calls");
        assertThatThrownBy(() -> usual.withSilenceTimeout(none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("silent servers");
        assertThatThrownBy(() -> usual.withReconnect(none, usual.reconnectMost()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the pause before");
        assertThatThrownBy(() -> usual.withReconnect(usual.reconnectLeast(), none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the longest pause");
        assertThatThrownBy(() -> usual.withConnectTimeout(none))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("connect");
    }

    @Test
    void shouldTakeNoLimit() {
        assertThat(usual.withCallTimeout(Duration.ZERO).callTimeout()).isZero();
    }
}
