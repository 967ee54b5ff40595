package io.reprise.runtime.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.reprise.simulation.SimulatedClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class AgentInvokerTest {
    private final List<String> journal = new ArrayList<>();
    private final ScriptedAgent agent = new ScriptedAgent("a", journal);
    private final SimulatedClock clock = new SimulatedClock();
    private final RecordingFailures failures = new RecordingFailures();
    private final AgentInvoker invoker = new AgentInvoker(agent, clock, failures);

    @Test
    void shouldRunOneCycleForEachCall() {
        agent.workCount = 3;
        invoker.start();
        clock.advance(10);

        int workCount = invoker.invoke();
        invoker.close();
        int afterClose = invoker.invoke();

        assertThat(workCount).isEqualTo(3);
        assertThat(agent.lastNowNs).isEqualTo(clock.nanoTime());
        assertThat(afterClose).isZero();
        assertThat(journal).containsExactly("a start", "a work", "a close");
    }

    @Test
    void shouldNotRunAnAgentAgainWhenItFailed() {
        agent.doWorkFailure = new IllegalStateException("no");
        invoker.start();

        invoker.invoke();
        invoker.invoke();
        invoker.close();

        assertThat(journal).containsExactly("a start", "a work");
        assertThat(failures.causes).containsExactly(agent.doWorkFailure);
        assertThat(failures.where).containsExactly("a");
        assertThat(invoker.isRunning()).isFalse();
    }

    @Test
    void shouldNotRunWhenItCouldNotStart() {
        agent.onStartFailure = new IllegalStateException("no");

        invoker.start();
        invoker.invoke();
        invoker.close();

        assertThat(journal).containsExactly("a start");
        assertThat(failures.causes).containsExactly(agent.onStartFailure);
    }

    @Test
    void shouldReportWhenItCouldNotClose() {
        agent.onCloseFailure = new IllegalStateException("no");
        invoker.start();

        invoker.close();
        invoker.close();

        assertThat(failures.causes).containsExactly(agent.onCloseFailure);
    }

    @Test
    void shouldRefuseToStartTwice() {
        invoker.start();

        assertThatThrownBy(invoker::start)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a was");
    }
}
