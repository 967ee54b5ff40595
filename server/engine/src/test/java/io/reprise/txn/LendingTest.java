package io.reprise.txn;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.engine.Sites;
import io.reprise.execution.BucketMap;
import io.reprise.execution.CommitGate;
import io.reprise.execution.Door;
import io.reprise.execution.EngineWork;
import io.reprise.execution.Execution;
import io.reprise.execution.Partition;
import io.reprise.execution.PartitionExecutor;
import io.reprise.execution.SiteMeter;
import io.reprise.id.Buckets;
import io.reprise.procedure.ErrorCode;
import io.reprise.runtime.agent.Waker;
import io.reprise.simulation.SimulatedClock;
import io.reprise.simulation.Simulation;
import io.reprise.storage.PartitionStore;
import io.reprise.txn.initiator.ClientPort;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Two sites run by hand: for how many transactions they have to meet once. */
class LendingTest {
    private static final int PARTITIONS = 2;
    private static final int ACCOUNTS = 16;

    private final BucketMap buckets = BucketMap.dealt(PARTITIONS);
    private final SimulatedClock clock = new SimulatedClock();
    private final AccountWork.Journal journal = new AccountWork.Journal(PARTITIONS, new Simulation(1));
    private final List<PartitionStore> stores = new ArrayList<>();
    private final int[] account = new int[PARTITIONS];
    private Sites sites;
    private ClientPort port;

    @BeforeEach
    void open() {
        for (int i = 0; i < PARTITIONS; i++) {
            stores.add(AccountWork.store(i, buckets, ACCOUNTS));
            while (buckets.partition(Buckets.DEFAULT.of(account[i])) != i) {
                account[i]++;
            }
        }
        List<SiteMeter> meters = SiteMeter.unread(PARTITIONS, clock);
        sites = new Sites(
                Sites.Settings.usual(),
                buckets,
                Partition.over(stores),
                new Waker[PARTITIONS],
                clock,
                CommitGate.open(meters),
                meters,
                0);
        port = sites.port(0, 64);
    }

    @AfterEach
    void close() {
        stores.forEach(PartitionStore::close);
    }

    @Test
    void shouldMeetOnceForSeveralTransactionsOfTheSameHome() {
        for (int i = 0; i < 5; i++) {
            submitPairAt(0);
        }
        stamp();

        run(1);
        assertThat(ran()).isZero();
        run(0);
        assertThat(ran()).isEqualTo(5);

        submitSingle(1);
        stamp();
        run(1);
        assertThat(journal.ids.get(1)).hasSize(6).isSorted();
    }

    @Test
    void shouldMeasureForHowLongSitesWait() {
        submitPairAt(0);
        stamp();
        run(1);
        clock.advance(3_000);
        run(1);
        run(0);
        // It is lent for as long as these run, but doesn't stand still.
        clock.advance(4_000);
        run(1);
        assertThat(sites.meter(1).stoodStillNs()).isEqualTo(3_000);

        submitPairAt(0);
        stamp();
        run(0);
        clock.advance(500);
        run(1);
        run(0);
        assertThat(sites.meter(0).stoodStillNs()).isEqualTo(500);
    }

    @Test
    void shouldMeetOnceForThoseWithoutHomeThatFollowEachOther() {
        for (int i = 0; i < 5; i++) {
            submit(new AccountWork.Pair(journal), account[1], account[0], 4);
        }
        stamp();

        run(1);
        run(0);

        assertThat(ran()).isEqualTo(5);
    }

    @Test
    void shouldMeetAgainWhenTheHomeIsAnother() {
        submitPairAt(0);
        submitPairAt(0);
        submitPairAt(1);
        stamp();

        run(1);
        run(0);
        assertThat(ran()).isEqualTo(2);
        run(1);
        assertThat(ran()).isEqualTo(3);

        submitSingle(0);
        stamp();
        run(0);
        assertThat(ran()).isEqualTo(4);
    }

    @Test
    void shouldNotLendToWhatComesBehindATransactionOfItsOwn() {
        submitPairAt(0);
        stamp();
        submitSingle(1);
        stamp();
        submitPairAt(0);
        stamp();

        run(1);
        run(0);
        assertThat(journal.ids.get(1)).hasSize(1);
        run(1);
        assertThat(journal.ids.get(1)).hasSize(2);
        run(0);

        assertThat(journal.ids.get(1)).hasSize(3).isSorted();
        assertThat(sites.executor(sites.partitions().get(1)).isLent()).isTrue();
        run(1);
        assertThat(sites.executor(sites.partitions().get(1)).isLent()).isFalse();
    }

