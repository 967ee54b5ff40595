package io.reprise.execution.durable;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.execution.Execution;
import io.reprise.execution.Nothing;
import io.reprise.execution.Partition;
import io.reprise.execution.ReplyTarget;
import io.reprise.execution.SiteLayout;
import io.reprise.execution.SiteMeter;
import io.reprise.id.Buckets;
import io.reprise.id.DatabaseId;
import io.reprise.log.LogAdmission;
import io.reprise.log.LogSettings;
import io.reprise.log.LogTail;
import io.reprise.log.LogWriter;
import io.reprise.log.PartitionLog;
import io.reprise.log.RecordKind;
import io.reprise.record.data.DataCollector;
import io.reprise.runtime.agent.Waker;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.SimulatedFileStore;
import io.reprise.storage.PartitionStore;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class DurableGateTest {
    private final PartitionLog log = new PartitionLog(0, 0, LogSettings.DEFAULTS, new Waker());
    private final List<PartitionStore> stores = List.of(store(0), store(1), store(2));
    private final List<Partition> partitions = Partition.over(stores, SiteLayout.dealt(3, 2));
    private final List<Execution> replies = new ArrayList<>();
    private final List<String> told = new ArrayList<>();

    @AfterEach
    void close() {
        log.close();
        stores.forEach(PartitionStore::close);
    }

    private static PartitionStore store(int partition) {
        return new PartitionStore(
                new PartitionStore.Options(partition, 1 << 20, 1L << 30, Buckets.DEFAULT, new BitSet()));
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

    /** Those of an asynchronous log don't wait for replies, but for room. */
    @Test
    void shouldAskForAForceWhenNothingWaitsButTheLogHasNoRoom() {
        DurableGate gate = gate(false);
        for (long id = 1; log.hasRoom(); id++) {
            runTransaction(gate, id);
        }

        assertThat(gate.doWork(0)).as("the cycle that ran them").isZero();
        assertThat(gate.doWork(0)).as("the first without work").isEqualTo(1);
        assertThat(gate.doWork(0)).as("nothing new").isZero();
    }

    @Test
    void shouldLetWhoHoldsOutcomesTellThemInTheirOrderOnceTheLogIsDurable() {
        DurableGate gate = gate(true);
        Holder holder = new Holder(false);
        Holder other = new Holder(true);

        gate.finished(partitions.getFirst(), ended(1, holder));
        gate.finished(partitions.getFirst(), ended(2, other));
        gate.finished(partitions.getFirst(), ended(3, holder));
        gate.doWork(0);

        assertThat(told).isEmpty();
        assertThat(holder.held).containsExactly(1L, 3L);
        force(log);
        gate.doWork(0);
        assertThat(told).containsExactly("held 1", "complete 2", "held 3");
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void shouldTellOnlyOfThoseInARowThatAreDurable() {
        DurableGate gate = gate(true);
        Holder holder = new Holder(false);
        for (int id = 1; id <= 5; id++) {
            gate.finished(partitions.getFirst(), ended(id, holder));
            if (id == 3) {
                force(log);
            }
        }

        gate.doWork(0);
        assertThat(told).containsExactly("held 1", "held 2", "held 3");
        assertThat(gate.waiting()).isEqualTo(2);
        force(log);
        gate.doWork(0);
        assertThat(told).hasSize(5).endsWith("held 4", "held 5");
        assertThat(gate.waiting()).isZero();
    }

    @Test
    void shouldCompleteAtOnceWhatNeedsNoLog() {
        DurableGate gate = gate(false);

        gate.finished(partitions.getFirst(), ended(1, new Holder(false)));

        assertThat(told).containsExactly("complete 1");
    }

    @Test
    void shouldLetRepliesLeaveInTheirOrderWhenPartitionsOfOneSiteRanThem() {
        try (PartitionLog second = new PartitionLog(1, 1, LogSettings.DEFAULTS, new Waker())) {
            DurableGate gate = gate(true, log, second);
            Holder holder = new Holder(false);
            second.begin(RecordKind.COMMAND, 1, -1, 0).end();
            gate.finished(partitions.get(1), read(1, holder, 1));
            gate.finished(partitions.getFirst(), ended(2, holder));
            gate.finished(partitions.get(1), read(3, holder, 1));

            force(log, second);
            gate.doWork(0);

            assertThat(told).containsExactly("held 1", "held 2", "held 3");
        }
    }

    private static Execution read(long id, ReplyTarget target, int partition) {
        Execution execution = new Execution().prepare(new Nothing(false, true), target, 0);
        execution.sendTo(partition);
        execution.stamp(id);
        return execution;
    }

    /** A read of another partition's log counts like one of its own. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldAnswerAReadOfSeveralPartitionsWhenWhatItSawIsDurableInAll(int written) {
        try (PartitionLog second = new PartitionLog(1, 1, LogSettings.DEFAULTS, new Waker())) {
            PartitionLog[] logs = {log, second};
            DurableGate gate = gate(true, logs);
            logs[written].begin(RecordKind.COMMAND, 1, -1, 0).end();
            Execution read = new Execution().prepare(new Nothing(false, true), replies::add, 0);
            read.routeBy(null);
            read.addParticipant(0);
            read.addParticipant(1);
            read.stamp(2);
            gate.leaving(0, read);
            gate.leaving(1, read);

            gate.finished(partitions.getFirst(), read);
            gate.doWork(0);

            assertThat(replies).as("before it is forced").isEmpty();
            force(logs);
            gate.doWork(0);
            assertThat(replies).containsExactly(read);
        }
    }

    /** Takes what came of executions, and uses them for others. */
    private final class Holder implements ReplyTarget {
        private final boolean refuses;
        private final List<Long> held = new ArrayList<>();

        Holder(boolean refuses) {
            this.refuses = refuses;
        }

        @Override
        public void complete(Execution execution) {
            told.add("complete " + execution.id());
        }

        @Override
        public int hold(Execution execution) {
            if (refuses) {
                return NOT_HELD;
            }
            held.add(execution.id());
            execution.prepare(new Nothing(false, true), null, 0).routeBy(null);
            return held.size() - 1;
        }

        @Override
        public void release(int ticket) {
            told.add("held " + held.get(ticket));
        }
    }

    /** Acts as a log's writer. */
    private void force(PartitionLog... logs) {
        LogTail tail = LogTail.create(new SimulatedFileStore(1), LogSettings.DEFAULTS, new DatabaseId(1, 10));
        SimulatedClock clock = new SimulatedClock();
        LogWriter writer =
                new LogWriter(tail, LogSettings.DEFAULTS, logs, new Waker[0], clock, (transaction, position) -> {});
        writer.onStart();
        while (!Arrays.stream(logs).allMatch(PartitionLog::isAllDurable)) {
            writer.doWork(clock.nanoTime());
        }
        writer.onClose();
    }

    private Execution ended(long id, ReplyTarget target) {
        Execution execution = new Execution().prepare(new Nothing(false, true), target, 0);
        execution.routeBy(null);
        execution.addParticipant(0);
        execution.stamp(id);
        log.begin(RecordKind.COMMAND, id, -1, 0).end();
        return execution;
    }

    private DurableGate gate(boolean synchronous) {
        return gate(synchronous, log);
    }

    private DurableGate gate(boolean synchronous, PartitionLog... logs) {
        return new DurableGate(
                0,
                partitions.getFirst().peers(),
                logs,
                LoggingMethod.COMMAND,
                new DataCollector[logs.length],
                new LogAdmission(),
                synchronous,
                Arrays.stream(logs).map(of -> (Stability) of::durable).toArray(Stability[]::new),
                16,
                SiteMeter.unread(1, new SimulatedClock()).getFirst());
    }

    private void runTransaction(DurableGate gate, long id) {
        Execution execution = new Execution().prepare(new Nothing(false, true), replies::add, 0);
        execution.routeBy(null);
        execution.addParticipant(0);
        log.begin(RecordKind.COMMAND, id, -1, 0).end();
        gate.finished(partitions.getFirst(), execution);
    }
}
