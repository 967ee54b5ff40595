package io.reprise.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(20)
class SpinningCallerTest {
    private final SpinningCaller spinner = new SpinningCaller();

    @Test
    void shouldReturnToSleepWhenTheReplyDoesNotCome() {
        for (int i = 0; i < 20; i++) {
            spinner.begin(CompletableFuture.completedFuture("reply"));
            spinner.end();
        }

        assertThat(spinner.begin(new CompletableFuture<>())).isTrue();
    }

    @Test
    void shouldLetOneSpinAtATime() {
        boolean first = spinner.begin(new CompletableFuture<>());
        boolean second = spinner.begin(new CompletableFuture<>());
        spinner.end();
        boolean third = spinner.begin(new CompletableFuture<>());

        assertThat(first).isTrue();
        assertThat(second).isFalse();
        assertThat(third).isTrue();
    }
}
