package io.reprise.engine;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.log.LogSettings;
import org.junit.jupiter.api.Test;

final class WriterIdleTest {
    private static final LogSettings LOG = LogSettings.DEFAULTS;

    /** By so much more than is said may be lost in a power failure. */
    @Test
    void shouldSleepForAQuarterOfTheTimeBetweenForcesAndFiveMillisecondsAtMostWhenAsynchronous() {
        assertThat(WriterIdle.of(LOG.asynchronous(1_000_000_000)).mostNs()).isEqualTo(5_000_000);
        assertThat(WriterIdle.of(LOG.asynchronous(20_000_000)).mostNs()).isEqualTo(5_000_000);
        assertThat(WriterIdle.of(LOG.asynchronous(8_000_000)).mostNs()).isEqualTo(2_000_000);
        assertThat(WriterIdle.of(LOG.asynchronous(0)).mostNs()).isEqualTo(20_000);
    }

    @Test
    void shouldLookSeveralTimesInAPause() {
        assertThat(WriterIdle.of(LOG.withMaxDelayNs(1_000_000)).leastNs()).isEqualTo(250_000);
        assertThat(WriterIdle.of(LOG.withMaxDelayNs(3_000)).leastNs()).isEqualTo(20_000);
        assertThat(WriterIdle.of(LOG.asynchronous(20_000_000)).leastNs()).isEqualTo(250_000);
    }

    @Test
    void shouldSleepLongWhenNothingIsDueButASeal() {
        WriterIdle idle = WriterIdle.of(LOG.withMaxDelayNs(0));

        assertThat(idle.leastNs()).isEqualTo(1_000_000);
        assertThat(idle.mostNs()).isEqualTo(20_000_000).isLessThan(LOG.sealAfterNs());
    }
}
