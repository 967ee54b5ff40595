package io.reprise.net.session;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

final class FairTasksTest {
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private final List<String> done = new ArrayList<>();
    private final FairTasks tasks = new FairTasks(threads::add, 5);

    private boolean submit(String client, int number) {
        return tasks.submit(client, () -> done.add(client + number));
    }

    private void runAll() {
        while (!threads.isEmpty()) {
            threads.poll().run();
        }
    }

    @Test
    void shouldTakeTurnsWhenOneClientSendsMany() {
        submit("a", 1);
        submit("a", 2);
        submit("a", 3);
        submit("b", 1);
        submit("c", 1);

        runAll();

        assertThat(done).containsExactly("a1", "b1", "c1", "a2", "a3");
    }

    @Test
    void shouldRejectWhenTooManyWait() {
        for (String client : List.of("a", "b", "c", "d", "e")) {
            assertThat(submit(client, 1)).isTrue();
        }
        assertThat(submit("f", 1)).isFalse();

        runAll();

        assertThat(submit("f", 2)).isTrue();
        assertThat(done).hasSize(5);
    }

    @Test
    void shouldLeavePlacesToOthersWhenAClientSendsMany() {
        int accepted = 0;
        while (submit("a", accepted)) {
            accepted++;
        }

        assertThat(accepted).isEqualTo(3);
        assertThat(submit("b", 1)).isTrue();
        assertThat(submit("c", 1)).isTrue();
        assertThat(submit("d", 1)).isFalse();
    }

    @Test
    void shouldForgetATaskThatItsThreadsReject() {
        FairTasks closed = new FairTasks(
                task -> {
                    throw new RejectedExecutionException();
                },
                1);

        assertThat(closed.submit("a", () -> {})).isFalse();
        assertThat(closed.submit("a", () -> {})).isFalse();
    }
}
