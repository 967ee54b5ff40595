package io.reprise.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LogThrottleTest {
    private static final long SECOND_NS = 1_000_000_000;

    private final LogThrottle throttle = new LogThrottle();
    private final List<String> told = new ArrayList<>();

    @Test
    void shouldTellOfOneInASecondAndCountTheOthers() {
        throttle.tell(-5, told::add);
        throttle.tell(0, told::add);
        throttle.tell(SECOND_NS / 2, told::add);
        throttle.tell(SECOND_NS, told::add);
        throttle.tell(3 * SECOND_NS, told::add);

        assertThat(told).containsExactly("", "; there were 2 more since the last that was told of", "");
    }
}
