package io.reprise.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class UnitsTest {
    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1B, 1",
        "4096B, 4096",
        "1KB, 1000",
        "1KiB, 1024",
        "64 MiB, 67108864",
        "1.5GiB, 1610612736",
        "2gb, 2000000000",
        "1TiB, 1099511627776"
    })
    void shouldReadSizes(String text, long bytes) {
        assertThat(Units.size(text)).contains(bytes);
    }

    @ParameterizedTest
    @CsvSource({"0, 0", "5ns, 5", "3us, 3000", "20ms, 20000000", "1.5s, 1500000000", "1 d, 86400000000000"})
    void shouldReadDurations(String text, long ns) {
        assertThat(Units.duration(text)).contains(Duration.ofNanos(ns));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "B", "-1B", "1e3B", "1MiBs", "0x10B", "9999999999TiB", "1 000B", "1.B"})
    void shouldRefuseWhatIsNoSize(String text) {
        assertThat(Units.size(text)).isEmpty();
    }

    @Test
    void shouldNotTakeASizeForADuration() {
        assertThat(Units.duration("1KiB")).isEmpty();
        assertThat(Units.duration("1m")).isEmpty();
    }
}
