package io.reprise.runtime;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class InvariantsTest {
    @Test
    void shouldPassWhenItHolds() {
        assertThatCode(() -> {
                    Invariants.check(true, "a");
                    Invariants.check(true, "a", 1);
                    Invariants.check(true, "a", 1, 2);
                    Invariants.check(true, "a", 1, 2, 3);
                    Invariants.check(true, () -> {
                        throw new AssertionError("the message is not needed");
                    });
                })
                .doesNotThrowAnyException();
    }

    @Test
    void shouldSayWhatIsWrongWhenItDoesNotHold() {
        assertThatThrownBy(() -> Invariants.check(false, "position"))
                .isInstanceOf(InvariantViolatedException.class)
                .hasMessage("position");
        assertThatThrownBy(() -> Invariants.check(false, "position", 1)).hasMessage("position: 1");
        assertThatThrownBy(() -> Invariants.check(false, "position", 1, 2)).hasMessage("position: 1, 2");
        assertThatThrownBy(() -> Invariants.check(false, "position", 1, 2, 3)).hasMessage("position: 1, 2, 3");
        assertThatThrownBy(() -> Invariants.check(false, () -> "position of x")).hasMessage("position of x");
    }
}
