package io.reprise.node;

import static org.assertj.core.api.Assertions.assertThat;

import io.reprise.client.Client;
import io.reprise.client.ClientSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The client finds leaders while they change: each of its calls runs once. */
@Timeout(120)
final class ClusterCallsTest {
    private static final int CALLERS = 4;
    private static final int CHANGES = 30;

    private final TestCluster cluster = new TestCluster(3);
    private final long seed = Long.getLong("reprise.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final AtomicLong made = new AtomicLong();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @AfterEach
    void close() {
        cluster.close();
    }

    private Client connect() {
        return Client.connect(ClientSettings.to(cluster.address(0))
                .withCallTimeout(Duration.ofSeconds(30))
                .withReconnect(Duration.ofMillis(5), Duration.ofMillis(20)));
    }

    private List<Thread> callers(Client client) {
        List<Thread> callers = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            int caller = i;
            callers.add(Thread.ofPlatform().start(() -> {
                try {
                    for (long id = caller; !stop.get(); id++) {
                        client.call("Add", id % TestCluster.ACCOUNTS, 1);
                        made.incrementAndGet();
                    }
                } catch (RuntimeException | Error wrong) {
                    failure.set(wrong);
                }
            }));
        }
        return callers;
    }

    private void end(List<Thread> callers) throws InterruptedException {
        stop.set(true);
        for (Thread caller : callers) {
            caller.join();
        }
        assertThat(failure.get()).as("seed " + seed).isNull();
        assertThat(cluster.total()).as("seed " + seed).isEqualTo(made.get());
    }

    private void awaitCalls(long more) {
        long begin = made.get();
        while (made.get() < begin + more && failure.get() == null) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private int[] anyLeaders() {
        int[] leaders = new int[TestCluster.PARTITIONS];
        for (int i = 0; i < leaders.length; i++) {
            leaders[i] = random.nextInt(3);
        }
        return leaders;
    }

    @Test
    void shouldMakeEachCallOnceWhileLeadersChange() throws InterruptedException {
        try (Client client = connect()) {
            List<Thread> callers = callers(client);
            for (int i = 0; i < CHANGES && failure.get() == null; i++) {
                awaitCalls(50);
                cluster.lead(anyLeaders());
            }
            awaitCalls(50);
            end(callers);
        }
    }

    @Test
    void shouldWaitWhileAPartitionHasNoLeader() throws InterruptedException {
        try (Client client = connect()) {
            List<Thread> callers = callers(client);
            awaitCalls(50);
            cluster.lead(-1, -1, -1, -1);
            LockSupport.parkNanos(200_000_000);
            cluster.lead(0, 1, 2, 0);
            awaitCalls(50);
            end(callers);
        }
    }

    @Test
    void shouldGoOnWhenANodeHandsOverAndEnds() throws InterruptedException {
        try (Client client = connect()) {
            List<Thread> callers = callers(client);
            awaitCalls(100);
            cluster.lead(2, 2, 2, 2);
            LockSupport.parkNanos(100_000_000);
            long there = cluster.total(1);
            cluster.stop(1);
            cluster.tell();
            awaitCalls(100);
            made.addAndGet(-there);
            end(callers);
        }
    }

    @Test
    void shouldCallTheLeadersItself() {
        try (Client client = connect()) {
            for (int round = 0; round < 5; round++) {
                for (long id = 0; id < TestCluster.ACCOUNTS; id++) {
                    client.call("Add", id, 1);
                }
            }
            long connects = client.metrics().connects();

            assertThat(connects).isEqualTo(3);
            assertThat(cluster.total()).isEqualTo(5 * TestCluster.ACCOUNTS);
        }
    }
}
