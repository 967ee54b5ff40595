package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class ObjectArgumentsTest {
    /** The expected value is made of microseconds in the same way. */
    @ParameterizedTest
    @ValueSource(longs = {Long.MIN_VALUE, Long.MIN_VALUE + 1, -1_000_001, -1_000_000, -1, 0, 1, Long.MAX_VALUE})
    void shouldTakeEveryTimeThatATimestampCanBe(long micros) {
        assertThat(written(Instant.EPOCH.plus(micros, ChronoUnit.MICROS))).isEqualTo(micros);
    }

    /** Nanoseconds since 1970 end in 1677 and 2262, where Java 17 stops. */
    @ParameterizedTest
    @CsvSource({
        "9999-12-31T23:59:59.999999Z, 253402300799999999",
        "0001-01-01T00:00:00Z, -62135596800000000",
        "2262-04-11T23:47:16.854776Z, 9223372036854776",
        "1677-09-21T00:12:43.145224Z, -9223372036854776"
    })
    void shouldTakeTimesFarFromNow(Instant time, long micros) {
        assertThat(written(time)).isEqualTo(micros);
    }

    @ParameterizedTest
    @CsvSource({
        "1970-01-01T00:00:00.000000999Z, 0",
        "1969-12-31T23:59:59.999999999Z, -1",
        "1969-12-31T23:59:59.999999Z, -1",
        "1969-12-31T23:59:58.999999001Z, -1000001"
    })
    void shouldRoundDown(Instant time, long micros) {
        assertThat(written(time)).isEqualTo(micros);
    }

    @Test
    void shouldRefuseTimesThatNoTimestampCanBe() {
        Instant first = Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS);
        Instant last = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);
        for (Instant time : new Instant[] {first.minusNanos(1), last.plusNanos(1000), Instant.MIN, Instant.MAX}) {
            assertThatThrownBy(() -> ObjectArguments.write(time))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("too far from 1970");
        }
    }

    private static long written(Instant time) {
        return ObjectArguments.write(time).partitioningValue(0);
    }
}
