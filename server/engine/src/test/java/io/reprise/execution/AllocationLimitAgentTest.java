package io.reprise.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.runtime.agent.RunMonitor;
import io.reprise.runtime.agent.RunMonitor.Verdict;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AllocationLimitAgentTest {
    private final RunMonitor monitor = new RunMonitor(LoopBrake.INSTANCE);
    private long allocated;
    private final AllocationLimitAgent agent = new AllocationLimitAgent(List.of(monitor), 100, thread -> allocated);

    @Test
    void shouldEndARunThatAllocatesMoreThanTheLimit() {
        monitor.runsOn(Thread.currentThread());
        agent.doWork(0);
        monitor.begin();
        allocated = 100;
        agent.doWork(1);
        allocated = 101;

        assertThat(agent.doWork(2)).isOne();

        assertThat(monitor.end()).isEqualTo(Verdict.ALLOCATED_TOO_MUCH);
    }

    @Test
    void shouldCountEachRunByItself() {
        monitor.runsOn(Thread.currentThread());
        for (int run = 0; run < 10; run++) {
            monitor.begin();
            allocated += 60;
            agent.doWork(run);
            assertThat(monitor.end()).as("run %d", run).isEqualTo(Verdict.IN_TIME);
            agent.doWork(run);
        }
    }

    @Test
    void shouldTellALongRunFromOneThatAllocatesTooMuch() {
        monitor.runsOn(Thread.currentThread());
        monitor.begin();
        monitor.overdue(monitor.running());

        assertThat(monitor.end()).isEqualTo(Verdict.OVERDUE);
    }
}
