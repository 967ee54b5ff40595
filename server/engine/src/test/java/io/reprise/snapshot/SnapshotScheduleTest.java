package io.reprise.snapshot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SnapshotScheduleTest {
    private static final long MS_NS = 1_000_000;

    private long logPosition = 100;
    private final SnapshotSchedule schedule =
            new SnapshotSchedule(SnapshotSettings.usual().every(1000, 500), () -> logPosition, 100, 0);

    @Test
    void shouldBeDueByTimeOnlyIfSomethingWasLogged() {
        assertThat(schedule.isDue(1000 * MS_NS)).isFalse();

        logPosition = 101;

        assertThat(schedule.isDue(999 * MS_NS)).isFalse();
        assertThat(schedule.isDue(1000 * MS_NS)).isTrue();
    }

    @Test
    void shouldBeDueByTheLogsLength() {
        logPosition = 599;
        assertThat(schedule.isDue(1)).isFalse();

        logPosition = 600;

        assertThat(schedule.isDue(1)).isTrue();
    }

    @Test
    void shouldTakeOtherTimesFromTheBeginningOfTheLastSnapshotOn() {
        logPosition = 200;
        schedule.began(500 * MS_NS);

        schedule.change(200, 0);

        assertThat(schedule.isDue(699 * MS_NS)).isFalse();
        assertThat(schedule.isDue(700 * MS_NS)).isTrue();
        logPosition = 10_000;
        schedule.change(0, 0);
        assertThat(schedule.isDue(Long.MAX_VALUE)).isFalse();
    }
}
