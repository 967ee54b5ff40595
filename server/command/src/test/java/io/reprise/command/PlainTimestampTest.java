package io.reprise.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class PlainTimestampTest {
    @Test
    void shouldReadAsTheFormattersOfTheJdkDo() {
        SplittableRandom random = new SplittableRandom(7);
        for (int i = 0; i < 20_000; i++) {
            int digits = random.nextInt(10);
            LocalDateTime time =
                    LocalDateTime.ofEpochSecond(random.nextLong(-60_000_000_000L, 250_000_000_000L), 0, ZoneOffset.UTC);
            String text = "%04d-%02d-%02dT%02d:%02d:%02d"
                    .formatted(
                            time.getYear(),
                            time.getMonthValue(),
                            time.getDayOfMonth(),
                            time.getHour(),
                            time.getMinute(),
                            time.getSecond());
            if (digits > 0) {
                text += "." + "%09d".formatted(random.nextInt(1_000_000_000)).substring(0, digits);
            }
            Instant expected = LocalDateTime.parse(text).toInstant(ZoneOffset.UTC);

            assertThat(PlainTimestamp.parse(text)).as(text).isEqualTo(expected);
            assertThat(PlainTimestamp.parse(text.replace('T', ' '))).as(text).isEqualTo(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "2026-01-02",
                "2026-01-02 03:04",
                "2026-01-02 03:04:05Z",
                "2026-01-02 03:04:05+01:00",
                "2026-01-02 03:04:05.",
                "2026-01-02 03:04:05.1234567890",
                "2026-01-02 03:04:05.12x",
                "2026-02-29 03:04:05",
                "2026-13-01 03:04:05",
                "2026-01-02 24:00:00",
                "2026-01-02 03:60:00",
                "2026-01-02 03:04:60",
                "+026-01-02 03:04:05",
                "2026-01-02_03:04:05"
            })
    void shouldLeaveOtherFormsToOthers(String text) {
        assertThat(PlainTimestamp.parse(text)).isNull();
    }
}
