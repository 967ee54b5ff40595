package io.reprise.benchmark.drive;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.CallException;
import io.reprise.client.ErrorCode;
import io.reprise.workload.Workload;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

/** The exit code tells scripts about the data. */
final class VerdictTest {
    private static final Supplier<List<Workload.Violation>> RIGHT = List::of;

    private static Trial trial(boolean someUnknown) {
        Second none = Second.of(0, 0, new Histogram(Driver.HIGHEST_NS, 3), 0, 0, 0);
        return new Trial(100, List.of(), none, 0, Map.of(), "", someUnknown, false, "");
    }

    private static Supplier<List<Workload.Violation>> failing() {
        return () -> {
            throw new CallException(ErrorCode.MEMORY_LIMIT, "it needs more memory", false);
        };
    }

    @Test
    void shouldBeGoodWhenTheDataAreRight() {
        Verdict verdict = Verdict.of(true, false, List.of(trial(false)), RIGHT);

        assertThat(verdict.good()).isTrue();
        assertThat(verdict.text()).contains("all invariants");
    }

    @Test
    void shouldNotBeGoodWhenTheDataAreWrong() {
        List<Workload.Violation> wrong = List.of(new Workload.Violation("money", "a cent is gone"));

        assertThat(Verdict.of(true, false, List.of(trial(false)), () -> wrong).good())
                .isFalse();
    }

    @Test
    void shouldNotBeGoodWhenTheDataCouldNotBeChecked() {
        Verdict verdict = Verdict.of(true, false, List.of(trial(false)), failing());

        assertThat(verdict.good()).isFalse();
        assertThat(verdict.text()).isEqualTo("The data could not be checked: it needs more memory");
    }

    @Test
    void shouldNotBeGoodWhenNobodyKnowsWhatTheDataShouldBe() {
        Verdict verdict = Verdict.of(true, false, List.of(trial(false), trial(true)), RIGHT);

        assertThat(verdict.good()).isFalse();
        assertThat(verdict.text()).contains("were not checked");
    }

    @Test
    void shouldNotCheckWhenTheUserWantsItOrHasStoppedTheRun() {
        assertThat(Verdict.of(false, false, List.of(trial(true)), failing()).good())
                .isTrue();
        assertThat(Verdict.of(true, true, List.of(trial(false)), failing()).text())
                .isEqualTo("The data were not checked: the run was stopped.");
    }
}
