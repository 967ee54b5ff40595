package io.reprise.sql.compile.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.procedure.ProcedureException;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.temporal.IsoFields;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Against java.time. */
final class TimestampsTest {
    private static final int ROUNDS = 50_000;

    private final SplittableRandom random = new SplittableRandom(3);

    private static long micros(LocalDateTime time) {
        return ChronoUnit.MICROS.between(LocalDateTime.ofEpochSecond(0, 0, ZoneOffset.UTC), time);
    }

    private LocalDateTime time() {
        return LocalDateTime.of(1, 1, 1, 0, 0)
                .plusDays(random.nextInt(365 * 3000))
                .plusNanos(random.nextLong(86_400_000_000L) * 1000);
    }

    private static long extract(long micros, String unit) {
        return Timestamps.extract(micros, Timestamps.unit(unit));
    }

    private static long floor(long micros, String unit) {
        return Timestamps.floor(micros, Timestamps.unit(unit));
    }

    @Test
    void shouldExtractAndFloorAsJavaDoes() {
        for (int i = 0; i < ROUNDS; i++) {
            LocalDateTime time = time();
            long micros = micros(time);

            assertThat(extract(micros, "YEAR")).isEqualTo(time.getYear());
            assertThat(extract(micros, "QUARTER")).isEqualTo(time.get(IsoFields.QUARTER_OF_YEAR));
            assertThat(extract(micros, "MONTH")).isEqualTo(time.getMonthValue());
            assertThat(extract(micros, "WEEK")).isEqualTo(time.get(IsoFields.WEEK_OF_WEEK_BASED_YEAR));
            assertThat(extract(micros, "DAY")).isEqualTo(time.getDayOfMonth());
            assertThat(extract(micros, "DOY")).isEqualTo(time.getDayOfYear());
            assertThat(extract(micros, "ISODOW")).isEqualTo(time.getDayOfWeek().getValue());
            assertThat(extract(micros, "HOUR")).isEqualTo(time.getHour());
            assertThat(extract(micros, "MINUTE")).isEqualTo(time.getMinute());
            assertThat(extract(micros, "SECOND")).isEqualTo(time.getSecond());
            assertThat(floor(micros, "HOUR")).isEqualTo(micros(time.truncatedTo(ChronoUnit.HOURS)));
            assertThat(floor(micros, "DAY")).isEqualTo(micros(time.truncatedTo(ChronoUnit.DAYS)));
            LocalDateTime month = time.truncatedTo(ChronoUnit.DAYS).withDayOfMonth(1);
            assertThat(floor(micros, "MONTH")).isEqualTo(micros(month));
            assertThat(floor(micros, "YEAR")).isEqualTo(micros(month.withMonth(1)));
            assertThat(Timestamps.ceil(micros, Timestamps.unit("MONTH")))
                    .isEqualTo(micros(month.equals(time) ? month : month.plusMonths(1)));
            int months = random.nextInt(400) - 200;
            assertThat(Timestamps.addMonths(micros, months)).isEqualTo(micros(time.plusMonths(months)));
            LocalDateTime day = time.truncatedTo(ChronoUnit.DAYS);
            LocalDateTime other = time().truncatedTo(ChronoUnit.DAYS);
            assertThat(Timestamps.monthsBetween(micros(other), micros(day)))
                    .isEqualTo(ChronoUnit.MONTHS.between(day, other));
        }
    }

    @Test
    void shouldReadWhatItWrites() {
        for (int i = 0; i < ROUNDS; i++) {
            long micros = micros(time());
            long date = Timestamps.toDate(micros);

            assertThat(Timestamps.parse(Timestamps.toString(micros))).isEqualTo(micros);
            assertThat(Timestamps.parseDate(Timestamps.dateToString(date))).isEqualTo(date);
        }
        assertThat(Timestamps.parse("2024-02-29T12:30")).isEqualTo(Timestamps.parse("2024-02-29 12:30:00.0"));
        assertThat(Timestamps.parse(" 2024-02-29 ")).isEqualTo(Timestamps.ofDate(Timestamps.parseDate("2024-02-29")));
    }

    @Test
    void shouldRefuseWhatIsNoTime() {
        for (String text : new String[] {
            "",
            "x",
            "2024",
            "2024-13-01",
            "2023-02-29",
            "2024-01-01 24:00:00",
            "2024-01-01 10:60",
            "2024-01-01 1:2:3:4",
            "2024-01-01 10:10:10.x",
            "2024-01-01 -1:00"
        }) {
            assertThatThrownBy(() -> Timestamps.parse(text))
                    .isInstanceOf(ProcedureException.class)
                    .hasMessageContaining("'" + text + "'");
        }
    }
}
