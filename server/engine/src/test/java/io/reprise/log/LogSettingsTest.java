package io.reprise.log;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LogSettingsTest {
    @Test
    void shouldKeepBatchesOfAnAsynchronousLogApartForLittleOfTheTimeBetweenForces() {
        LogSettings settings = LogSettings.DEFAULTS;

        assertThat(settings.asynchronous(100_000_000).longestPauseNs()).isEqualTo(1_000_000);
        assertThat(settings.asynchronous(400_000).longestPauseNs()).isEqualTo(100_000);
        assertThat(settings.asynchronous(0).longestPauseNs()).isZero();
    }

    @Test
    void shouldKeepForcesOfASynchronousLogApartAsLongAsItIsTold() {
        assertThat(LogSettings.DEFAULTS.withMaxDelayNs(0).longestPauseNs()).isZero();
        assertThat(LogSettings.DEFAULTS.withMaxDelayNs(70_000).longestPauseNs()).isEqualTo(70_000);
    }
}
