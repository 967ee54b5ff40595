package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Invocation;
import io.reprise.execution.SiteMeter;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogSettings;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordKind;
import io.reprise.log.physiological.DataCollector;
import io.reprise.runtime.agent.Waker;
import io.reprise.simulation.SimulatedClock;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class DurableGateTest {
    private final PartitionLog log = new PartitionLog(0, LogSettings.DEFAULTS, new Waker());
    private final List<Invocation> replies = new ArrayList<>();

    @AfterEach
    void close() {
        log.close();
    }

    @Test
    void shouldAskForAForceOnceWhenACycleHasNoWorkAndRepliesWait() {
        DurableGate gate = gate(true);

        runTransaction(gate, 1);

        assertThat(gate.doWork(0)).as("the cycle that ran it").isZero();
        assertThat(gate.doWork(0)).as("the first without work").isEqualTo(1);
        assertThat(gate.doWork(0)).as("nothing new").isZero();
        assertThat(replies).isEmpty();
    }

    @Test
    void shouldAskAgainWhenMoreHasRun() {
        DurableGate gate = gate(true);
        runTransaction(gate, 1);
        gate.doWork(0);
        gate.doWork(0);

        runTransaction(gate, 2);

        assertThat(gate.doWork(0)).isZero();
        assertThat(gate.doWork(0)).isEqualTo(1);
    }

    @Test
    void shouldNotAskWhenNothingWaits() {
        DurableGate gate = gate(false);

        runTransaction(gate, 1);

        assertThat(gate.doWork(0)).isZero();
        assertThat(gate.doWork(0)).isZero();
        assertThat(replies).hasSize(1);
    }

    private DurableGate gate(boolean synchronous) {
        return new DurableGate(
                0,
                new PartitionLog[] {log},
                LoggingMethod.COMMAND,
                new DataCollector[1],
                new LogAdmission(),
                synchronous,
                16,
                SiteMeter.unread(1, new SimulatedClock()).getFirst());
    }

    private void runTransaction(DurableGate gate, long id) {
        Invocation invocation = new Invocation().prepare(null, replies::add, 0);
        invocation.clearParticipants();
        invocation.addParticipant(0);
        log.begin(RecordKind.COMMAND, id, -1, 0).end();
        gate.finished(null, invocation);
    }
}
