package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.runtime.time.SystemClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class AgentRunnerTest {
    private final RecordingFailures failures = new RecordingFailures();

    @Test
    void shouldRunStartCyclesAndCloseOnItsNamedThread() throws Exception {
        LatchAgent agent = new LatchAgent();
        AgentRunner runner = runner(agent);

        runner.start();
        assertThat(agent.worked.await(1, TimeUnit.MINUTES)).isTrue();
        boolean ranBefore = runner.isRunning();
        runner.close();

        assertThat(ranBefore).isTrue();
        assertThat(runner.isRunning()).isFalse();
        assertThat(agent.startedBy.get().getName()).isEqualTo("reprise-node7-latch");
        assertThat(agent.closedBy.get()).isSameAs(agent.startedBy.get());
        assertThat(failures.causes).isEmpty();
    }

    @Test
    void shouldReportAndEndWithoutClosingWhenACycleThrows() throws Exception {
        LatchAgent agent = new LatchAgent();
        agent.failure = new StackOverflowError("deep");
        AgentRunner runner = runner(agent);

        runner.start();
        assertThat(agent.worked.await(1, TimeUnit.MINUTES)).isTrue();
        runner.close();

        assertThat(failures.causes).containsExactly(agent.failure);
        assertThat(failures.where).containsExactly("latch");
        assertThat(agent.closedBy.get()).isNull();
    }

    @Test
    void shouldSayWhereItHangsWhenItDoesNotEndInTime() throws Exception {
        LatchAgent agent = new LatchAgent();
        agent.hang = true;
        AgentRunner runner = runner(agent);
        runner.start();
        assertThat(agent.worked.await(1, TimeUnit.MINUTES)).isTrue();

        assertThatThrownBy(() -> runner.close(1))
                .isInstanceOf(AgentHangsException.class)
                .hasMessageContaining("reprise-node7-latch has not ended")
                .cause()
                .satisfies(stack -> assertThat(stack.getStackTrace())
                        .anyMatch(frame -> frame.getClassName().contains("LatchAgent")));

        agent.release.countDown();
        runner.close();
        assertThat(runner.isRunning()).isFalse();
    }

    @Test
    void shouldOnlyAskWhenItClosesItself() {
        AtomicReference<AgentRunner> self = new AtomicReference<>();
        LatchAgent agent = new LatchAgent() {
            @Override
            public int doWork(long nowNs) {
                self.get().close();
                return super.doWork(nowNs);
            }
        };
        self.set(runner(agent));

        self.get().start();
        self.get().close();

        assertThat(agent.closedBy.get()).isNotNull();
        assertThat(failures.causes).isEmpty();
    }

    @Test
    void shouldEndAtOnceWhenItIsParkedForLong() {
        Waker waker = new Waker();
        LatchAgent agent = new LatchAgent();
        long hourNs = TimeUnit.HOURS.toNanos(1);
        AgentRunner runner = new AgentRunner(
                "node7", agent, new ParkingIdleStrategy(waker, 0, 0, hourNs, hourNs), SystemClock.INSTANCE, failures);
        runner.start();

        runner.close();

        assertThat(runner.isRunning()).isFalse();
    }

    @Test
    void shouldNotWaitWhenItNeverStarted() {
        LatchAgent agent = new LatchAgent();
        AgentRunner runner = runner(agent);

        runner.close();

        assertThat(agent.startedBy.get()).isNull();
        assertThatThrownBy(runner::start).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void shouldKeepTheInterruptWhenTheCloserIsInterrupted() {
        LatchAgent agent = new LatchAgent();
        AgentRunner runner = runner(agent);
        runner.start();

        Thread.currentThread().interrupt();
        runner.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(runner.isRunning()).isFalse();
        assertThat(agent.closedBy.get()).isNotNull();
    }

    private AgentRunner runner(Agent agent) {
        return new AgentRunner("node7", agent, new BackoffIdleStrategy(), SystemClock.INSTANCE, failures);
    }

    private static class LatchAgent implements Agent {
        final AtomicReference<Thread> startedBy = new AtomicReference<>();
        final AtomicReference<Thread> closedBy = new AtomicReference<>();
        final CountDownLatch worked = new CountDownLatch(1);
        final CountDownLatch release = new CountDownLatch(1);
        volatile Error failure;
        volatile boolean hang;

        @Override
        public String roleName() {
            return "latch";
        }

        @Override
        public void onStart() {
            startedBy.set(Thread.currentThread());
        }

        @Override
        public int doWork(long nowNs) {
            worked.countDown();
            if (failure != null) {
                throw failure;
            }
            if (hang) {
                awaitRelease();
            }
            return 0;
        }

        @Override
        public void onClose() {
            closedBy.set(Thread.currentThread());
        }

        private void awaitRelease() {
            try {
                release.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException("agents are never interrupted", e);
            }
        }
    }
}
