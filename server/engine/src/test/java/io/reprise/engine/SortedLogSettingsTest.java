package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SortedLogSettingsTest {
    @Test
    void shouldBeTheOnlyStorageOnlyByTheOptionThatSetsAllOfIt() {
        SortedLogSettings only =
                new SortedLogSettings(Optional.of(true), true, true, true, 16 << 20, 8, 64 << 20, 64 << 20);

        assertThatThrownBy(() -> Options.create().sortedLog(only))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("storeInLog(true)");
    }
}