    @Test
    void shouldTakeAPartitionBackUntilTheOthersAreThere() {
        PartitionExecutor lent = sites.executor(sites.partitions().get(1));
        lent.enterBy(new Unreserved());
        submitPairAt(0);
        stamp();
        submitSingle(1);
        stamp();
        run(1);
        assertThat(lent.isHere()).isFalse();

        lent.takeBack();
        assertThat(lent.isHere()).isTrue();
        assertThat(lent.isTurn(Long.MAX_VALUE)).isFalse();
        run(0);
        assertThat(ran()).isZero();

        lent.giveBack();
        assertThat(lent.isHere()).isFalse();
        run(0);
        assertThat(ran()).isEqualTo(1);
        run(1);
        assertThat(journal.ids.get(1)).hasSize(2).isSorted();
    }

    @Test
    void shouldLetAWorkOfTheEngineOvertakeWhatWaitsAtAHeldPartition() {
        PartitionExecutor held = sites.executor(sites.partitions().get(0));
        HeldDoor door = new HeldDoor();
        held.enterBy(door);
        submitSingle(0);
        submitSingle(0);
        List<Long> engine = new ArrayList<>();
        port.submit(port.acquire(new Note(engine), 0));
        submitSingle(0);
        stamp();

        run(0);
        assertThat(engine).isEmpty();
        door.admitsEngine = true;
        run(0);
        assertThat(engine).hasSize(1);
        assertThat(ran()).isZero();
        assertThat(held.isTurn(engine.getFirst())).isFalse();
        door.isHeld = false;
        door.lowestReserved = engine.getFirst();
        run(0);
        assertThat(ran()).isEqualTo(2);
        door.lowestReserved = Long.MAX_VALUE;
        run(0);

        assertThat(journal.ids.get(0)).hasSize(3).isSorted();
    }

    @Test
    void shouldRefuseWhatComesWhenTooMuchWaitsAtAHeldPartition() {
        PartitionExecutor held = sites.executor(sites.partitions().get(0));
        HeldDoor door = new HeldDoor();
        door.admitsEngine = true;
        held.enterBy(door);
        port = sites.port(0, 2 * PartitionExecutor.MOST_OVERTAKEN);
        for (int i = 0; i < PartitionExecutor.MOST_OVERTAKEN; i++) {
            submitSingle(0);
            stamp();
            run(0);
        }
        assertThat(held.waiting()).isEqualTo(PartitionExecutor.MOST_OVERTAKEN);
        Execution refused = port.acquire(new AccountWork.Single(journal), 0);
        refused.request().arguments().add((long) account[0]).add(0L).add(1L);
        List<Long> engine = new ArrayList<>();

        port.submit(refused);
        port.submit(port.acquire(new Note(engine), 0));
        stamp();
        run(0);

        assertThat(refused.outcome().error()).isEqualTo(ErrorCode.OVERLOADED);
        assertThat(held.waiting()).isEqualTo(PartitionExecutor.MOST_OVERTAKEN);
        assertThat(engine).hasSize(1);
        assertThat(ran()).isZero();
    }

    private static final class Note extends EngineWork {
        private final List<Long> ids;

        Note(List<Long> ids) {
            super("note");
            this.ids = ids;
        }

        @Override
        public void route(Execution execution, BucketMap buckets) {
            execution.routeBy(buckets);
            execution.addParticipant(0);
        }

        @Override
        public void run(Partition partition, Execution execution) {
            ids.add(execution.id());
        }
    }

    private static final class HeldDoor implements Door {
        private boolean isHeld = true;
        private boolean admitsEngine;
        private long lowestReserved = Long.MAX_VALUE;

        @Override
        public boolean isHeld() {
            return isHeld;
        }

        @Override
        public boolean admitsEngine() {
            return admitsEngine;
        }

        @Override
        public long lowestReserved() {
            return lowestReserved;
        }
    }

    /** The door of a partition that no transaction over nodes has reserved. */
    private static final class Unreserved implements Door {
        @Override
        public boolean isHeld() {
            return false;
        }

        @Override
        public long lowestReserved() {
            return Long.MAX_VALUE;
        }
    }

    private int ran() {
        return journal.ids.get(0).size();
    }

    private void submitPairAt(int home) {
        submit(new AccountWork.Pair(journal), account[home], account[1 - home], 1);
    }

    private void submitSingle(int partition) {
        submit(new AccountWork.Single(journal), account[partition], 0, 1);
    }

    private void submit(AccountWork work, long first, long second, long amount) {
        Execution execution = port.acquire(work, 0);
        execution.request().arguments().add(first).add(second).add(amount);
        port.submit(execution);
    }

    private void stamp() {
        clock.advance(1_000);
        while (sites.initiator(0).doWork(clock.nanoTime()) > 0) {
            clock.advance(1_000);
        }
    }

    private void run(int site) {
        sites.meter(site).cycle(clock.nanoTime());
        sites.executor(sites.partitions().get(site)).doWork(clock.nanoTime());
    }
}
